/**
 * JPEG files (ITU-T T.81), written by hand: each block of 8 x 8 pixels has one colour, which needs the
 * mean of the block alone.
 */
import { fourAreas, type Drawing } from './drawn.ts';

/** How the colours are stored. */
export type JpegInks = 'grey' | 'ycc' | 'rgb' | 'cmyk';

/** What the file is to be like. */
export interface JpegForm {
  readonly width?: number;
  readonly height?: number;
  readonly inks?: JpegInks;
  /** The marker of the frame: 0xc0 baseline, 0xc1 extended, 0xc3 lossless, 0xc9 arithmetic. */
  readonly frame?: number;
  readonly bits?: number;
  readonly draw?: Drawing;
  /** Segments behind the start. */
  readonly before?: readonly Buffer[];
  /** What the header says, where it lies. */
  readonly stated?: { readonly width: number; readonly height: number };
}

/** A segment with its marker and its length. */
export function jpegSegment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** EXIF data with this orientation. */
export function exifOf(orientation: number): Buffer {
  const value = orientation.toString(16).padStart(4, '0');
  return Buffer.from(`4d4d002a0000000800010112000300000001${value}000000000000`, 'hex');
}

/** The segment that has EXIF data. */
export const exifSegment = (exif: Buffer): Buffer =>
  jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]));

const toInks: Readonly<Record<JpegInks, (r: number, g: number, b: number) => number[]>> = {
  grey: (r, g, b) => [(r + g + b) / 3],
  rgb: (r, g, b) => [r, g, b],
  ycc: (r, g, b) => [
    0.299 * r + 0.587 * g + 0.114 * b,
    128 - 0.168736 * r - 0.331264 * g + 0.5 * b,
    128 + 0.5 * r - 0.418688 * g - 0.081312 * b,
  ],
  // Adobe stores 255 for no ink.
  cmyk: (r, g, b) => [r, g, b, 255],
};

/** Adobe's segment: 0 = the colours are stored as they are. */
const adobe = jpegSegment(0xee, Buffer.from('41646f626500640000000000', 'hex'));
const quantities = jpegSegment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 1)]));
/** Twelve categories of four bits, and one code that ends a block. */
const codes = [
  jpegSegment(
    0xc4,
    Buffer.from([0, 0, 0, 0, 12, ...Array.from({ length: 12 }, () => 0), ...Array(12).keys()]),
  ),
  jpegSegment(0xc4, Buffer.from([0x10, 1, ...Array.from({ length: 15 }, () => 0), 0])),
];

/** A whole file. */
export function makeJpeg(form: JpegForm = {}): Buffer {
  const { width = 64, height = 48, inks = 'ycc', frame = 0xc0, bits = 8, before = [] } = form;
  const { stated = { width, height }, draw = fourAreas(width, height) } = form;
  const count = toInks[inks](0, 0, 0).length;
  const components = Array.from({ length: count }, (_, at) => [at + 1, 0x11, 0]).flat();
  const size = Buffer.alloc(5);
  size[0] = bits;
  size.writeUInt16BE(stated.height, 1);
  size.writeUInt16BE(stated.width, 3);
  const scan = Array.from({ length: count }, (_, at) => [at + 1, 0]).flat();
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...before,
    ...(inks === 'rgb' || inks === 'cmyk' ? [adobe] : []),
    quantities,
    ...codes,
    jpegSegment(frame, Buffer.concat([size, Buffer.from([count, ...components])])),
    jpegSegment(0xda, Buffer.from([count, ...scan, 0, 63, 0])),
    entropy({ width, height, inks, draw }),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function entropy({
  width,
  height,
  inks,
  draw,
}: Required<Pick<JpegForm, 'width' | 'height' | 'inks' | 'draw'>>) {
  const last = [0, 0, 0, 0];
  let bits = '';
  for (let y = 0; y < height; y += 8) {
    for (let x = 0; x < width; x += 8) {
      const [red, green, blue] = draw(Math.min(x + 4, width - 1), Math.min(y + 4, height - 1));
      for (const [at, value] of toInks[inks](red, green, blue).entries()) {
        const mean = Math.round((value - 128) * 8);
        bits += `${difference(mean - (last[at] ?? 0))}0`;
        last[at] = mean;
      }
    }
  }
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

/** The category in four bits, and the difference in as many bits as the category says. */
function difference(value: number): string {
  const category = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
  const code = category.toString(2).padStart(4, '0');
  if (category === 0) return code;
  const stored = value > 0 ? value : value + 2 ** category - 1;
  return code + stored.toString(2).padStart(category, '0');
}
