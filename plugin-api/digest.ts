/** Digests texts, one after the other. */
export interface Digest {
  readonly add: (text: string) => void;
  /** 16 hexadecimal digits of all texts so far. */
  readonly text: () => string;
}

/**
 * A digest that detects changes: fast in an isolate, but not secure against deliberate collisions.
 * Two lanes of 32 bits, with MurmurHash3's finalizer.
 */
export function createDigest(): Digest {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  return {
    add: (text) => {
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        a = Math.imul(a ^ code, 0x01000193);
        b = Math.imul(b + code, 0x5bd1e995) ^ (b >>> 15);
      }
      // Marks the end of the text, so that it does not run into the next one.
      a = Math.imul(a ^ 0x100, 0x01000193);
      b = Math.imul(b + text.length, 0x5bd1e995) ^ (b >>> 13);
    },
    text: () => hex(mix(a ^ b)) + hex(mix(b + Math.imul(a, 0x2545f491))),
  };
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
