/**
 * When a plugin that crashed comes back: after 1, 2, 4 … 60 s, at most 5 times in 10 minutes, then
 * never. A plugin whose shared host process was taken down by a neighbour comes back at once and
 * without blame; but a process that dies again and again with nobody to blame must not become a
 * loop, so beyond 20 in 10 minutes even that counts.
 */

const windowMs = 10 * 60_000;
const maxCrashRestarts = 5;
const maxBlamelessRestarts = 20;
const firstDelayMs = 1000;
const longestDelayMs = 60_000;

/** Counts the endings of one plugin since somebody last started it. */
export interface RestartRule {
  /** It crashed or was killed: milliseconds until it is started again, `null` = it has failed. */
  readonly afterCrash: (now: number) => number | null;
  /** It went down with its host process, for what another plugin did. */
  readonly afterDisconnect: (now: number) => number | null;
  /** Restarts after crashes, until 10 minutes went by without one. */
  readonly attempts: (now: number) => number;
}

/** Creates a rule that has seen nothing yet. */
export function createRestartRule(): RestartRule {
  let crashes: readonly number[] = [];
  let disconnects: readonly number[] = [];
  let attempts = 0;

  function afterCrash(now: number): number | null {
    crashes = recent(crashes, now);
    if (crashes.length === 0) attempts = 0;
    if (crashes.length >= maxCrashRestarts) return null;
    crashes = [...crashes, now];
    attempts += 1;
    return Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs);
  }

  function afterDisconnect(now: number): number | null {
    disconnects = recent(disconnects, now);
    if (disconnects.length >= maxBlamelessRestarts) return afterCrash(now);
    disconnects = [...disconnects, now];
    return 0;
  }

  return {
    afterCrash,
    afterDisconnect,
    attempts: (now) => (recent(crashes, now).length === 0 ? 0 : attempts),
  };
}

function recent(times: readonly number[], now: number): readonly number[] {
  return times.filter((time) => now - time < windowMs);
}
