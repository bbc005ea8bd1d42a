/** How the blocks of a Matroska track are packed. */
import { inflate } from '../bytes/inflate.ts';
import { malformed } from '../bytes/probe-error.ts';
import type { Element } from './elements.ts';
import { ids } from './ids.ts';

/** Packed with zlib, or without the bytes that all blocks begin with. */
export type Packing =
  | { readonly kind: 'none' }
  | { readonly kind: 'zlib' }
  | { readonly kind: 'header'; readonly header: Uint8Array };

const unpackedBytes = 256 * 1024;

export function packingOf(entry: Element): Packing {
  const encoding = entry.find(ids.contentEncodings)?.find(ids.contentEncoding);
  if (encoding === undefined) return { kind: 'none' };
  if (encoding.find(ids.contentEncryption) !== undefined) {
    throw malformed('The track is encrypted.');
  }
  const compression = encoding.find(ids.contentCompression);
  const algorithm = compression?.uint(ids.contentCompressionAlgorithm) ?? 0;
  if (algorithm === 0) return { kind: 'zlib' };
  if (algorithm !== 3) throw malformed('The track is packed in a form that is not unpacked.');
  const header = compression?.find(ids.contentCompressionSettings)?.content ?? new Uint8Array(0);
  return { kind: 'header', header };
}

/** Unpacks a block; one packed with zlib may have `atMost` bytes. */
export function unpack(
  bytes: Uint8Array,
  packing: Packing,
  atMost: number = unpackedBytes,
): Uint8Array {
  if (packing.kind === 'none') return bytes;
  if (packing.kind === 'zlib') return inflate(bytes, atMost, 'zlib');
  const all = new Uint8Array(packing.header.length + bytes.length);
  all.set(packing.header);
  all.set(bytes, packing.header.length);
  return all;
}
