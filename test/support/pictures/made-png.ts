/** PNG files of every layout (ISO/IEC 15948), written by hand: also those that lie. */
import { crc32, deflateSync } from 'node:zlib';
import { fourAreas, type Drawing } from './drawn.ts';

/** What the file is to be like. */
export interface PngForm {
  readonly width?: number;
  readonly height?: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  readonly colour?: number;
  readonly depth?: number;
  readonly isInterlaced?: boolean;
  /** The filter of every row, 0 to 4. */
  readonly filter?: number;
  readonly draw?: Drawing;
  /** Chunks between the header and the pixels. */
  readonly before?: readonly Buffer[];
  /** Chunks behind the pixels. */
  readonly after?: readonly Buffer[];
  /** Rows that are there; the header still says `height`. */
  readonly rows?: number;
}

export const pngStart: Buffer = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A chunk with its length and its sum. */
export function pngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export function pngHeader(
  width: number,
  height: number,
  { colour = 6, depth = 8, isInterlaced = false }: PngForm = {},
): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width);
  body.writeUInt32BE(height, 4);
  body.set([depth, colour, 0, 0, isInterlaced ? 1 : 0], 8);
  return pngChunk('IHDR', body);
}

const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const whole = [[0, 0, 1, 1]] as const;

/** The unpacked rows of all passes, with their filters. */
export function pngRows(form: PngForm): Buffer[] {
  const { width = 64, height = 48, rows = height, draw = fourAreas(width, height) } = form;
  const made: Buffer[] = [];
  for (const [x0, y0, dx, dy] of form.isInterlaced === true ? passes : whole) {
    const xs = Array.from({ length: Math.ceil((width - x0) / dx) }, (_, at) => x0 + at * dx);
    let above: Buffer | null = null;
    for (let y = y0; y < rows && xs.length > 0; y += dy) {
      const row = samplesOf(xs, y, { ...form, draw });
      made.push(filtered(row, above, form));
      above = row;
    }
  }
  return made;
}

/** The samples of one row, packed into bytes. */
function samplesOf(
  xs: readonly number[],
  y: number,
  { colour = 6, depth = 8, draw = fourAreas(64, 48) }: PngForm,
): Buffer {
  const values = xs.flatMap((x) => {
    const [red, green, blue, alpha] = draw(x, y);
    if (colour === 3) return [red === 0 ? (green === 0 ? 2 : 1) : green === 0 ? 0 : 3];
    const grey = [Math.round((red + green + blue) / 3)];
    const colours = colour === 2 || colour === 6 ? [red, green, blue] : grey;
    return colour >= 4 ? [...colours, alpha] : colours;
  });
  if (depth === 16) return Buffer.from(values.flatMap((value) => [value, value]));
  if (depth === 8) return Buffer.from(values);
  const bytes = Buffer.alloc(Math.ceil((values.length * depth) / 8));
  for (const [at, value] of values.entries()) {
    const sample = colour === 3 ? value : value >> (8 - depth);
    const bit = at * depth;
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (sample << (8 - depth - (bit & 7)));
  }
  return bytes;
}

const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function filtered(row: Buffer, above: Buffer | null, form: PngForm): Buffer {
  const { filter = 0, colour = 6, depth = 8 } = form;
  const step = Math.max(1, ((samples[colour] ?? 1) * depth) >> 3);
  const stored = Buffer.alloc(row.length + 1);
  stored[0] = filter;
  for (let at = 0; at < row.length; at++) {
    const left = at < step ? 0 : (row[at - step] ?? 0);
    const up = above?.[at] ?? 0;
    const corner = at < step ? 0 : (above?.[at - step] ?? 0);
    stored[at + 1] = (row[at] ?? 0) - guess(filter, left, up, corner);
  }
  return stored;
}

function guess(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const whole = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) => Math.abs(whole - one));
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner;
}

/** The palette of the four areas. */
export const palette: Buffer = pngChunk(
  'PLTE',
  Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]),
);

/** A whole file. */
export function makePng(form: PngForm = {}): Buffer {
  const { width = 64, height = 48, before = [], after = [] } = form;
  return Buffer.concat([
    pngStart,
    pngHeader(width, height, form),
    ...(form.colour === 3 ? [palette] : []),
    ...before,
    pngChunk('IDAT', deflateSync(Buffer.concat(pngRows(form)))),
    ...after,
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
