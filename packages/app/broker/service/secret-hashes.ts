/**
 * The stored forms of secrets. A long random one is stored as its SHA-256. A code of 8 digits could
 * be found by trying all: it is stored as an HMAC with a key that is not in the database, and the
 * request id that it leads to is masked with the code itself.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a text, in hex. */
export const hashOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** Whether two hashes are equal, in constant time. */
export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Protects pairing codes. */
export type CodeSeal = ReturnType<typeof createCodeSeal>;

/** Creates the seal with the broker's key. */
export function createCodeSeal(key: Buffer) {
  const keyed = (purpose: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\0${text}`).digest();

  return {
    /** The lookup key of a code. */
    hmacOf: (code: string): string => keyed('pairing-code', code).toString('hex'),
    /** Masks 24 bytes with a code; applied again, it unmasks them. `salt` must be unique. */
    mask: (bytes: Uint8Array, code: string, salt: string): Buffer => {
      const pad = keyed('pairing-request', `${salt}\0${code}`);
      return Buffer.from(bytes.map((byte, index) => byte ^ (pad[index] ?? 0)));
    },
    /** A mark to compare two networks without revealing them. */
    markOf: (line: string, salt: string): string =>
      keyed('line', `${salt}\0${line}`).toString('hex'),
  };
}
