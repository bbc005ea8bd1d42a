/** AVIF with libavif. */
import bytes from '@jsquash/avif/codec/dec/avif_dec.wasm';
import createDecoder from '@jsquash/avif/codec/dec/avif_dec.js';
import { checkFullSize } from '../limits.ts';
import { malformed } from '../picture-error.ts';
import type { Pixels } from '../pixels.ts';
import { createCodec, createModule } from '../wasm.ts';
import { readAvifHeader } from './avif-header.ts';
import type { OpenFormat } from './decoder.ts';

const moduleOf = createModule(bytes);
const bitsPerSample = 8;

/** Reads the headers of an AVIF. */
export const openAvif: OpenFormat = (bytes) => {
  const { size, orientation } = readAvifHeader(bytes);
  checkFullSize(size.width, size.height);
  return { size, orientation, decode: () => decodeAvif(bytes) };
};

/** Emscripten's wrapper hands the pixels over as the `ImageData` of browsers. */
class PlainImageData {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number) {
    [this.data, this.width, this.height] = [data, width, height];
  }
}

interface AvifDecoder {
  readonly decode: (bytes: Uint8Array, bits: number) => PlainImageData | null;
}

async function decodeAvif(bytes: Uint8Array): Promise<Pixels> {
  Object.assign(globalThis, { ImageData: PlainImageData });
  const decoder = await createCodec<AvifDecoder>(createDecoder, moduleOf);
  const image = decoder.decode(bytes, bitsPerSample);
  if (image === null)
    throw malformed('The picture is damaged, ends too early or needs too much memory.');
  const { data, width, height } = image;
  checkFullSize(width, height);
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
