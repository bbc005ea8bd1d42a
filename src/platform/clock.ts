/** Undoes a registration or cancels a timer. */
export type Undo = () => void;

/** The clock as a parameter. Tests use one that they advance by hand. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs once, after this many milliseconds, but at most 24 days, the limit of timers. */
  readonly after: (delayMs: number, run: () => void) => Undo;
  /** Monotonic time; the clock itself when absent. */
  readonly steady?: Pick<Clock, 'now'>;
}

/**
 * The clock for waiting and measuring: a change of the system clock, by a person or by the network,
 * does not affect it.
 */
export const steadyOf = (clock: Clock): Clock =>
  clock.steady === undefined ? clock : { now: clock.steady.now, after: clock.after };

const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(delayMs, longestTimerMs));
    return () => clearTimeout(timer);
  },
  steady: { now: () => performance.timeOrigin + performance.now() },
};

/** A time in the form of the API: ISO 8601, UTC, milliseconds. */
export const toTimestamp = (unixMs: number): string => new Date(unixMs).toISOString();
