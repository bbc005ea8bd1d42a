/** What one picture may cost. A header beyond a limit is refused before anything is decoded. */
import { malformed, overBudget } from './picture-error.ts';

/** The longest side, in pixels. */
const maxSide = 30_000;
/** Pixels of a picture that is reduced while it is decoded (JPEG, PNG). */
const maxPixels = 100_000_000;
/** Pixels that are decoded at full size, with four bytes each. */
export const maxFullPixels = 12_600_000;
export const maxMadePixels = 3_000_000;
/** The height of what is made; WebP has at most 16,383 rows. */
export const maxMadeHeight = 16_000;
/** Bytes that the rows of a PNG may have: some two seconds of work. */
const maxRowBytes = 300_000_000;
/** Refuses a picture without area, or one that is too large for any decoder. */
export function checkSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw malformed('The picture has no pixels.');
  if (width > maxSide || height > maxSide || width * height > maxPixels) {
    throw overBudget(
      `The picture has ${width} x ${height} pixels; at most ${maxSide} a side and 100 million are decoded.`,
    );
  }
}

/** Refuses a picture whose format can only be decoded at full size and is too large for that. */
export function checkFullSize(width: number, height: number): void {
  checkSize(width, height);
  if (width * height > maxFullPixels) {
    throw overBudget(
      `The picture has ${width} x ${height} pixels; in this format at most 12.6 million are decoded.`,
    );
  }
}

/** Refuses rows that take too long to unpack; the work is known before it begins. */
export function checkRowBytes(bytes: number): void {
  if (bytes > maxRowBytes) {
    throw overBudget(`The picture unpacks to ${bytes} bytes; at most ${maxRowBytes} are unpacked.`);
  }
}
