/** Which reader opens which file, by its first bytes. */
import { ProbeError } from '../media-headers/bytes/probe-error.ts';
import { u32 } from '../media-headers/bytes/numbers.ts';
import { ascii } from '../media-headers/bytes/text.ts';
import type { FileReader } from '../../plugin-api/index.ts';
import type { AskedFile, OpenMedia } from './media/open-media.ts';
import { openFragmented } from './fragmented/open-fragmented.ts';
import { openMkv } from './matroska/open-mkv.ts';
import { openTs } from './mpeg-ts/open-ts.ts';
import { openMp4 } from './mp4/open-mp4.ts';
import { readMovie } from './mp4/movie.ts';

/** Why no plan is made of a file. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
}

const headBytes = 64;

/** Reads the index of a file. */
export async function openFile(reader: FileReader, asked: AskedFile): Promise<OpenMedia> {
  const [head] = await reader.readPieces([{ offset: 0, length: Math.min(headBytes, reader.size) }]);
  if (reader.size < 16) throw new UnsupportedError('The file is too short to be played.');
  const opened = await open(reader, head ?? new Uint8Array(0), asked);
  if (opened.tracks.length === 0)
    throw new UnsupportedError('The file has no pictures and no sound.');
  if (!(opened.duration > 0) || !Number.isFinite(opened.duration)) {
    throw new ProbeError('malformed', 'The file has no duration.');
  }
  return opened;
}

const isFragment = ({ type }: { readonly type: string }): boolean => type === 'moof';
const ebml = 0x1a45dfa3;
/** A transport stream may begin in the middle of a packet, so its name decides. */
const tsExtensions = ['ts', 'm2ts', 'm2t', 'mts', 'tp', 'trp'];
const mp4Boxes = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide'];

async function open(reader: FileReader, head: Uint8Array, asked: AskedFile): Promise<OpenMedia> {
  if (u32(head, 0) === ebml) return openMkv(reader, asked);
  if (mp4Boxes.includes(ascii(head, 4, 4))) {
    const movie = await readMovie(reader);
    const hasFragments = movie.fragments !== undefined && movie.top.some(isFragment);
    return hasFragments ? openFragmented(movie, reader, asked) : openMp4(movie);
  }
  if (tsExtensions.includes(asked.file.extension)) return openTs(reader, asked);
  throw new UnsupportedError('No plan is made of files of this format.');
}
