/**
 * Throttles password guesses. A few attempts are free. After them each failure doubles the wait, up
 * to 15 minutes. During a wait no password is checked and no failure is counted, so continued
 * guessing cannot lock a user out for longer. An attempt counts as failed from its start until it
 * succeeds; otherwise many parallel attempts would all be free.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../platform/errors.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';

/** The limit for one kind of key. */
export interface AttemptLimit {
  /** `address:10.0.0.1`, `account:<id>`. */
  readonly key: string;
  /** Failures without a wait. */
  readonly free: number;
}

/** An attempt that was allowed. */
export interface Attempt {
  /** Marks it as successful, and clears the failures of these keys. */
  readonly succeeded: (forget: readonly string[]) => Promise<void>;
  /** Takes it back: the server was too busy to check it. */
  readonly unchecked: () => Promise<void>;
}

/** Counts failed attempts. */
export interface AttemptGate {
  /** Rejects with `too_many_attempts`, which has the seconds to wait. */
  readonly begin: (limits: readonly AttemptLimit[]) => Promise<Attempt>;
}

const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 24 * 60 * 60_000;
export const mostKeys = 20_000;

interface Failures {
  readonly count: number;
  readonly atMs: number;
  readonly closedUntilMs: number;
}

/** Creates a gate without failures, for one server. */
export function createAttemptGate(wall: Clock): AttemptGate {
  const clock = steadyOf(wall);
  // With `max`, it would take the memory of all entries at once.
  const failures = new LRUCache<string, Failures>({ maxSize: mostKeys, sizeCalculation: () => 1 });

  function known(key: string): Failures | undefined {
    const found = failures.get(key);
    return found && clock.now() - found.atMs < forgottenAfterMs ? found : undefined;
  }

  /** Counts before it waits for anything, so that parallel attempts see each other. */
  async function begin(limits: readonly AttemptLimit[]): Promise<Attempt> {
    const nowMs = clock.now();
    const waitMs = Math.max(
      0,
      ...limits.map(({ key }) => (known(key)?.closedUntilMs ?? 0) - nowMs),
    );
    if (waitMs > 0) throw tooMany(waitMs);
    for (const { key, free } of limits) {
      const count = (known(key)?.count ?? 0) + 1;
      failures.set(key, { count, atMs: nowMs, closedUntilMs: nowMs + waitAfter(count - free) });
    }
    return {
      succeeded: async (forget) => takeBack(limits, forget),
      unchecked: async () => takeBack(limits, []),
    };
  }

  function takeBack(limits: readonly AttemptLimit[], forget: readonly string[]): void {
    for (const { key } of limits) {
      const found = known(key);
      if (!found || found.count <= 1 || forget.includes(key)) failures.delete(key);
      else failures.set(key, { ...found, count: found.count - 1, closedUntilMs: 0 });
    }
  }

  return { begin };
}

/** 0 while attempts are free; then 1 s, 2 s, 4 s … */
const waitAfter = (paid: number): number =>
  paid < 1 ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(paid - 1, 30));

export function tooMany(waitMs: number): AppError {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new AppError('too_many_attempts', { seconds });
}
