/** What a page shows while a picture loads: a colour, and a blurred copy in some 25 bytes. */
import { rgbaToThumbHash, thumbHashToAverageRGBA } from 'thumbhash';
import type { Pixels } from './pixels.ts';
import { resize } from './resize.ts';
import { toBase64 } from '../media-headers/bytes/base64-text.ts';

/** thumbhash takes at most this many pixels a side. */
const maxSide = 100;

/** `color` as `#rrggbb`, and `thumbhash` in base64 (https://evanw.github.io/thumbhash). */
export function summarize(pixels: Pixels): { readonly color: string; readonly thumbhash: string } {
  const factor = Math.min(1, maxSide / Math.max(pixels.width, pixels.height));
  const { width, height, data } = resize(pixels, {
    width: Math.max(1, Math.round(pixels.width * factor)),
    height: Math.max(1, Math.round(pixels.height * factor)),
  });
  const hash = rgbaToThumbHash(width, height, data);
  const { r, g, b } = thumbHashToAverageRGBA(hash);
  return { color: `#${hex(r)}${hex(g)}${hex(b)}`, thumbhash: toBase64(hash) };
}

const hex = (part: number): string =>
  Math.round(Math.min(1, Math.max(0, part)) * 255)
    .toString(16)
    .padStart(2, '0');
