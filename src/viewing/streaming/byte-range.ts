import type { ByteRange } from '../../files/filesystems/index.ts';

/** The range that a `Range` header requests. */
export type RangeRequest =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const whole: RangeRequest = { kind: 'whole' };
const unsatisfiable: RangeRequest = { kind: 'unsatisfiable' };

/**
 * Reads a `Range` header for a file of this size. A header that is malformed, has another unit or
 * several ranges is ignored, as RFC 9110 allows: then the whole file is sent.
 */
export function readRange(header: string | undefined, size: number): RangeRequest {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return whole;
  if (first === '') return lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  if (last !== '' && end < start) return whole;
  if (start >= size) return unsatisfiable;
  return { kind: 'part', range: { first: start, last: Math.min(end, size - 1) } };
}

function lastBytes(count: number, size: number): RangeRequest {
  if (count === 0 || size === 0) return unsatisfiable;
  return { kind: 'part', range: { first: Math.max(0, size - count), last: size - 1 } };
}
