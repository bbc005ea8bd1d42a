/**
 * One run at a time. Guest code runs only while a call is in flight: a run whose call has ended
 * never continues. So a run that has not moved for a while is given up, and the next begins; if the
 * old one continues later, it learns that it was given up.
 */

/** An active run. */
export interface Run {
  /** Reports progress; throws when the run was given up. */
  readonly moved: () => void;
  readonly end: () => void;
}

/** Lets one run begin at a time. */
export type SingleRun = ReturnType<typeof createSingleRun>;

const stalledAfterMs = 30_000;

/** Creates it over a clock in milliseconds. */
export function createSingleRun(clock: () => number) {
  let current: { movedAt: number } | undefined;
  return {
    /** `null` = a run is active. */
    begin: (): Run | null => {
      // After the clock was set back, the idle time is unknown.
      const stoodMs = current === undefined ? null : clock() - current.movedAt;
      if (stoodMs !== null && stoodMs >= 0 && stoodMs < stalledAfterMs) return null;
      const own = { movedAt: clock() };
      current = own;
      return {
        moved: () => {
          if (current !== own)
            throw new Error('This run stood still for too long and was given up.');
          own.movedAt = clock();
        },
        end: () => {
          if (current === own) current = undefined;
        },
      };
    },
  };
}
