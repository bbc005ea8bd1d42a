/**
 * PNG (ISO/IEC 15948), row by row, so that a large picture is reduced while it is unpacked. An
 * interlaced picture is decoded at full size.
 */
import { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, zlibInflate, zlibInflateInit2, ZStream } from 'pako';
import { checkFullSize, checkRowBytes, checkSize } from '../limits.ts';
import { malformed, truncated } from '../picture-error.ts';
import type { Orientation, Pixels } from '../pixels.ts';
import { orientationOf } from '../orientation.ts';
import { blockSide, createRowReducer, type Size } from '../resize.ts';
import type { OpenFormat } from './decoder.ts';
import { bitsPerPixel, isLayout, toColours, type PngLayout } from './png-colours.ts';
import { createUnfilter } from './png-filter.ts';

interface PngFile extends PngLayout {
  readonly isInterlaced: boolean;
  readonly orientation: Orientation;
  readonly data: readonly Uint8Array[];
}

/** The seven passes of Adam7: first column and row, and the steps. */
const passes: readonly (readonly [x: number, y: number, dx: number, dy: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/** Reads the headers of a PNG. */
export const openPng: OpenFormat = (bytes) => {
  const file = readChunks(bytes);
  const check = file.isInterlaced ? checkFullSize : checkSize;
  check(file.width, file.height);
  return {
    size: { width: file.width, height: file.height },
    orientation: file.orientation,
    decode: (target) => (file.isInterlaced ? decodeInterlaced(file) : decodeRows(file, target)),
  };
};

function readChunks(bytes: Uint8Array): PngFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33) throw truncated('The picture ends inside of its headers.');
  const [width, height, depth, colour] = [
    view.getUint32(16),
    view.getUint32(20),
    view.getUint8(24),
    view.getUint8(25),
  ];
  if (!isLayout(colour, depth)) throw malformed('The header of the picture is damaged.');
  const data: Uint8Array[] = [];
  let palette: Uint8Array | null = null;
  let transparency: Uint8Array | null = null;
  let orientation: Orientation = 1;
  for (let at = 33; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    const name = view.getUint32(at + 4);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (name === 0x49444154) data.push(body);
    else if (name === 0x504c5445) palette = body;
    else if (name === 0x74524e53) transparency = body;
    else if (name === 0x65584966) orientation = orientationOf(body);
    else if (name === 0x49454e44) break;
    at += 12 + length;
  }
  if (colour === 3 && palette === null) throw malformed('The picture has no palette.');
  const isInterlaced = view.getUint8(28) === 1;
  return { width, height, depth, colour, palette, transparency, isInterlaced, orientation, data };
}

function decodeRows(file: PngFile, target: Size): Pixels {
  const { width, height } = file;
  checkRowBytes(Math.ceil((width * bitsPerPixel(file)) / 8) * height);
  const reducer = createRowReducer(file, blockSide(file, target));
  const row = new Uint8Array(width * 4);
  const convert = toColours(file, width);
  let rows = 0;
  inflateRows(file, [{ width, height }], (bytes) => {
    if (reducer.wants()) convert(bytes, row);
    reducer.push(row);
    rows += 1;
  });
  if (rows * 2 < height) throw truncated('Less than half of the picture could be decoded.');
  return reducer.finish();
}

function decodeInterlaced(file: PngFile): Pixels {
  const { width, height } = file;
  const data = new Uint8Array(width * height * 4);
  const sizes = passes.map(([x, y, dx, dy]) => ({
    width: Math.max(0, Math.ceil((width - x) / dx)),
    height: Math.max(0, Math.ceil((height - y) / dy)),
  }));
  const converters = sizes.map((size) => toColours(file, size.width));
  const row = new Uint8Array(width * 4);
  const from = new Uint32Array(row.buffer);
  const to = new Uint32Array(data.buffer);
  let done = 0;
  let lastRows = 0;
  inflateRows(file, sizes, (bytes, pass, y) => {
    const [x0, y0, dx, dy] = passes[pass] ?? [0, 0, 1, 1];
    converters[pass]?.(bytes, row);
    const start = (y0 + y * dy) * width + x0;
    const count = sizes[pass]?.width ?? 0;
    for (let x = 0; x < count; x++) to[start + x * dx] = from[x] ?? 0;
    done += count;
    if (pass === passes.length - 1) lastRows += 1;
  });
  if (done * 2 < width * height) {
    throw truncated('Less than half of the picture could be decoded.');
  }
  // The last pass is every second row; what is missing of it looks like the row above.
  for (let y = 1 + 2 * lastRows; y < height; y += 2) {
    to.copyWithin(y * width, (y - 1) * width, y * width);
  }
  return { width, height, data };
}

/** Unpacks the rows of all passes. It stops at the last row, at the end of the data or at the first damage. */
function inflateRows(
  file: PngFile,
  sizes: readonly Size[],
  onRow: (bytes: Uint8Array, pass: number, y: number) => void,
): void {
  let pass = 0;
  let y = 0;
  const unfilter = createUnfilter(file);
  const next = () => {
    while (pass < sizes.length && isEmpty(sizes[pass])) pass += 1;
    unfilter.begin(sizes[pass]?.width ?? 0);
  };
  next();
  inflate(file.data, (chunk) => {
    for (let at = 0; at < chunk.length && pass < sizes.length;) {
      const [taken, row] = unfilter.take(chunk, at);
      at += taken;
      if (row === null) continue;
      onRow(row, pass, y);
      y += 1;
      if (y === sizes[pass]?.height) {
        [pass, y] = [pass + 1, 0];
        next();
      }
    }
    return pass < sizes.length;
  });
}

const isEmpty = (size: Size | undefined): boolean => size?.width === 0 || size?.height === 0;

const zlibHeader = 2;
/** Without the header and the checksum of zlib: rows before damage are good. */
const rawWindow = -15;
const outputBytes = 64 * 1024;

/**
 * Unpacks the data through one buffer, so that it leaves no garbage, however much it unpacks to. It ends at
 * damage, and when the next piece is not wanted. A piece is gone when the next one comes.
 */
function inflate(data: readonly Uint8Array[], onPiece: (piece: Uint8Array) => boolean): void {
  const output = new Uint8Array(outputBytes);
  const stream = new ZStream();
  zlibInflateInit2(stream, rawWindow);
  let skip = zlibHeader;
  for (const part of data) {
    const input = part.subarray(skip);
    skip -= Math.min(skip, part.length);
    Object.assign(stream, { input, next_in: 0, avail_in: input.length, avail_out: 0 });
    while (stream.avail_in > 0 || stream.avail_out === 0) {
      Object.assign(stream, { output, next_out: 0, avail_out: output.length });
      const status = zlibInflate(stream, Z_NO_FLUSH);
      if (stream.next_out > 0 && !onPiece(output.subarray(0, stream.next_out))) return;
      // The next part has more.
      if (status === Z_BUF_ERROR) break;
      if (status !== Z_OK) return;
    }
  }
}
