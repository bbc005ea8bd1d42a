/** PNG: chunks before the picture, and those after it when they are near. */
import { u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import type { FormatReader } from '../media.ts';
import type { Exif } from './exif.ts';
import { readSafely } from './jpeg.ts';
import { pictureMedia } from './picture.ts';

const mostChunks = 500;
const exifBytes = 256 * 1024;

export const readPng: FormatReader = async (source) => {
  const head = await source.read(8, Math.min(25, source.size - 8));
  if (head.length < 25) throw truncated('The picture ends inside of its headers.');
  if (ascii(head, 4, 4) !== 'IHDR') throw malformed('The picture begins without its size.');
  let exif: Exif | undefined;
  for (let at = 33, count = 0; at + 8 <= source.size && count < mostChunks; count++) {
    const chunk = await source.read(at, 8);
    const length = u32(chunk, 0);
    const name = ascii(chunk, 4, 4);
    if (name === 'IEND' || name === 'IDAT') break;
    if (at + 12 + length > source.size) throw truncated('The picture ends inside of its headers.');
    if (name === 'eXIf' && length <= exifBytes)
      exif = readSafely(await source.read(at + 8, length));
    at += 12 + length;
  }
  return pictureMedia({
    container: 'png',
    width: u32(head, 8),
    height: u32(head, 12),
    bitDepth: u8(head, 16),
    rotation: exif?.rotation,
    tags: exif?.tags,
  });
};
