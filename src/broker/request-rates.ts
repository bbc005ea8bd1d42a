/**
 * How often somebody did something lately. A window slides: it holds the moments of what was let
 * through, so nobody gets twice as much around the change of a minute. What is refused costs nothing.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { Refusal } from './errors.ts';

/** At most so many in so long. */
export interface Window {
  readonly most: number;
  readonly inMs: number;
}

/** Counts for one purpose, by whoever is counted. */
export interface Rate {
  /** Throws `rate_limited` when so many more would be too many, and does not count. */
  readonly check: (key: string, more?: number) => void;
  /** Counts them. */
  readonly count: (key: string, more?: number) => void;
  /** Both. */
  readonly take: (key: string, more?: number) => void;
  /** Takes the last one back. */
  readonly giveBack: (key: string) => void;
}

const mostKeys = 20_000;

/** Creates a rate that has seen nobody. */
export function createRate(
  clock: Pick<Clock, 'now'>,
  windows: readonly Window[],
  message?: string,
): Rate {
  const longestMs = Math.max(...windows.map(({ inMs }) => inMs));
  const seen = new LRUCache<string, readonly number[]>({ max: mostKeys });
  const recent = (key: string): readonly number[] =>
    (seen.get(key) ?? []).filter((at) => at > clock.now() - longestMs);

  function check(key: string, more = 1): void {
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

  const count = (key: string, more = 1): void =>
    void seen.set(key, [...recent(key), ...Array<number>(more).fill(clock.now())]);

  return {
    check,
    count,
    take: (key, more = 1) => {
      check(key, more);
      count(key, more);
    },
    giveBack: (key) => void seen.set(key, recent(key).slice(0, -1)),
  };
}

/** Until the window has room again. */
function waitMs(moments: readonly number[], { most, inMs }: Window, now: number): number {
  const inside = moments.filter((at) => at > now - inMs);
  if (inside.length < most) return 0;
  const first = most < 1 ? now : (inside[inside.length - most] ?? now);
  return first + inMs - now;
}
