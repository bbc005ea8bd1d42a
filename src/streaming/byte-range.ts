import type { ByteRange } from '../filesystems/index.ts';

/** What a `Range` header asks of a file. */
export type RangeRequest =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const whole: RangeRequest = { kind: 'whole' };
const unsatisfiable: RangeRequest = { kind: 'unsatisfiable' };

/**
 * Reads a `Range` header against a file's size. A header that is malformed, of another unit, or
 * that asks for several ranges is passed over, as RFC 9110 allows: then the whole file is meant.
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
