import type { Undo } from '../host-service.ts';

/** Time, as the parts of a server see it. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs once, later; the undo takes it back. Keeps no process alive. */
  readonly after: (delayMs: number, run: () => void) => Undo;
}

/** The time of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
