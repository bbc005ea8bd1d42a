/**
 * A clock that never goes back. An expiry or grace period must not be extended by setting the
 * machine's clock back. So the latest time that was ever seen is stored with the license, and from
 * there the clock advances with the machine's monotonic clock.
 */
export type SteadyClock = ReturnType<typeof createSteadyClock>;

/** `wall` is the clock of the machine; `elapsed` is a monotonic clock in milliseconds. */
export function createSteadyClock(wall: () => number, elapsed: () => number) {
  let seenAt = 0;
  let seenElapsed = elapsed();

  function see(moment: number): number {
    seenAt = moment;
    seenElapsed = elapsed();
    return moment;
  }

  /** Unix milliseconds. */
  const now = (): number =>
    see(Math.max(Math.floor(wall()), seenAt + Math.floor(elapsed() - seenElapsed)));

  return {
    now,
    /** Continues from a time that was seen before. */
    resume: (latestSeenAt: number): void => void see(Math.max(now(), latestSeenAt)),
    /** Uses the machine's clock again, after the authority has confirmed the license. */
    reset: (): void => void see(Math.floor(wall())),
  };
}
