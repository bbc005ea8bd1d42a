import { randomFillSync } from 'node:crypto';

export type NewId = () => string;

/** What the ids need. */
export interface UuidParts {
  readonly now: () => number;
  /** The time in the latest id made before, in Unix milliseconds. */
  readonly afterMs?: number;
  /** Random bytes. */
  readonly random?: (count: number) => Uint8Array;
}

/**
 * UUID version 7 (RFC 9562): ids sort as text in the order in which they were made, also after a start
 * with a clock in the past if `afterMs` is given. Within one millisecond, and when the clock is behind
 * the latest id, the 12 bits after the time count up.
 */
export function createUuidV7({ now, afterMs = 0, random = pooledRandom() }: UuidParts): NewId {
  // As if the last id of that millisecond had been made.
  let lastMs = afterMs;
  let counter = 0xfff;
  let time = { ms: Number.NaN, text: '' };

  /** Cached, since many ids are made within one millisecond. */
  function timeText(ms: number): string {
    if (time.ms === ms) return time.text;
    const digits = ms.toString(16).padStart(12, '0');
    time = { ms, text: `${digits.slice(0, 8)}-${digits.slice(8)}` };
    return time.text;
  }

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
    return uuid(timeText(lastMs), counter, random(8));
  };
}

/** Random bytes are read in blocks, since a call of the system costs more than the bytes. */
function pooledRandom(): (count: number) => Uint8Array {
  const pool = new Uint8Array(8192);
  let used = pool.length;
  return (count) => {
    if (used + count > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function uuid(time: string, counter: number, random: Uint8Array): string {
  let tail = hex[0x80 | ((random[0] ?? 0) & 0x3f)] ?? '';
  for (let at = 1; at < 8; at++) tail += hex[random[at] ?? 0] ?? '';
  const third = `7${counter.toString(16).padStart(3, '0')}`;
  return `${time}-${third}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
