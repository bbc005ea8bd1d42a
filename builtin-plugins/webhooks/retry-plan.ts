/** The delays after failed attempts; after the last one there is no further attempt. */
export const retryDelaysMs = [
  5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000,
] as const;

/** The random share that is added, so that a returning receiver does not get all retries at once. */
const jitter = 0.2;

/** The delay after so many attempts, all failed; `null` = give up. `random` is from 0 to below 1. */
export function retryDelay(attempts: number, random: () => number): number | null {
  const delay = retryDelaysMs[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + jitter * random()));
}

/** After so many consecutive failures, of any deliveries, the receiver is paused. */
const failuresToRest = 5;
const firstRestMs = 30_000;
const longestRestMs = 600_000;

/** How long a receiver is paused after so many consecutive failures. */
export function restAfter(failures: number): number {
  if (failures < failuresToRest) return 0;
  return Math.min(firstRestMs * 2 ** Math.min(failures - failuresToRest, 10), longestRestMs);
}
