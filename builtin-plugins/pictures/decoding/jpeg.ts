/**
 * JPEG with libjpeg-turbo. It reduces the picture to N/8 while it decodes, so a photo of 24
 * megapixels takes 4 MB of memory when a small picture is made of it.
 */
import bytes from '@cwasm/jpeg-turbo/jpeg-turbo.wasm';
import { checkSize } from '../limits.ts';
import { malformed, overBudget, truncated } from '../picture-error.ts';
import type { Pixels } from '../pixels.ts';
import type { Size } from '../resize.ts';
import { copyIn, bytesAt, createModule, exportsOf, noSystem, type CExports } from '../wasm.ts';
import type { OpenFormat } from './decoder.ts';
import { readJpegHeader, type JpegHeader } from './jpeg-header.ts';

/** The functions of TurboJPEG 2. */
interface TurboJpeg extends CExports {
  readonly tjInitDecompress: () => number;
  readonly tjDecompress2: (
    handle: number,
    at: number,
    length: number,
    to: number,
    width: number,
    pitch: number,
    height: number,
    format: number,
    flags: number,
  ) => number;
}

/** `TJPF_RGBA` and `TJPF_CMYK`. */
const [rgba, cmyk] = [7, 11];
/** A progressive picture keeps 128 bytes for each block in memory until its last scan. */
const maxProgressiveBytes = 48 * 1024 * 1024;
/** Blocks that all scans together may pass over. */
const maxBlocksOfScans = 12_000_000;

const moduleOf = createModule(bytes);

/** Reads the headers of a JPEG. */
export const openJpeg: OpenFormat = (bytes) => {
  const header = readJpegHeader(bytes);
  const { width, height, orientation } = header;
  checkSize(width, height);
  checkCost(header);
  return {
    size: { width, height },
    orientation,
    decode: (target) => decodeJpeg(bytes, header, target),
  };
};

function checkCost({ isProgressive, blocks, scans }: JpegHeader): void {
  if (isProgressive && blocks * 128 > maxProgressiveBytes) {
    throw overBudget('The progressive JPEG is too large; about 16 megapixels are decoded.');
  }
  if (isProgressive && blocks * scans > maxBlocksOfScans) {
    throw overBudget(`The progressive JPEG has ${scans} scans, which takes too long.`);
  }
}

function decodeJpeg(bytes: Uint8Array<ArrayBuffer>, header: JpegHeader, target: Size): Pixels {
  const turbo = exportsOf<TurboJpeg>(
    new WebAssembly.Instance(moduleOf(), {
      env: {
        setjmp: () => 0,
        longjmp: () => {
          throw malformed('The picture is damaged.');
        },
      },
      wasi_snapshot_preview1: noSystem,
    }),
  );
  const { width, height } = scaledSize(header, target);
  const at = copyIn(turbo, bytes);
  const to = turbo.malloc(width * height * 4);
  if (to === 0) throw overBudget('The picture needs too much memory.');
  const handle = turbo.tjInitDecompress();
  const isInk = header.components === 4;
  const format = isInk ? cmyk : rgba;
  const failed =
    turbo.tjDecompress2(handle, at, bytes.length, to, width, width * 4, height, format, 0) !== 0;
  const data = bytesAt(turbo, to, width * height * 4);
  const pixels = { width, height, data };
  // A warning, such as of an early end, leaves the rows that were decoded.
  if (failed && emptyRows(pixels) * 2 > height) {
    throw truncated('Less than half of the picture could be decoded.');
  }
  return isInk ? inksToColours(pixels) : pixels;
}

/** The smallest N/8 of the picture that is not smaller than the target. */
function scaledSize({ width, height }: Size, target: Size): Size {
  for (let eighths = 1; eighths < 8; eighths++) {
    const size = {
      width: Math.ceil((width * eighths) / 8),
      height: Math.ceil((height * eighths) / 8),
    };
    if (size.width >= target.width && size.height >= target.height) return size;
  }
  return { width, height };
}

/** Adobe stores inks inverted: 255 means none. Nearly all JPEG files with inks come from Adobe. */
function inksToColours({ width, height, data }: Pixels): Pixels {
  for (let at = 0; at < data.length; at += 4) {
    const black = data[at + 3] ?? 0;
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = Math.round(((data[channel] ?? 0) * black) / 255);
    }
    data[at + 3] = 255;
  }
  return { width, height, data };
}

/**
 * How many rows at the end were not decoded. libjpeg fills what is missing with the last colour of
 * each component, which makes all rows after the last decoded one equal.
 */
function emptyRows({ width, height, data }: Pixels): number {
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const last = (height - 1) * width;
  for (let row = height - 1; row > 0; row--) {
    for (let x = 0; x < width; x++) {
      if (words[(row - 1) * width + x] !== words[last + x]) return height - row;
    }
  }
  return height;
}
