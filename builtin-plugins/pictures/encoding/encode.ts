/** Encoders. Their modules are compiled at the first picture. */
import avifBytes from '@jsquash/avif/codec/enc/avif_enc.wasm';
import createAvif from '@jsquash/avif/codec/enc/avif_enc.js';
import { defaultOptions as avifOptions } from '@jsquash/avif/meta.js';
import jpegBytes from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm';
import createJpeg from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js';
import webpBytes from '@jsquash/webp/codec/enc/webp_enc_simd.wasm';
import createWebp from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import { defaultOptions as webpOptions } from '@jsquash/webp/meta.js';
import type { PictureFormat } from '../../../plugin-api/index.ts';
import { onWhite, type Pixels } from '../pixels.ts';
import { createCodec, createModule } from '../wasm.ts';

/** What all encoders do. */
interface Encoder {
  readonly encode: (
    data: Uint8Array,
    width: number,
    height: number,
    options: object,
  ) => Uint8Array | null;
}

const jpegModule = createModule(jpegBytes);
const webpModule = createModule(webpBytes);
const avifModule = createModule(avifBytes);

const encoders: Readonly<Record<PictureFormat, () => Promise<Encoder>>> = {
  jpeg: () => createCodec<Encoder>(createJpeg, jpegModule),
  webp: () => createCodec<Encoder>(createWebp, webpModule),
  avif: () => createCodec<Encoder>(createAvif, avifModule),
};

/** The effort is low: each step above costs twice the time for 3 % of the size. */
const options: Readonly<Record<PictureFormat, object>> = {
  jpeg: { ...jpegOptions, quality: 78, quant_table: 3 },
  webp: { ...webpOptions, quality: 75, method: 2 },
  avif: { ...avifOptions, quality: 55, speed: 9 },
};

/** Returns the picture in the format. JPEG has no alpha, so its background is white. */
export async function encode(pixels: Pixels, format: PictureFormat): Promise<Uint8Array> {
  const { data, width, height } = format === 'jpeg' ? onWhite(pixels) : pixels;
  const encoder = await encoders[format]();
  const encoded = encoder.encode(data, width, height, options[format]);
  if (encoded === null) throw new Error(`The ${format} encoder failed.`);
  return encoded.slice();
}
