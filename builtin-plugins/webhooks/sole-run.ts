/**
 * One run at a time. Guest code runs only while a call is in flight: a run whose call was ended stands
 * still for ever. So one that has not moved for a while is given up, and the next begins; should the
 * old one wake up again, it finds that it is over.
 */

/** A run that is under way. */
export interface Run {
  /** Notes that it goes on; throws when it was given up. */
  readonly moved: () => void;
  readonly end: () => void;
}

/** Lets one run begin at a time. */
export interface SoleRun {
  /** `null` = one is under way. */
  readonly begin: () => Run | null;
}

const stalledAfterMs = 30_000;

/** Creates it over a clock in milliseconds. */
export function createSoleRun(clock: () => number): SoleRun {
  let current: { movedAt: number } | undefined;
  return {
    begin: () => {
      // A clock that was set back says nothing of how long it stood still.
      const stoodMs = current === undefined ? null : clock() - current.movedAt;
      if (stoodMs !== null && stoodMs >= 0 && stoodMs < stalledAfterMs) return null;
      const own = { movedAt: clock() };
      current = own;
      return {
        moved: () => {
          if (current !== own) throw new Error('This run stood still for too long, and is over.');
          own.movedAt = clock();
        },
        end: () => {
          if (current === own) current = undefined;
        },
      };
    },
  };
}
