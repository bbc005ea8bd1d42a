/** GIF, BMP and TIFF (and the raw pictures of cameras that are TIFF inside). */
import { i32le, u16le } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { readUpTo } from '../../media-headers/bytes/byte-source.ts';
import type { FormatReader } from '../media.ts';
import { readExif, tiffReader } from './exif.ts';
import { pictureMedia } from './picture.ts';

const directoryBytes = 64 * 1024;
const mostDirectories = 8;

export const readGif: FormatReader = async (source) => {
  const head = await source.read(0, 10);
  return pictureMedia({ container: 'gif', width: u16le(head, 6), height: u16le(head, 8) });
};

export const readBmp: FormatReader = async (source) => {
  const head = await source.read(0, 30);
  return pictureMedia({
    container: 'bmp',
    width: i32le(head, 18),
    height: Math.abs(i32le(head, 22)),
    bitDepth: undefined,
  });
};

/** The largest picture of the file counts: raw files begin with a small preview. */
export const readTiff: FormatReader = async (source) => {
  const head = await readUpTo(source, 0, directoryBytes);
  const first = tiffReader(head)?.first ?? 0;
  // The directory may be before or after the picture.
  const base = first < head.length ? 0 : Math.min(first, Math.max(0, source.size - directoryBytes));
  const bytes = base === 0 ? head : await readUpTo(source, base, directoryBytes);
  const reader = tiffReader(bytes, head, base);
  const exif = readExif(bytes, reader);
  if (reader === undefined || exif === undefined) throw malformed('The picture is not a TIFF.');
  let best = { width: 0, height: 0 };
  const waiting = [reader.first];
  for (let count = 0; count < mostDirectories; count++) {
    const at = waiting.shift();
    if (at === undefined || at < 8) break;
    const directory = reader.directory(at);
    const width = directory.get(0x0100)?.numbers[0] ?? 0;
    const height = directory.get(0x0101)?.numbers[0] ?? 0;
    if (width * height > best.width * best.height) best = { width, height };
    waiting.push(...(directory.get(0x014a)?.numbers ?? []), reader.next(at));
  }
  if (best.width === 0) throw malformed('The picture begins without its size.');
  return pictureMedia({ container: 'tiff', ...best, rotation: exif.rotation, tags: exif.tags });
};
