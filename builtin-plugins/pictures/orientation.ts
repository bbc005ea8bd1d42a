/** The orientation in EXIF data: a TIFF whose first directory has the tag 0x0112. */
import type { Orientation } from './pixels.ts';

const orientationTag = 0x0112;
const maxEntries = 200;

/** Reads it; upright when the data has none or is damaged. */
export function orientationOf(exif: Uint8Array): Orientation {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  if (view.byteLength < 14) return 1;
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return 1;
  const isLittle = order === 0x4949;
  const start = view.getUint32(4, isLittle);
  if (start + 2 > view.byteLength) return 1;
  const count = Math.min(view.getUint16(start, isLittle), maxEntries);
  for (let entry = start + 2; entry < start + 2 + count * 12; entry += 12) {
    if (entry + 12 > view.byteLength) return 1;
    if (view.getUint16(entry, isLittle) === orientationTag) {
      return toOrientation(view.getUint16(entry + 8, isLittle));
    }
  }
  return 1;
}

const all: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

const toOrientation = (value: number): Orientation =>
  all.find((orientation) => orientation === value) ?? 1;
