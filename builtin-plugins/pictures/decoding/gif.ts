/** GIF with libnsgif: the first frame. */
import bytes from '@cwasm/nsgif/nsgif.wasm';
import { checkFullSize } from '../limits.ts';
import { malformed, truncated } from '../picture-error.ts';
import type { Pixels } from '../pixels.ts';
import { copyIn, bytesAt, createModule, exportsOf, noSystem, type CExports } from '../wasm.ts';
import type { OpenFormat } from './decoder.ts';
import { countPixels } from './gif-pixels.ts';

interface NsGif extends CExports {
  readonly decode_gif: (
    to: number,
    width: number,
    height: number,
    at: number,
    length: number,
  ) => number;
}

const moduleOf = createModule(bytes);
const headerBytes = 13;
const [extension, image, trailer] = [0x21, 0x2c, 0x3b];

/** Reads the headers of a GIF up to its first frame. */
export const openGif: OpenFormat = (bytes) => {
  if (bytes.length < headerBytes) throw truncated('The picture ends inside of its headers.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  checkFullSize(size.width, size.height);
  const still = firstFrame(bytes, view);
  return { size, orientation: 1, decode: () => decodeGif(still, size) };
};

/** The file up to the end of the first frame, so that an animation costs what one picture costs. */
function firstFrame(bytes: Uint8Array, view: DataView): Uint8Array {
  let at = headerBytes + tableBytes(bytes[10] ?? 0);
  while (bytes[at] === extension) at = afterBlocks(bytes, at + 2);
  if (bytes[at] !== image || at + 10 > bytes.length) throw truncated('The picture has no frame.');
  const [x, y, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true));
  // The decoder enlarges the picture to the frame.
  checkFullSize((x ?? 0) + (width ?? 0), (y ?? 0) + (height ?? 0));
  const codes = at + 10 + tableBytes(bytes[at + 9] ?? 0);
  const end = afterBlocks(bytes, codes + 1);
  if (end === bytes.length && bytes[end - 1] !== 0) {
    const pixels = countPixels(blocksOf(bytes, codes + 1), Math.min(8, bytes[codes] ?? 0));
    if (pixels * 2 < (width ?? 0) * (height ?? 0)) {
      throw truncated('Less than half of the picture could be decoded.');
    }
  }
  const still = new Uint8Array(end + 1);
  still.set(bytes.subarray(0, end));
  still[end] = trailer;
  return still;
}

/** The bytes of the colour table that the flags announce. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** The place after a series of blocks, of which each begins with its length and the last is empty. */
function afterBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1;
  return Math.min(bytes.length, at + 1);
}

/** What is in a series of blocks. */
function blocksOf(bytes: Uint8Array, start: number): Uint8Array {
  const content = new Uint8Array(bytes.length - start);
  let length = 0;
  for (let at = start; at < bytes.length && bytes[at] !== 0; at += (bytes[at] ?? 0) + 1) {
    const block = bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0));
    content.set(block, length);
    length += block.length;
  }
  return content.subarray(0, length);
}

function decodeGif(
  still: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Pixels {
  const gif = exportsOf<NsGif>(
    new WebAssembly.Instance(moduleOf(), { wasi_snapshot_preview1: noSystem }),
  );
  const at = copyIn(gif, still);
  const result = gif.malloc(12);
  if (gif.decode_gif(result, result + 4, result + 8, at, still.length) !== 0) {
    throw malformed('The picture is damaged, ends too early or needs too much memory.');
  }
  const answer = new DataView(gif.memory.buffer);
  const [to, width, height] = [0, 4, 8].map((offset) => answer.getUint32(result + offset, true));
  checkFullSize(width ?? 0, height ?? 0);
  const pixels = { width: width ?? 0, height: height ?? 0 };
  if (pixels.width < size.width) throw malformed('The picture is damaged.');
  return { ...pixels, data: bytesAt(gif, to ?? 0, pixels.width * pixels.height * 4) };
}
