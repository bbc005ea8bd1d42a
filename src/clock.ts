/** Takes back what was registered or planned. */
export type Undo = () => void;

/** Time as a part. Tests bring one that they move by hand. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs once, after so many milliseconds. */
  readonly after: (delayMs: number, run: () => void) => Undo;
}

/** The clock on the wall. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A moment as the interface spells it: ISO 8601, UTC, milliseconds. */
export const toTimestamp = (unixMs: number): string => new Date(unixMs).toISOString();
