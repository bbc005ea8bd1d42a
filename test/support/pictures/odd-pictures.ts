/** Odd pictures, made by code: layouts, animations, damage and lies as real files have them. */
import { deflateSync } from 'node:zlib';
import { blackAndWhite, type Colour } from './drawn.ts';
import { makeGif } from './made-gif.ts';
import { exifOf, exifSegment, jpegSegment, makeJpeg } from './made-jpeg.ts';
import { makePng, pngChunk, pngHeader, pngStart, type PngForm } from './made-png.ts';
import { webpAnimation, webpChunk, webpFile, webpFrame, webpHeader } from './made-webp.ts';

/** The four areas, 64 x 48, in formats that only an encoder makes. */
export interface EncodedAreas {
  readonly webp: Buffer;
  readonly jpeg: Buffer;
  readonly avif: Buffer;
}

/** What becomes of a picture: its size as shown and the colours of its quarters, or a code. */
export interface Shown {
  readonly size: string;
  /** From the left above to the right below; `?` = any. */
  readonly quarters: string;
}

/** A file, and what is shown of it. */
export interface OddPicture {
  readonly name: string;
  readonly bytes: (areas: EncodedAreas) => Buffer;
  readonly shows: Shown | string;
}

const upright = 'red lime blue white';
const areas: Shown = { size: '64x48', quarters: upright };
const halves: Shown = { size: '64x48', quarters: 'black black white white' };
const of = (name: string, bytes: Buffer, shows: Shown | string = areas): OddPicture => ({
  name,
  bytes: () => bytes,
  shows,
});
const cut = (bytes: Buffer, part: number): Buffer => bytes.subarray(0, bytes.length * part);
const text = (content: string): Buffer => Buffer.from(content, 'latin1');

const png = (name: string, form: PngForm, shows: Shown | string = areas): OddPicture =>
  of(`PNG: ${name}`, makePng(form), shows);

const pngLayouts: readonly OddPicture[] = [
  png('RGB with alpha', {}),
  png('RGB', { colour: 2 }),
  png('RGB with 16 bits', { colour: 2, depth: 16 }),
  png('RGB with alpha and 16 bits', { depth: 16 }),
  ...[1, 2, 4, 8, 16].map((depth) =>
    png(`grey with ${depth} bits`, { colour: 0, depth, draw: blackAndWhite(48) }, halves),
  ),
  png('grey with alpha', { colour: 4, draw: blackAndWhite(48) }, halves),
  ...[2, 4, 8].map((depth) => png(`palette with ${depth} bits`, { colour: 3, depth })),
  png('palette with alpha', {
    colour: 3,
    before: [pngChunk('tRNS', Buffer.from([255, 255, 255, 255]))],
  }),
  ...[1, 2, 3, 4].map((filter) => png(`filter ${filter}`, { filter })),
  png('interlaced', { isInterlaced: true }),
  png('interlaced palette with 4 bits', { isInterlaced: true, colour: 3, depth: 4 }),
  png(
    'interlaced, 3 x 2 pixels',
    { isInterlaced: true, width: 3, height: 2 },
    {
      size: '3x2',
      quarters: '? ? ? ?',
    },
  ),
  png('one pixel', { width: 1, height: 1 }, { size: '1x1', quarters: '? ? ? ?' }),
  png('30,000 pixels wide', { width: 30_000, height: 8 }, { size: '30000x8', quarters: '? ? ? ?' }),
  png('30,000 pixels high', { width: 8, height: 30_000 }, { size: '8x30000', quarters: upright }),
  png(
    'turned by EXIF',
    { before: [pngChunk('eXIf', exifOf(6))] },
    {
      size: '48x64',
      quarters: 'blue red white lime',
    },
  ),
  png('animated: the first frame', {
    before: [pngChunk('acTL', Buffer.alloc(8)), pngChunk('fcTL', Buffer.alloc(26))],
    after: [pngChunk('fdAT', deflateSync(Buffer.alloc(4000)))],
  }),
  png('a colour profile that unpacks to a gigabyte', {
    before: [pngChunk('iCCP', Buffer.concat([text('x\0\0'), deflateSync(Buffer.alloc(1e7))]))],
  }),
  png('a page behind its end', { after: [pngChunk('tEXt', text('<script>alert(1)</script>'))] }),
];

