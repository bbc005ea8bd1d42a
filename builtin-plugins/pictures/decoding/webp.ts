/** WebP with libwebp; of an animation the first frame (RFC 9649). */
import bytes from '@cwasm/webp/webp.wasm';
import { checkFullSize } from '../limits.ts';
import { malformed, truncated } from '../picture-error.ts';
import { orientationOf } from '../orientation.ts';
import type { Orientation, Pixels } from '../pixels.ts';
import { copyIn, bytesAt, createModule, exportsOf, noSystem, type CExports } from '../wasm.ts';
import type { OpenFormat } from './decoder.ts';
import type { Size } from '../resize.ts';

interface WebpExports extends CExports {
  readonly WebPDecodeRGBA: (at: number, length: number, width: number, height: number) => number;
}

interface Chunk {
  readonly name: string;
  readonly body: Uint8Array;
  /** With its header and its padding. */
  readonly whole: Uint8Array;
}

interface WebpFile {
  readonly size: Size;
  readonly orientation: Orientation;
  /** A file with one frame. */
  readonly still: Uint8Array;
}

const moduleOf = createModule(bytes);
const maxChunks = 10_000;
const frameHeader = 16;

/** Reads the headers of a WebP. */
export const openWebp: OpenFormat = (bytes) => {
  const { size, orientation, still } = readFile(bytes);
  checkFullSize(size.width, size.height);
  return { size, orientation, decode: () => decodeStill(still, size) };
};

function readFile(bytes: Uint8Array): WebpFile {
  const chunks = [...chunksOf(bytes.subarray(12))];
  const frame = chunks.find(({ name }) => name === 'ANMF');
  const exif = chunks.find(({ name }) => name === 'EXIF');
  const parts = frame === undefined ? chunks : [...chunksOf(frame.body.subarray(frameHeader))];
  const picture = parts.find(({ name }) => name === 'VP8 ' || name === 'VP8L');
  if (picture === undefined) throw truncated('The picture ends inside of its headers.');
  const size = sizeOf(picture);
  const alpha = parts.find(({ name }) => name === 'ALPH');
  const still = toFile(picture, alpha, size);
  return { size, orientation: exif ? orientationOf(exif.body) : 1, still };
}

function* chunksOf(bytes: Uint8Array): Generator<Chunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0, count = 0; at + 8 <= bytes.length && count < maxChunks; count++) {
    const length = view.getUint32(at + 4, true);
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const end = at + 8 + length + (length & 1);
    yield { name, body: bytes.subarray(at + 8, at + 8 + length), whole: bytes.subarray(at, end) };
    at = end;
  }
}

/** The size in the frame header of VP8 (RFC 6386, 9.1) or VP8L. */
function sizeOf({ name, body }: Chunk): Size {
  if (body.length < 10) throw truncated('The picture ends inside of its headers.');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (name === 'VP8L') {
    const bits = view.getUint32(1, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

/** A file of the frame alone; the header VP8X is needed when its alpha is apart. */
function toFile(picture: Chunk, alpha: Chunk | undefined, { width, height }: Size): Uint8Array {
  const parts = alpha === undefined ? [picture.whole] : [alpha.whole, picture.whole];
  const extended = alpha === undefined ? 0 : 18;
  const length = 12 + extended + parts.reduce((sum, part) => sum + part.length, 0);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  file.set([0x52, 0x49, 0x46, 0x46]);
  view.setUint32(4, length - 8, true);
  file.set([0x57, 0x45, 0x42, 0x50], 8);
  if (alpha !== undefined) {
    file.set([0x56, 0x50, 0x38, 0x58, 10, 0, 0, 0, 0x10], 12);
    view.setUint16(24, (width - 1) & 0xffff, true);
    view.setUint16(27, (height - 1) & 0xffff, true);
  }
  let at = 12 + extended;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

function decodeStill(still: Uint8Array, { width, height }: Size): Pixels {
  const webp = exportsOf<WebpExports>(
    new WebAssembly.Instance(moduleOf(), { wasi_snapshot_preview1: noSystem }),
  );
  const at = copyIn(webp, still);
  const size = webp.malloc(8);
  const to = webp.WebPDecodeRGBA(at, still.length, size, size + 4);
  if (to === 0) throw malformed('The picture is damaged, ends too early or needs too much memory.');
  return { width, height, data: bytesAt(webp, to, width * height * 4) };
}
