/** Takes back what was registered or planned. */
export type Undo = () => void;

/** Time as a part. Tests bring one that they move by hand. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs once, after so many milliseconds, or after 24 days, which is as far as timers reach. */
  readonly after: (delayMs: number, run: () => void) => Undo;
  /** Time that nobody sets; the clock itself when absent. */
  readonly steady?: Pick<Clock, 'now'>;
}

/**
 * The clock of whatever waits or measures and keeps no moment: a machine whose clock is set, by a
 * person or by the network, neither hurries it nor holds it up.
 */
export const steadyOf = (clock: Clock): Clock =>
  clock.steady === undefined ? clock : { now: clock.steady.now, after: clock.after };

const longestTimerMs = 2 ** 31 - 1;

/** The clock on the wall. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(delayMs, longestTimerMs));
    return () => clearTimeout(timer);
  },
  steady: { now: () => performance.timeOrigin + performance.now() },
};

/** A moment as the interface spells it: ISO 8601, UTC, milliseconds. */
export const toTimestamp = (unixMs: number): string => new Date(unixMs).toISOString();