/** The pixels of a file in chunks of few bytes. */
function inSmallChunks(): Buffer {
  const whole = makePng();
  const at = whole.indexOf('IDAT');
  const length = whole.readUInt32BE(at - 4);
  const data = whole.subarray(at + 4, at + 4 + length);
  const chunks = Array.from({ length: Math.ceil(length / 3) }, (_, part) =>
    pngChunk('IDAT', data.subarray(part * 3, part * 3 + 3)),
  );
  const end = pngChunk('IEND', Buffer.alloc(0));
  return Buffer.concat([whole.subarray(0, at - 4), ...chunks, end]);
}

const broken = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
};

const noisy = { draw: noise } as const;

/** Pixels that do not compress, so that a part of the bytes is a part of the rows. */
function noise(x: number, y: number): Colour {
  let hash = Math.imul(x + y * 8191 + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash ^= hash >>> 13;
  return [hash & 255, (hash >> 8) & 255, (hash >> 16) & 255, 255];
}

const any = { size: '64x48', quarters: '? ? ? ?' };

const pngDamage: readonly OddPicture[] = [
  of('PNG: the pixels in chunks of three bytes', inSmallChunks()),
  of('PNG: a wrong sum of the header', broken(makePng(), 30)),
  of('PNG: most of the bytes', cut(makePng(noisy), 0.8), any),
  of('PNG: few of the bytes', cut(makePng(noisy), 0.3), 'truncated'),
  of(
    'PNG: interlaced, most of the bytes',
    cut(makePng({ ...noisy, isInterlaced: true }), 0.8),
    any,
  ),
  of(
    'PNG: interlaced, few of the bytes',
    cut(makePng({ ...noisy, isInterlaced: true }), 0.3),
    'truncated',
  ),
  of(
    'PNG: interlaced, without the last pass',
    cut(makePng({ ...noisy, isInterlaced: true }), 0.55),
    any,
  ),
  of('PNG: 30 of 48 rows', makePng({ rows: 30 }), { size: '64x48', quarters: 'red lime ? ?' }),
  of('PNG: 20 of 48 rows', makePng({ rows: 20 }), 'truncated'),
  of(
    'PNG: more rows than the header says',
    makePng({ height: 24, rows: 48, draw: blackAndWhite(48) }),
    {
      size: '64x24',
      quarters: 'black black black black',
    },
  ),
  of('PNG: the header alone', Buffer.concat([pngStart, pngHeader(64, 48)]), 'truncated'),
  of('PNG: no palette', makePng({ colour: 3 }).subarray(0, 33), 'malformed'),
  of(
    'PNG: a depth that does not exist',
    Buffer.concat([pngStart, pngHeader(9, 9, { depth: 7 })]),
    'malformed',
  ),
  of('PNG: no pixels', Buffer.concat([pngStart, pngHeader(0, 48)]), 'malformed'),
  of('PNG: 30,001 pixels wide', Buffer.concat([pngStart, pngHeader(30_001, 4)]), 'over-budget'),
  of('PNG: 101 megapixels', Buffer.concat([pngStart, pngHeader(10_050, 10_050)]), 'over-budget'),
  of(
    'PNG: 4 billion pixels a side',
    Buffer.concat([pngStart, pngHeader(2 ** 32 - 1, 2 ** 32 - 1)]),
    'over-budget',
  ),
  of(
    'PNG: interlaced, 13 megapixels',
    Buffer.concat([pngStart, pngHeader(4000, 3300, { isInterlaced: true })]),
    'over-budget',
  ),
];

const turned: Readonly<Record<number, string>> = {
  1: 'red lime blue white',
  2: 'lime red white blue',
  3: 'white blue lime red',
  4: 'blue white red lime',
  5: 'red blue lime white',
  6: 'blue red white lime',
  7: 'white lime blue red',
  8: 'lime white red blue',
};

const jpegs: readonly OddPicture[] = [
  of('JPEG: colours as luminance and difference', makeJpeg()),
  of('JPEG: RGB of Adobe', makeJpeg({ inks: 'rgb' })),
  of('JPEG: four inks', makeJpeg({ inks: 'cmyk' })),
  of('JPEG: grey', makeJpeg({ inks: 'grey', draw: blackAndWhite(48) }), halves),
  of('JPEG: extended', makeJpeg({ frame: 0xc1 })),
  { name: 'JPEG: progressive', bytes: ({ jpeg }) => jpeg, shows: areas },
  ...Object.entries(turned).map(([orientation, quarters]) =>
    of(
      `JPEG: EXIF orientation ${orientation}`,
      makeJpeg({ before: [exifSegment(exifOf(Number(orientation)))] }),
      {
        size: Number(orientation) < 5 ? '64x48' : '48x64',
        quarters,
      },
    ),
  ),
  of('JPEG: EXIF orientation 9', makeJpeg({ before: [exifSegment(exifOf(9))] })),
  of(
    'JPEG: EXIF that points out of itself',
    makeJpeg({ before: [exifSegment(Buffer.from('4d4d002affffffff000100000000', 'hex'))] }),
  ),
  of('JPEG: a text as EXIF', makeJpeg({ before: [exifSegment(text('MM<script>'))] })),
  of(
    'JPEG: a comment with a page',
    makeJpeg({ before: [jpegSegment(0xfe, text('<script>alert(1)</script>'))] }),
  ),
  of('JPEG: an archive behind its end', Buffer.concat([makeJpeg(), text('PK\x03\x04evil')])),
  of('JPEG: zeros before the end', Buffer.concat([makeJpeg().subarray(0, -2), Buffer.alloc(500)])),
  of('JPEG: most of the bytes', cut(makeJpeg({ width: 640, height: 480, ...noisy }), 0.8), {
    size: '640x480',
    quarters: '? ? ? ?',
  }),
  of(
    'JPEG: few of the bytes',
    cut(makeJpeg({ width: 640, height: 480, ...noisy }), 0.3),
    'truncated',
  ),
  of(
    'JPEG: less than half of the rows that it states',
    makeJpeg({ stated: { width: 64, height: 200 } }),
    'truncated',
  ),
  of('JPEG: arithmetic codes', makeJpeg({ frame: 0xc9 }), 'unsupported'),
  of('JPEG: lossless', makeJpeg({ frame: 0xc3 }), 'unsupported'),
  of('JPEG: 12 bits', makeJpeg({ bits: 12, frame: 0xc1 }), 'unsupported'),
  of(
    'JPEG: 65,535 pixels a side',
    makeJpeg({ stated: { width: 65_535, height: 65_535 } }),
    'over-budget',
  ),
  of(
    'JPEG: 30,001 pixels high',
    makeJpeg({ stated: { width: 64, height: 30_001 } }),
    'over-budget',
  ),
  of('JPEG: no pixels', makeJpeg({ stated: { width: 64, height: 0 } }), 'malformed'),
  of('JPEG: the first bytes alone', makeJpeg().subarray(0, 20), 'truncated'),
];

const gifs: readonly OddPicture[] = [
  of('GIF', makeGif(64, 48)),
  of('GIF of 1987', makeGif(64, 48, [{ width: 64, height: 48 }], 'GIF87a')),
  of('GIF: interlaced', makeGif(64, 48, [{ width: 64, height: 48, isInterlaced: true }])),
  of(
    'GIF: animated, the first frame',
    makeGif(64, 48, [
      { width: 64, height: 48 },
      { width: 64, height: 48, isReversed: true },
    ]),
  ),
  of(
    'GIF: a thousand frames',
    makeGif(
      64,
      48,
      Array.from({ length: 1000 }, () => ({ width: 64, height: 48 })),
    ),
  ),
  of(
    'GIF: a frame that is smaller than the canvas',
    makeGif(64, 48, [{ x: 32, y: 24, width: 32, height: 24 }]),
    { size: '64x48', quarters: '? ? ? ?' },
  ),
  of(
    'GIF: interlaced, most of the bytes',
    cut(makeGif(64, 48, [{ width: 64, height: 48, isInterlaced: true }]), 0.8),
  ),
  of('GIF: most of the bytes', cut(makeGif(64, 48), 0.8), {
    size: '64x48',
    quarters: 'red lime ? ?',
  }),
  of('GIF: few of the bytes', cut(makeGif(64, 48), 0.3), 'truncated'),
  of('GIF: 4 gigapixels', makeGif(65_535, 65_535, [{ width: 8, height: 8 }]), 'over-budget'),
  of(
    'GIF: a frame far out of the canvas',
    makeGif(8, 8, [{ x: 60_000, y: 60_000, width: 8, height: 8 }]),
    'over-budget',
  ),
  of('GIF: no frame', makeGif(64, 48, []), 'truncated'),
  of('GIF: a script', text('GIF89a/*\0\0\0*/=1;alert(1)'), 'malformed'),
];

const vp8In = (file: Buffer): Buffer => file.subarray(12);

const webps: readonly OddPicture[] = [
  { name: 'WebP', bytes: ({ webp }) => webp, shows: areas },
  {
    name: 'WebP: animated, the first frame',
    bytes: ({ webp }) =>
      webpFile(
        webpHeader(64, 48, 2),
        webpAnimation,
        webpFrame(64, 48, vp8In(webp)),
        webpFrame(64, 48, vp8In(webp)),
      ),
    shows: areas,
  },
  {
    name: 'WebP: turned by EXIF',
    bytes: ({ webp }) => webpFile(webpHeader(64, 48, 8), vp8In(webp), webpChunk('EXIF', exifOf(6))),
    shows: { size: '48x64', quarters: 'blue red white lime' },
  },
  {
    name: 'WebP: a canvas that lies',
    bytes: ({ webp }) => webpFile(webpHeader(16_000, 16_000, 0), vp8In(webp)),
    shows: areas,
  },
  { name: 'WebP: half of the bytes', bytes: ({ webp }) => cut(webp, 0.5), shows: 'malformed' },
  of('WebP: the header alone', webpFile(webpHeader(64, 48, 0)), 'truncated'),
  of('WebP: no chunk', text('RIFF\x04\0\0\0WEBP'), 'truncated'),
  of(
    'WebP: 268 megapixels without loss',
    webpFile(webpChunk('VP8L', Buffer.from('2fffffffff000000000000', 'hex'))),
    'over-budget',
  ),
];

const heic = (brand: string): Buffer => text(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`);

/** A file whose properties say another size than its picture has. */
function withStatedSize(avif: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(avif);
  const at = copy.indexOf('ispe') + 8;
  copy.writeUInt32BE(width, at);
  copy.writeUInt32BE(height, at + 4);
  return copy;
}

const avifs: readonly OddPicture[] = [
  { name: 'AVIF', bytes: ({ avif }) => avif, shows: areas },
  {
    name: 'AVIF: named as a picture of any kind',
    bytes: ({ avif }) => Buffer.concat([avif.subarray(0, 8), text('mif1'), avif.subarray(12)]),
    shows: areas,
  },
  { name: 'AVIF: half of the bytes', bytes: ({ avif }) => cut(avif, 0.5), shows: 'malformed' },
  {
    name: 'AVIF: a size that lies, above the limit',
    bytes: ({ avif }) => withStatedSize(avif, 40_000, 40_000),
    shows: 'over-budget',
  },
  {
    name: 'AVIF: a size that lies, within the limit',
    bytes: ({ avif }) => withStatedSize(avif, 3000, 3000),
    shows: 'malformed',
  },
  of('AVIF: no boxes', text('\0\0\0\x10ftypavif\0\0\0\0'), 'truncated'),
  of('HEIC', heic('heic'), 'unsupported'),
  of('HEIC: named as a picture of any kind', heic('mif1'), 'unsupported'),
];

const others: readonly OddPicture[] = [
  of('nothing', Buffer.alloc(0), 'unsupported'),
  of('one byte', Buffer.from([0xff]), 'unsupported'),
  of('zeros', Buffer.alloc(100_000), 'unsupported'),
  of('a PNG behind a line end', Buffer.concat([text('\n'), makePng()]), 'unsupported'),
  of('SVG', text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'unsupported'),
  of('a page', text('<!doctype html><script>alert(1)</script>'), 'unsupported'),
  of('BMP', text('BM\x46\0\0\0\0\0\0\0\x36\0\0\0'), 'unsupported'),
  of('TIFF', text('II*\0\x08\0\0\0'), 'unsupported'),
  of('JPEG XL', text('\xff\x0a\x00\x00'), 'unsupported'),
  of('JPEG 2000', text('\0\0\0\x0cjP  \r\n\x87\n'), 'unsupported'),
  of('PDF', text('%PDF-1.7\n'), 'unsupported'),
  of('the first bytes of a PNG alone', pngStart, 'truncated'),
  of('the first bytes of a GIF alone', text('GIF89a'), 'truncated'),
  of('the first bytes of a JPEG alone', Buffer.from('ffd8ff', 'hex'), 'truncated'),
];

export const oddPictures: readonly OddPicture[] = [
  ...pngLayouts,
  ...pngDamage,
  ...jpegs,
  ...gifs,
  ...webps,
  ...avifs,
  ...others,
];
