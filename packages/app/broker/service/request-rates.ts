/**
 * Rate limits with sliding windows: a window stores the times of accepted requests, so no caller
 * gets twice the limit around a minute change. A refused request is not counted.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../src/platform/clock.ts';
import { Refusal } from './errors.ts';

/** At most `most` requests in `inMs`. */
export interface Window {
  readonly most: number;
  readonly inMs: number;
}

/** A limit for one purpose, by key. */
export type Rate = ReturnType<typeof createRate>;

const mostKeys = 20_000;

/** Creates a limit with no requests counted. */
export function createRate(
  clock: Pick<Clock, 'now'>,
  windows: readonly Window[],
  message?: string,
) {
  const longestMs = Math.max(...windows.map(({ inMs }) => inMs));
  // With `max`, it would take the memory of all entries at once.
  const seen = new LRUCache<string, readonly number[]>({
    maxSize: mostKeys,
    sizeCalculation: () => 1,
  });
  const recent = (key: string): readonly number[] =>
    (seen.get(key) ?? []).filter((at) => at > clock.now() - longestMs);

  /** Throws `rate_limited` if `more` would exceed the limit; does not count. */
  function check(key: string, more: number = 1): void {
    const moments = recent(key);
    const waits = windows.map(({ most, inMs }) =>
      waitMs(moments, { most: most - more + 1, inMs }, clock.now()),
    );
    const longest = Math.max(...waits);
    if (longest <= 0) return;
    throw new Refusal('rate_limited', {
      retryAfterSeconds: Math.ceil(longest / 1000),
      ...(message !== undefined && { message }),
    });
  }

  const count = (key: string, more: number = 1): void =>
    void seen.set(key, [...recent(key), ...Array<number>(more).fill(clock.now())]);

  return {
    check,
    count,
    /** Checks and counts. */
    take: (key: string, more: number = 1): void => {
      check(key, more);
      count(key, more);
    },
    /** Takes back the last count. */
    giveBack: (key: string): void => void seen.set(key, recent(key).slice(0, -1)),
  };
}

/** The time until the window has room again. */
function waitMs(moments: readonly number[], { most, inMs }: Window, now: number): number {
  const inside = moments.filter((at) => at > now - inMs);
  if (inside.length < most) return 0;
  const first = most < 1 ? now : (inside[inside.length - most] ?? now);
  return first + inMs - now;
}
