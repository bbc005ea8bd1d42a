/**
 * A clock that never goes back. An expiry or grace period must not be extended by setting the
 * machine's clock back. So the latest time that was ever seen is stored with the license, and from
 * there the clock advances with the machine's monotonic clock.
 */
export interface SteadyClock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Continues from a time that was seen before. */
  readonly resume: (latestSeenAt: number) => void;
  /** Uses the machine's clock again, after the authority has confirmed the license. */
  readonly reset: () => void;
}

/** `wall` is the clock of the machine; `elapsed` is a monotonic clock in milliseconds. */
export function createSteadyClock(wall: () => number, elapsed: () => number): SteadyClock {
  let seenAt = 0;
  let seenElapsed = elapsed();

  function see(moment: number): number {
    seenAt = moment;
    seenElapsed = elapsed();
    return moment;
  }

  const now = () => see(Math.max(Math.floor(wall()), seenAt + Math.floor(elapsed() - seenElapsed)));

  return {
    now,
    resume: (latestSeenAt) => void see(Math.max(now(), latestSeenAt)),
    reset: () => void see(Math.floor(wall())),
  };
}
