/** `probe.text`, `probe.subtitle` and `probe.fonts`: texts, pictures that are subtitles, and fonts in a media file. */
import {
  createReaders,
  type EmbeddedFonts,
  type EmbeddedSubtitle,
  type EmbeddedSubtitleInput,
  type EmbeddedTextInput,
  type FileReader,
  type Handler,
  type Host,
  type ProbeFile,
  type TextFailure,
} from '../../../plugin-api/index.ts';
import { failureOf, malformed, ProbeError } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { toBase64 } from '../../media-headers/bytes/base64-text.ts';
import { readAttachments } from '../containers/matroska/attachments.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import { openMatroska } from '../../media-headers/matroska/open-matroska.ts';
import type { MediaSource } from '../media.ts';
import { readMatroskaPgs } from '../pgs/matroska-pgs.ts';
import { readSupFile } from '../pgs/sup-file.ts';
import { limits, readFile } from '../probe-files.ts';
import { readMatroskaText } from './matroska-text.ts';
import { readMp4Text } from './mp4-text.ts';

/** What the text of one file may cost. Files without an index of their text need most. */
const budget = { bytes: 512 * 1024 * 1024, milliseconds: 25_000, reads: 2_000_000 } as const;
const textBytes = 5 * 1024 * 1024;
const mostFonts = 200;

/** A text, in the form in which it would stand beside the file. A fault of the file is an answer. */
export const embeddedText: Handler<EmbeddedTextInput, Uint8Array | TextFailure> = async (
  { file, part },
  host,
) => {
  try {
    const text =
      part === 'lyrics' ? await readLyrics(file, host) : await readText(file, part, host);
    const bytes = new TextEncoder().encode(text);
    if (bytes.length <= textBytes) return bytes;
    throw new ProbeError(
      'over-budget',
      `The text has ${bytes.length} bytes; at most ${textBytes}.`,
    );
  } catch (error) {
    return { kind: 'failed', ...failureOf(error) };
  }
};

/** A part of a subtitle that is pictures. A fault of the file is an answer. */
export const embeddedSubtitle: Handler<
  EmbeddedSubtitleInput,
  EmbeddedSubtitle | TextFailure
> = async ({ file, part, fromMs, shiftMs }, host) => {
  try {
    const source = sourceOf(file, createReaders({ fs: host.fs }).open(file, budget));
    const wanted = { index: part, fromMs, shiftMs };
    const { sup, nextMs } = (await isMatroska(source))
      ? await readMatroskaPgs(source, wanted)
      : await readSupFile(source, wanted);
    return { kind: 'read', base64: toBase64(sup), nextMs };
  } catch (error) {
    return { kind: 'failed', ...failureOf(error) };
  }
};

/** The fonts that are attached to a Matroska file, by their places; other files have none. */
export const embeddedFonts: Handler<{ readonly file: ProbeFile }, EmbeddedFonts> = async (
  { file },
  host,
) => {
  const source = sourceOf(file, createReaders({ fs: host.fs }).open(file, limits));
  if (!(await isMatroska(source))) return { fonts: [] };
  const { places } = await openMatroska(source, [ids.attachments]);
  const attached = await readAttachments(source, places.get(ids.attachments));
  const fonts = attached
    .filter(
      ({ name, mediaType }) => /font|opentype/i.test(mediaType) || /\.(ttf|otf|ttc)$/i.test(name),
    )
    .map(({ name, offset, length }) => ({
      name: name.slice(0, 200).toWellFormed(),
      offset,
      length,
    }));
  return { fonts: fonts.slice(0, mostFonts) };
};

async function readText(file: ProbeFile, index: number, host: Host): Promise<string> {
  const source = sourceOf(file, createReaders({ fs: host.fs }).open(file, budget));
  if (await isMatroska(source)) return readMatroskaText(source, index);
  const head = await source.read(0, Math.min(8, file.size));
  if (/^(ftyp|moov|mdat|wide|free|skip)$/.test(ascii(head, 4, 4)))
    return readMp4Text(source, index);
  throw malformed('Text is read from Matroska and MP4 only.');
}

/** Lyrics with times, or else without. */
async function readLyrics(file: ProbeFile, host: Host): Promise<string> {
  const found = await readFile(file, createReaders({ fs: host.fs }).open(file, limits));
  const text = found?.tags?.syncedLyrics ?? found?.tags?.lyrics;
  if (text === undefined) throw malformed('The file has no lyrics.');
  return text;
}

const sourceOf = ({ size, extension }: ProbeFile, reader: FileReader): MediaSource => ({
  size,
  extension,
  read: reader.read,
  readPieces: reader.readPieces,
});

async function isMatroska(source: MediaSource): Promise<boolean> {
  if (source.size < 8) throw malformed('The file is empty.');
  return ascii(await source.read(0, 4), 0, 4) === '\x1a\x45\xdf\xa3';
}
