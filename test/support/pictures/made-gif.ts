/** GIF files of the four areas, written by hand without compression. */
import { fourAreas } from './drawn.ts';

/** A frame: where it stands, and whether its rows are interlaced. */
export interface GifFrame {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced?: boolean;
  /** Turns the four areas into their opposites, to tell frames apart. */
  readonly isReversed?: boolean;
}

const colours = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
const [clear, end] = [4, 5];

/** A file with these frames on a canvas. */
export function makeGif(
  width: number,
  height: number,
  frames: readonly GifFrame[] = [{ width, height }],
  version = 'GIF89a',
): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width);
  screen.writeUInt16LE(height, 2);
  screen[4] = 0x81;
  return Buffer.concat([
    Buffer.from(version, 'latin1'),
    screen,
    Buffer.from(colours),
    ...frames.flatMap((frame) => [control, frameOf(frame)]),
    Buffer.from([0x3b]),
  ]);
}

const control = Buffer.from([0x21, 0xf9, 4, 4, 10, 0, 0, 0]);

function frameOf({ x = 0, y = 0, width, height, isInterlaced = false, isReversed }: GifFrame) {
  const head = Buffer.alloc(10);
  head[0] = 0x2c;
  for (const [at, value] of [x, y, width, height].entries()) head.writeUInt16LE(value, 1 + at * 2);
  head[9] = isInterlaced ? 0x40 : 0;
  const draw = fourAreas(width, height);
  const indexes: number[] = [];
  for (const row of rowsOf(height, isInterlaced)) {
    for (let column = 0; column < width; column++) {
      const [red, green] = draw(column, row);
      const index = red === 0 ? (green === 0 ? 2 : 1) : green === 0 ? 0 : 3;
      indexes.push(isReversed === true ? 3 - index : index);
    }
  }
  return Buffer.concat([head, Buffer.from([2]), blocksOf(packed(indexes))]);
}

function rowsOf(height: number, isInterlaced: boolean): readonly number[] {
  const all = Array.from({ length: height }, (_, row) => row);
  if (!isInterlaced) return all;
  const passes = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const;
  return passes.flatMap(([from, step]) =>
    all.filter((row) => row >= from && (row - from) % step === 0),
  );
}

/** Codes of three bits; the table is cleared before it would need four. */
function packed(indexes: readonly number[]): Buffer {
  const codes = indexes.flatMap((index, at) => (at % 2 === 0 ? [clear, index] : [index]));
  codes.push(end);
  const bytes = Buffer.alloc(Math.ceil((codes.length * 3) / 8));
  for (const [at, code] of codes.entries()) {
    for (let bit = 0; bit < 3; bit++) {
      const place = at * 3 + bit;
      if ((code >> bit) & 1) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7));
    }
  }
  return bytes;
}

function blocksOf(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}
