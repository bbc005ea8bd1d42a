/** WebP: lossy, lossless, or extended with the camera's data. */
import { u16le, u24le, u32le, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { readChunks } from '../../media-headers/riff.ts';
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import type { FormatReader } from '../media.ts';
import { readSafely } from './jpeg.ts';
import { pictureMedia } from './picture.ts';

const exifBytes = 256 * 1024;

export const readWebp: FormatReader = async (source) => {
  const head = await source.read(0, Math.min(30, source.size));
  if (head.length < 30) throw truncated('The picture ends inside of its headers.');
  if (8 + u32le(head, 4) > source.size + 1)
    throw truncated('The file ends before its picture does.');
  const exif = ascii(head, 12, 4) === 'VP8X' ? await readCameraData(source) : undefined;
  return pictureMedia({
    container: 'webp',
    ...sizeOf(head),
    bitDepth: 8,
    rotation: exif?.rotation,
    tags: exif?.tags,
  });
};

function sizeOf(head: Uint8Array): { readonly width: number; readonly height: number } {
  const kind = ascii(head, 12, 4);
  if (kind === 'VP8X') return { width: u24le(head, 24) + 1, height: u24le(head, 27) + 1 };
  if (kind === 'VP8 ') return { width: u16le(head, 26) & 0x3fff, height: u16le(head, 28) & 0x3fff };
  if (kind !== 'VP8L' || u8(head, 20) !== 0x2f) {
    throw malformed('The picture begins without its size.');
  }
  const bits = u32le(head, 21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

async function readCameraData(source: ByteSource) {
  const chunks = await readChunks(source, 12, source.size, 200);
  const chunk = chunks.find(({ id }) => id === 'EXIF');
  if (chunk === undefined || chunk.end > source.size || chunk.end - chunk.from > exifBytes) {
    return undefined;
  }
  const bytes = await source.read(chunk.from, chunk.end - chunk.from);
  return readSafely(ascii(bytes, 0, 4) === 'Exif' ? bytes.subarray(6) : bytes);
}
