/**
 * Scaling in two steps: means of whole blocks of pixels, row by row, and then the Lanczos filter for
 * what is left of the factor.
 */
import { maxFullPixels, maxMadeHeight, maxMadePixels } from './limits.ts';
import { lanczos } from './lanczos.ts';
import type { Pixels } from './pixels.ts';

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of a picture of `source` that is `width` wide, or as wide as the source at most. A very high
 * one becomes narrower: it has at most `maxMadePixels` and `maxMadeHeight`.
 */
export function fitWidth(source: Size, width: number): Size {
  const byArea = Math.sqrt(maxMadePixels / (source.width * source.height));
  const factor = Math.min(1, width / source.width, byArea, maxMadeHeight / source.height);
  return {
    width: Math.max(1, Math.round(source.width * factor)),
    height: Math.max(1, Math.round(source.height * factor)),
  };
}

/** The step below which Lanczos alone does the work. */
const minStep = 1.5;

/**
 * How many pixels a side go into one block, so that `target` can still be made sharp, and the result
 * has at most `maxFullPixels`.
 */
export function blockSide(source: Size, target: Size): number {
  const ratio = Math.min(source.width / target.width, source.height / target.height);
  const needed = Math.ceil(Math.sqrt((source.width * source.height) / maxFullPixels));
  return Math.max(1, Math.floor(ratio / minStep), needed);
}

/** Reduces rows as they come. */
export type RowReducer = ReturnType<typeof createRowReducer>;

/** Rows of one block that count, where it has more: the others would not change what is seen. */
const rowsOfBlock = 4;

/** Creates it for a picture of this size; each result pixel is the mean of `side` x `side` pixels. */
export function createRowReducer(source: Size, side: number) {
  const width = Math.ceil(source.width / side);
  const height = Math.ceil(source.height / side);
  const data = new Uint8Array(width * height * 4);
  const sums = new Float64Array(side === 1 ? 0 : width * 4);
  const counts = new Uint32Array(side === 1 ? 0 : width);
  const step = Math.max(1, Math.floor(side / rowsOfBlock));
  let rows = 0;
  /** Whether the next row counts; of one that does not, any bytes may be pushed. */
  const wants = (): boolean => (rows % side) % step === 0;

  /** Adds one row: the colours of a block count as much as their alpha. */
  function add(row: Uint8Array): void {
    for (let block = 0, at = 0; block < width; block++) {
      const end = Math.min((block + 1) * side, source.width) * 4;
      let [red, green, blue, sum] = [0, 0, 0, 0];
      counts[block] = (counts[block] ?? 0) + (end - at) / 4;
      for (; at < end; at += 4) {
        const alpha = row[at + 3] ?? 0;
        red += (row[at] ?? 0) * alpha;
        green += (row[at + 1] ?? 0) * alpha;
        blue += (row[at + 2] ?? 0) * alpha;
        sum += alpha;
      }
      const to = block * 4;
      sums[to] = (sums[to] ?? 0) + red;
      sums[to + 1] = (sums[to + 1] ?? 0) + green;
      sums[to + 2] = (sums[to + 2] ?? 0) + blue;
      sums[to + 3] = (sums[to + 3] ?? 0) + sum;
    }
  }

  function flush(y: number): void {
    for (let block = 0; block < width; block++) {
      const [sum, to] = [block * 4, (y * width + block) * 4];
      const alpha = sums[sum + 3] ?? 0;
      const divisor = alpha === 0 ? 1 : alpha;
      for (let channel = 0; channel < 3; channel++) {
        data[to + channel] = Math.round((sums[sum + channel] ?? 0) / divisor);
      }
      data[to + 3] = Math.round(alpha / Math.max(1, counts[block] ?? 1));
    }
    sums.fill(0);
    counts.fill(0);
  }

  return {
    wants,
    /** The next row, four bytes a pixel. */
    push: (row: Uint8Array): void => {
      if (rows >= source.height) return;
      if (side === 1) data.set(row.subarray(0, width * 4), rows * width * 4);
      else if (wants()) add(row);
      rows += 1;
      if (side > 1 && (rows % side === 0 || rows === source.height)) {
        flush(Math.floor((rows - 1) / side));
      }
    },
    /** The rows so far. An incomplete block at the end is the mean of what is there. */
    finish: (): Pixels => {
      if (side > 1 && rows % side !== 0 && rows < source.height) flush(Math.floor(rows / side));
      return { width, height, data };
    },
  };
}

/** Returns the pixels in the size `target`, which is not larger. */
export function resize(pixels: Pixels, target: Size): Pixels {
  const side = blockSide(pixels, target);
  return lanczos(side === 1 ? pixels : reduce(pixels, side), target);
}

function reduce(pixels: Pixels, side: number): Pixels {
  const reducer = createRowReducer(pixels, side);
  const row = pixels.width * 4;
  for (let y = 0; y < pixels.height; y++) {
    reducer.push(pixels.data.subarray(y * row, (y + 1) * row));
  }
  return reducer.finish();
}
