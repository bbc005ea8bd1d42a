/**
 * When a crashed plugin restarts: after 1, 2, 4 … 60 s, at most 5 times in 10 minutes, then never. A
 * plugin whose shared host process was taken down by another plugin restarts at once, and this does
 * not count as its crash. To end a loop of such restarts, those beyond 20 in 10 minutes do count.
 */

const windowMs = 10 * 60_000;
const maxCrashRestarts = 5;
const maxBlamelessRestarts = 20;
const firstDelayMs = 1000;
const longestDelayMs = 60_000;

/** Counts the ends of one plugin since its last start by an admin or the boot. */
export type RestartRule = ReturnType<typeof createRestartRule>;

/** Creates a rule without crashes. */
export function createRestartRule() {
  let crashes: readonly number[] = [];
  let disconnects: readonly number[] = [];
  let attempts = 0;

  /** After a crash or a kill: milliseconds until its restart, `null` = it has failed. */
  function afterCrash(now: number): number | null {
    crashes = recent(crashes, now);
    if (crashes.length === 0) attempts = 0;
    if (crashes.length >= maxCrashRestarts) return null;
    crashes = [...crashes, now];
    attempts += 1;
    return Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs);
  }

  /** After its host process ended through another plugin's fault. */
  function afterDisconnect(now: number): number | null {
    disconnects = recent(disconnects, now);
    if (disconnects.length >= maxBlamelessRestarts) return afterCrash(now);
    disconnects = [...disconnects, now];
    return 0;
  }

  return {
    afterCrash,
    afterDisconnect,
    /** Restarts after crashes; starts at 0 again after 10 minutes without a crash. */
    attempts: (now: number): number => (recent(crashes, now).length === 0 ? 0 : attempts),
  };
}

function recent(times: readonly number[], now: number): readonly number[] {
  return times.filter((time) => now - time < windowMs);
}
