/**
 * What the broker keeps of secrets. A long random one is kept as its SHA-256. A code of 8 digits would
 * be found by trying them all: it is kept as an HMAC under a key that is not in the database, and
 * what it leads to is sealed with the code itself.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a text, in hex. */
export const hashOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** Whether two hashes are the same, in constant time. */
export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Keeps pairing codes. */
export interface CodeSeal {
  /** By which a code is found. */
  readonly hmacOf: (code: string) => string;
  /** Hides 24 bytes behind a code, and shows them again. `salt` is never used twice. */
  readonly mask: (bytes: Uint8Array, code: string, salt: string) => Buffer;
  /** A mark by which two lines can be compared and none can be read. */
  readonly markOf: (line: string, salt: string) => string;
}

/** Creates the seal over the broker's key. */
export function createCodeSeal(key: Buffer): CodeSeal {
  const keyed = (purpose: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\0${text}`).digest();

  return {
    hmacOf: (code) => keyed('pairing-code', code).toString('hex'),
    mask: (bytes, code, salt) => {
      const pad = keyed('pairing-request', `${salt}\0${code}`);
      return Buffer.from(bytes.map((byte, index) => byte ^ (pad[index] ?? 0)));
    },
    markOf: (line, salt) => keyed('line', `${salt}\0${line}`).toString('hex'),
  };
}
