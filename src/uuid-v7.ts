import { randomBytes } from 'node:crypto';

/** Makes ids. */
export type NewId = () => string;

/** What ids are made of. */
export interface UuidParts {
  readonly now: () => number;
  /** Fresh random bytes. */
  readonly random?: (count: number) => Uint8Array;
}

/**
 * UUID version 7 (RFC 9562): ids sort as text in the order in which this process made them. Within
 * one millisecond, and when the clock steps back, the 12 bits after the time count on.
 */
export function createUuidV7({ now, random = randomBytes }: UuidParts): NewId {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const ms = now();
    if (ms > lastMs) {
      lastMs = ms;
      counter = 0;
    } else if (counter === 0xfff) {
      lastMs += 1;
      counter = 0;
    } else {
      counter += 1;
    }
    return uuid(lastMs, counter, random(8));
  };
}

function uuid(ms: number, counter: number, random: Uint8Array): string {
  const time = ms.toString(16).padStart(12, '0');
  const tail = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = (8 + (Number.parseInt(tail.slice(0, 1), 16) & 3)).toString(16);
  const third = `7${counter.toString(16).padStart(3, '0')}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${third}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}
