import { joined } from './joined.ts';
import { Inflate, Unzlib } from 'fflate';
import { malformed, ProbeError } from './probe-error.ts';

const pieceBytes = 4 * 1024;

/**
 * Inflates in chunks, and stops when the result exceeds a length: the real size may be any, for any
 * claim of the file.
 */
export function inflate(
  bytes: Uint8Array,
  atMost: number,
  form: 'zlib' | 'raw' = 'raw',
): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    parts.push(part);
  };
  const stream = form === 'zlib' ? new Unzlib(take) : new Inflate(take);
  try {
    for (let at = 0; at < bytes.length && length <= atMost; at += pieceBytes) {
      stream.push(bytes.subarray(at, at + pieceBytes), at + pieceBytes >= bytes.length);
    }
  } catch {
    throw malformed('A packed part of the file is damaged.');
  }
  if (length > atMost) {
    throw new ProbeError(
      'over-budget',
      `A packed part of the file unfolds to more than ${atMost} bytes.`,
    );
  }
  return joined(parts);
}
