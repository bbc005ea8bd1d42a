/**
 * Scaling in two steps: means of whole blocks of pixels, row by row, and then the Lanczos filter of
 * the `resize` crate in WebAssembly for what is left of the factor.
 */
import bytes from '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm';
import { maxFullPixels } from './limits.ts';
import type { Pixels } from './pixels.ts';
import { createModule, exportsOf } from './wasm.ts';

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a picture of `source` that is `width` wide, or as wide as the source at most. */
export function fitWidth(source: Size, width: number): Size {
  if (source.width <= width) return { width: source.width, height: source.height };
  return { width, height: Math.max(1, Math.round((source.height * width) / source.width)) };
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
export interface RowReducer {
  /** The next row, four bytes a pixel. */
  readonly push: (row: Uint8Array) => void;
  /** The rows so far. An incomplete block at the end is the mean of what is there. */
  readonly finish: () => Pixels;
}

/** Creates it for a picture of this size; each result pixel is the mean of `side` x `side` pixels. */
export function createRowReducer(source: Size, side: number): RowReducer {
  const width = Math.ceil(source.width / side);
  const height = Math.ceil(source.height / side);
  const data = new Uint8Array(width * height * 4);
  const sums = new Float64Array(side === 1 ? 0 : width * 4);
  const counts = new Uint32Array(side === 1 ? 0 : width);
  let rows = 0;

  function add(row: Uint8Array): void {
    for (let x = 0, at = 0; x < source.width; x++, at += 4) {
      const block = Math.floor(x / side);
      const alpha = row[at + 3] ?? 0;
      const sum = block * 4;
      sums[sum] = (sums[sum] ?? 0) + (row[at] ?? 0) * alpha;
      sums[sum + 1] = (sums[sum + 1] ?? 0) + (row[at + 1] ?? 0) * alpha;
      sums[sum + 2] = (sums[sum + 2] ?? 0) + (row[at + 2] ?? 0) * alpha;
      sums[sum + 3] = (sums[sum + 3] ?? 0) + alpha;
      counts[block] = (counts[block] ?? 0) + 1;
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
    push: (row) => {
      if (rows >= source.height) return;
      if (side === 1) data.set(row.subarray(0, width * 4), rows * width * 4);
      else add(row);
      rows += 1;
      if (side > 1 && (rows % side === 0 || rows === source.height)) {
        flush(Math.floor((rows - 1) / side));
      }
    },
    finish: () => {
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

/** What the module of `wasm-bindgen` exports. */
interface ResizeExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __wbindgen_malloc: (length: number, align: number) => number;
  readonly __wbindgen_add_to_stack_pointer: (change: number) => number;
  readonly resize: (
    result: number,
    at: number,
    length: number,
    width: number,
    height: number,
    toWidth: number,
    toHeight: number,
    filter: number,
    premultiply: number,
    linear: number,
  ) => void;
}

const moduleOf = createModule(bytes);
const lanczos3 = 3;

/** An instance for one picture, since its memory never shrinks. */
function lanczos(pixels: Pixels, { width, height }: Size): Pixels {
  if (pixels.width === width && pixels.height === height) return pixels;
  const { data } = pixels;
  const wasm = exportsOf<ResizeExports>(new WebAssembly.Instance(moduleOf(), { wbg: {} }));
  const result = wasm.__wbindgen_add_to_stack_pointer(-16);
  const at = wasm.__wbindgen_malloc(data.length, 1);
  new Uint8Array(wasm.memory.buffer, at, data.length).set(data);
  const from = [result, at, data.length, pixels.width, pixels.height] as const;
  wasm.resize(...from, width, height, lanczos3, 1, 0);
  const answer = new DataView(wasm.memory.buffer);
  const start = answer.getUint32(result, true);
  const length = answer.getUint32(result + 4, true);
  return { width, height, data: new Uint8Array(wasm.memory.buffer, start, length).slice() };
}
