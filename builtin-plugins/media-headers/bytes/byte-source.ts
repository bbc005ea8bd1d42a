import { truncated } from './probe-error.ts';

/** A source of bytes: a file, a part of it, or memory. */
export interface ByteSource {
  readonly size: number;
  /** Exactly these bytes; `await` it. */
  readonly read: (offset: number, length: number) => Uint8Array | Promise<Uint8Array>;
}

/** Bytes in memory, read like a file. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > bytes.length) {
        throw truncated('A part of the file is shorter than announced.');
      }
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** Up to that many bytes from a place on. */
export function readUpTo(
  source: ByteSource,
  offset: number,
  length: number,
): Uint8Array | Promise<Uint8Array> {
  return source.read(offset, Math.max(0, Math.min(length, source.size - offset)));
}
