/** How long after a failed attempt the next one comes; after the last of these there is none. */
export const retryDelaysMs = [
  5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000,
] as const;

/** So much is added at random, so that receivers are not stormed when they come back. */
const jitter = 0.2;

/**
 * How long to wait after so many attempts, all failed; `null` = give up. `random` is from 0 to below 1.
 */
export function retryDelay(attempts: number, random: () => number): number | null {
  const delay = retryDelaysMs[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + jitter * random()));
}

/** So many failures in a row, of whichever deliveries, and the receiver is let alone for a while. */
const failuresToRest = 5;
const firstRestMs = 30_000;
const longestRestMs = 600_000;

/** How long nothing is sent to a receiver that failed so many times in a row. */
export function restAfter(failures: number): number {
  if (failures < failuresToRest) return 0;
  return Math.min(firstRestMs * 2 ** Math.min(failures - failuresToRest, 10), longestRestMs);
}
