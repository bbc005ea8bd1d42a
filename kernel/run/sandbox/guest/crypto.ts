import { DOMException } from './dom-exception.ts';
import { createRandom } from './random.ts';

/** Requests a digest from the host process. */
export type Digest = (algorithm: string, bytes: Uint8Array) => Promise<unknown>;

const algorithms = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];

/** `crypto`: random values, UUIDs and SHA digests. */
export function createCrypto(seed: Uint8Array, digest: Digest): object {
  const random = createRandom(seed);

  function getRandomValues(array: unknown): unknown {
    if (!ArrayBuffer.isView(array) || array instanceof DataView || isFloat(array)) {
      throw new DOMException('The argument must be an array of integers.', 'TypeMismatchError');
    }
    if (array.byteLength > 65_536) {
      throw new DOMException('At most 65536 bytes at a time.', 'QuotaExceededError');
    }
    random(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  }

  function randomUUID(): string {
    const bytes = new Uint8Array(16);
    random(bytes);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  async function subtleDigest(algorithm: unknown, input: unknown): Promise<ArrayBuffer> {
    const name = nameOf(algorithm);
    if (!algorithms.includes(name)) {
      throw new DOMException(
        `The algorithm must be one of ${algorithms.join(', ')}.`,
        'NotSupportedError',
      );
    }
    const result = await digest(name, bytesOf(input));
    if (!(result instanceof Uint8Array))
      throw new DOMException('No digest came.', 'OperationError');
    return result.slice().buffer;
  }

  return Object.freeze({
    getRandomValues,
    randomUUID,
    subtle: Object.freeze({ digest: subtleDigest }),
  });
}

function nameOf(algorithm: unknown): string {
  const isNamed = typeof algorithm === 'object' && algorithm !== null && 'name' in algorithm;
  return String(isNamed ? algorithm.name : algorithm).toUpperCase();
}

function isFloat(array: ArrayBufferView): boolean {
  return [Float16Array, Float32Array, Float64Array].some((Kind) => array instanceof Kind);
}

function bytesOf(input: unknown): Uint8Array {
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  throw new TypeError('The input must be an ArrayBuffer or a view of one.');
}
