/**
 * The Lanczos filter of the `resize` crate in WebAssembly. It takes some forty bytes for each pixel, so a
 * large picture is scaled in bands: first all rows to the new width, then all columns to the new height.
 */
import bytes from '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm';
import type { Pixels } from './pixels.ts';
import { createModule, exportsOf } from './wasm.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What the module of `wasm-bindgen` exports. */
interface ResizeExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __wbindgen_malloc: (length: number, align: number) => number;
  readonly __wbindgen_free: (at: number, length: number, align: number) => void;
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
const maxBandPixels = 500_000;

/** Returns the pixels in the size `target`. */
export function lanczos(pixels: Pixels, target: Size): Pixels {
  if (pixels.width === target.width && pixels.height === target.height) return pixels;
  // An instance for one picture, since its memory never shrinks.
  const wasm = exportsOf<ResizeExports>(new WebAssembly.Instance(moduleOf(), { wbg: {} }));
  if (pixels.width * pixels.height <= maxBandPixels) return scale(wasm, pixels, target);
  return scaleColumns(wasm, scaleRows(wasm, pixels, target.width), target.height);
}

function scaleRows(wasm: ResizeExports, { width, height, data }: Pixels, toWidth: number): Pixels {
  const made = new Uint8Array(toWidth * height * 4);
  const rows = Math.max(1, Math.floor(maxBandPixels / width));
  for (let y = 0; y < height; y += rows) {
    const count = Math.min(rows, height - y);
    const band = {
      width,
      height: count,
      data: data.subarray(y * width * 4, (y + count) * width * 4),
    };
    made.set(scale(wasm, band, { width: toWidth, height: count }).data, y * toWidth * 4);
  }
  return { width: toWidth, height, data: made };
}

function scaleColumns(wasm: ResizeExports, source: Pixels, toHeight: number): Pixels {
  const { width, height } = source;
  const made = { width, height: toHeight, data: new Uint8Array(width * toHeight * 4) };
  const columns = Math.max(1, Math.floor(maxBandPixels / height));
  for (let x = 0; x < width; x += columns) {
    const count = Math.min(columns, width - x);
    const band = { width: count, height, data: new Uint8Array(count * height * 4) };
    copyColumns({ from: source, x, to: band, toX: 0, count });
    const scaled = scale(wasm, band, { width: count, height: toHeight });
    copyColumns({ from: scaled, x: 0, to: made, toX: x, count });
  }
  return made;
}

function copyColumns({
  from,
  x,
  to,
  toX,
  count,
}: {
  readonly from: Pixels;
  readonly x: number;
  readonly to: Pixels;
  readonly toX: number;
  readonly count: number;
}): void {
  for (let y = 0; y < from.height; y++) {
    const start = (y * from.width + x) * 4;
    to.data.set(from.data.subarray(start, start + count * 4), (y * to.width + toX) * 4);
  }
}

function scale(wasm: ResizeExports, pixels: Pixels, { width, height }: Size): Pixels {
  if (pixels.width === width && pixels.height === height) return pixels;
  const { data } = pixels;
  const result = wasm.__wbindgen_add_to_stack_pointer(-16);
  const at = wasm.__wbindgen_malloc(data.length, 1);
  new Uint8Array(wasm.memory.buffer, at, data.length).set(data);
  const from = [result, at, data.length, pixels.width, pixels.height] as const;
  wasm.resize(...from, width, height, lanczos3, 1, 0);
  const answer = new DataView(wasm.memory.buffer);
  const start = answer.getUint32(result, true);
  const length = answer.getUint32(result + 4, true);
  const made = new Uint8Array(wasm.memory.buffer, start, length).slice();
  wasm.__wbindgen_free(start, length, 1);
  wasm.__wbindgen_add_to_stack_pointer(16);
  return { width, height, data: made };
}
