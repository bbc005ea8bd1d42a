/**
 * The fingerprint of a file, independent of its location: its size and three samples of its bytes.
 * Two files with one fingerprint count as one file that was moved, so it must use the same bytes on
 * a local disk and through a plugin.
 */
import { createHash } from 'node:crypto';

/** A part of a file that its fingerprint covers. */
export interface Sample {
  readonly offset: number;
  readonly length: number;
}

const sampleBytes = 16 * 1024;
const hexDigits = 32;

/** The samples of a file of this size: start, middle and end, or all of a small one. */
export function samplesOf(size: number): readonly Sample[] {
  if (size <= 3 * sampleBytes) return [{ offset: 0, length: size }];
  const last = size - sampleBytes;
  return [0, Math.floor(last / 2), last].map((offset) => ({ offset, length: sampleBytes }));
}

/**
 * The fingerprint: the first half of SHA-256 over the size (eight bytes, big endian) and the
 * samples.
 */
export function fingerprintOf(size: number, samples: readonly Uint8Array[]): string {
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE(BigInt(size));
  const hash = createHash('sha256').update(head);
  for (const sample of samples) hash.update(sample);
  return hash.digest('hex').slice(0, hexDigits);
}
