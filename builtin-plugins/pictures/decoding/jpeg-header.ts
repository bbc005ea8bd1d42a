/** The headers of a JPEG (ITU-T T.81, annex B): what must be known before it is decoded. */
import { malformed, truncated, unsupported } from '../picture-error.ts';
import { orientationOf } from '../orientation.ts';
import type { Orientation } from '../pixels.ts';

/** The headers. */
export interface JpegHeader {
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly isProgressive: boolean;
  /** Blocks of 8 x 8 coefficients, all components. */
  readonly blocks: number;
  /** Four components are inks: cyan, magenta, yellow, black. */
  readonly components: number;
  /** Scans, each of which passes over the picture once. */
  readonly scans: number;
}

type Frame = Pick<JpegHeader, 'width' | 'height' | 'isProgressive' | 'blocks' | 'components'>;

const maxSegments = 5000;
const startOfScan = 0xda;
const endOfImage = 0xd9;
const app1 = 0xe1;

/** Reads the headers of the whole file: the scans of a progressive picture follow each other. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frame: Frame | undefined;
  let orientation: Orientation = 1;
  let scans = 0;
  for (let at = 2, count = 0; at + 4 <= bytes.length && count < maxSegments; count++) {
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1] ?? 0;
    if (marker === endOfImage) break;
    if (isAlone(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (isFrame(marker)) frame ??= readFrame(view, at + 4, marker);
    if (marker === app1 && scans === 0) orientation = readApp1(bytes.subarray(at + 4, end));
    at = end;
    if (marker === startOfScan) {
      scans += 1;
      at = endOfScan(bytes, end);
    }
  }
  if (frame === undefined) throw truncated('The picture ends inside of its headers.');
  return { ...frame, orientation, scans };
}

/** Markers without a segment: fill bytes, TEM, restarts and the start of the image. */
const isAlone = (marker: number): boolean =>
  marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** SOF0 to SOF15, without DHT, JPG and DAC, which stand between them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readFrame(view: DataView, at: number, marker: number): Frame {
  if (at + 6 > view.byteLength) throw truncated('The picture ends inside of its headers.');
  if (![0xc0, 0xc1, 0xc2].includes(marker)) {
    throw unsupported(
      'Only baseline, extended and progressive JPEG with Huffman codes is decoded.',
    );
  }
  if (view.getUint8(at) !== 8) throw unsupported('Only JPEG with 8 bits a sample is decoded.');
  const height = view.getUint16(at + 1);
  const width = view.getUint16(at + 3);
  const components = view.getUint8(at + 5);
  if (at + 6 + components * 3 > view.byteLength) {
    throw truncated('The picture ends inside of its headers.');
  }
  const factors = Array.from({ length: components }, (_, index) =>
    view.getUint8(at + 7 + index * 3),
  );
  const isWrong = factors.some((factor) => (factor >> 4) * (factor & 15) === 0);
  if (isWrong || components === 0) throw malformed('The header of the picture is damaged.');
  return {
    width,
    height,
    components,
    isProgressive: marker === 0xc2,
    blocks: blocksOf({ width, height }, factors),
  };
}

function blocksOf(
  { width, height }: { readonly width: number; readonly height: number },
  factors: readonly number[],
): number {
  const across = Math.max(...factors.map((factor) => factor >> 4));
  const down = Math.max(...factors.map((factor) => factor & 15));
  const perUnit = factors.reduce((sum, factor) => sum + (factor >> 4) * (factor & 15), 0);
  return Math.ceil(width / (8 * across)) * Math.ceil(height / (8 * down)) * perUnit;
}

/** `Exif` and two zeros. */
const exifStart = [0x45, 0x78, 0x69, 0x66, 0, 0];

function readApp1(segment: Uint8Array): Orientation {
  const isExif = exifStart.every((byte, at) => segment[at] === byte);
  return isExif ? orientationOf(segment.subarray(exifStart.length)) : 1;
}

/** The next marker that is neither a stuffed 0xff nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at === -1 || at + 1 >= bytes.length) return bytes.length;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
    at += 1;
  }
}
