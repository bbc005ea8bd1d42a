/**
 * Time that does not go back. What runs out - a license, its grace - must not run longer because the
 * clock of the machine was set back; so the latest moment that was ever seen is kept with the license,
 * and from there time goes on as the machine runs, whatever its clock says.
 */
export interface SteadyClock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Goes on from a moment that was seen before. */
  readonly resume: (latestSeenAt: number) => void;
  /** Trusts the clock of the machine again: somebody else has just vouched for the license. */
  readonly reset: () => void;
}

/** `wall` is the clock of the machine; `elapsed` counts the milliseconds that it runs. */
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
