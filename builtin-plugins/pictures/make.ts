/** `pictures.make`: a picture in one size and format, with its colours. */
import {
  ReaderError,
  type Handler,
  type PictureInput,
  type PictureResult,
} from '../../plugin-api/index.ts';
import { toBase64 } from '../media-headers/bytes/base64-text.ts';
import { summarize } from './colours.ts';
import { openAvif } from './decoding/avif.ts';
import { brandsOf } from './decoding/brands.ts';
import type { OpenFormat, OpenPicture } from './decoding/decoder.ts';
import { openGif } from './decoding/gif.ts';
import { openJpeg } from './decoding/jpeg.ts';
import { openPng } from './decoding/png.ts';
import { openWebp } from './decoding/webp.ts';
import { encode } from './encoding/encode.ts';
import { PictureError, unsupported } from './picture-error.ts';
import { isTurned, toUpright, type Pixels } from './pixels.ts';
import { fitWidth, resize, type Size } from './resize.ts';
import { readSource } from './source.ts';

/** Makes the picture. A fault of the picture is part of the answer. */
export const makePicture: Handler<PictureInput, PictureResult> = async (input, host) => {
  try {
    const bytes = await readSource(input.source, host);
    return await make(bytes, input);
  } catch (error) {
    if (error instanceof PictureError || error instanceof ReaderError) {
      return { kind: 'failed', code: toFailure(error), message: error.message };
    }
    throw error;
  }
};

async function make(
  bytes: Uint8Array<ArrayBuffer>,
  { width, format }: PictureInput,
): Promise<PictureResult> {
  const open = formatOf(bytes)(bytes);
  const shown = isTurned(open.orientation) ? swapped(open.size) : open.size;
  const target = fitWidth(shown, width);
  const pixels = await decodeUpright(open, target);
  const scaled = resize(pixels, fitWidth(pixels, target.width));
  return {
    kind: 'made',
    source: { width: shown.width, height: shown.height },
    width: scaled.width,
    height: scaled.height,
    base64: toBase64(await encode(scaled, format)),
    ...summarize(scaled),
  };
}

async function decodeUpright(open: OpenPicture, target: Size): Promise<Pixels> {
  const stored = isTurned(open.orientation) ? swapped(target) : target;
  const pixels = await open.decode(stored);
  // The rotation is cheaper after the scaling, which needs the stored sides.
  const scaled = resize(pixels, {
    width: Math.min(stored.width, pixels.width),
    height: Math.min(stored.height, pixels.height),
  });
  return toUpright(scaled, open.orientation);
}

const swapped = ({ width, height }: Size): Size => ({ width: height, height: width });

const signatures: readonly (readonly [at: number, text: string, open: OpenFormat])[] = [
  [0, '\xff\xd8\xff', openJpeg],
  [0, '\x89PNG\r\n\x1a\n', openPng],
  [8, 'WEBP', openWebp],
  [0, 'GIF8', openGif],
];

/** Brands of pictures that HEVC codes. */
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];

/** The first bytes decide; a name or a stated type may be wrong. */
function formatOf(bytes: Uint8Array): OpenFormat {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const found = signatures.find(([at, text]) => start.startsWith(text, at));
  if (found !== undefined) return found[2];
  const brands = brandsOf(bytes);
  if (brands.has('avif') || brands.has('avis')) return openAvif;
  if (heicBrands.some((brand) => brands.has(brand))) {
    throw unsupported('HEIC is not decoded, since no decoder of it has a permissive licence.');
  }
  throw unsupported('The content is not JPEG, PNG, WebP, GIF or AVIF.');
}

const toFailure = ({ code }: PictureError | ReaderError): PictureError['code'] =>
  code === 'unreadable' || code === 'over-budget' || code === 'unsupported' || code === 'truncated'
    ? code
    : 'malformed';
