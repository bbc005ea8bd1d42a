/**
 * Slows down whoever guesses passwords. A few attempts are free; after them each failure doubles the
 * wait, up to a quarter of an hour, and while one waits nothing is looked at and nothing counted: so
 * nobody can keep another out for longer than that by going on. An attempt counts as failed from its
 * beginning until it has succeeded, or many at once would all be free.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { steadyOf, type Clock } from '../clock.ts';

/** How much patience one kind of key has. */
export interface Patience {
  /** `address:10.0.0.1`, `account:<id>`. */
  readonly key: string;
  /** Failures that cost nothing. */
  readonly free: number;
}

/** An attempt that was let in. */
export interface Attempt {
  /** Takes it back, and forgets the failures of those keys. */
  readonly succeeded: (forget: readonly string[]) => void;
}

/** Counts attempts that fail. */
export interface AttemptGate {
  /** Throws `too_many_attempts` with how long to wait. */
  readonly begin: (patiences: readonly Patience[]) => Attempt;
}

const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 24 * 60 * 60_000;
const mostKeys = 20_000;

interface Failures {
  readonly count: number;
  readonly atMs: number;
  readonly closedUntilMs: number;
}

/** Creates a gate that has seen nobody. */
export function createAttemptGate(wall: Clock): AttemptGate {
  const clock = steadyOf(wall);
  const failures = new LRUCache<string, Failures>({ max: mostKeys });

  function known(key: string): Failures | undefined {
    const found = failures.get(key);
    return found && clock.now() - found.atMs < forgottenAfterMs ? found : undefined;
  }

  function begin(patiences: readonly Patience[]): Attempt {
    const nowMs = clock.now();
    const waitMs = Math.max(
      0,
      ...patiences.map(({ key }) => (known(key)?.closedUntilMs ?? 0) - nowMs),
    );
    if (waitMs > 0) throw tooMany(waitMs);
    for (const { key, free } of patiences) {
      const count = (known(key)?.count ?? 0) + 1;
      failures.set(key, { count, atMs: nowMs, closedUntilMs: nowMs + waitAfter(count - free) });
    }
    return { succeeded: (forget) => takeBack(patiences, forget) };
  }

  function takeBack(patiences: readonly Patience[], forget: readonly string[]): void {
    for (const { key } of patiences) {
      const found = known(key);
      if (!found || found.count <= 1 || forget.includes(key)) failures.delete(key);
      else failures.set(key, { ...found, count: found.count - 1, closedUntilMs: 0 });
    }
  }

  return { begin };
}

/** Nothing while it is free; then 1 s, 2 s, 4 s … */
const waitAfter = (paid: number): number =>
  paid < 1 ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(paid - 1, 30));

function tooMany(waitMs: number): AppError {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new AppError('too_many_attempts', { seconds });
}
