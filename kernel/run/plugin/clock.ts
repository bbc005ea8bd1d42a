import type { Undo } from '../../call/host-service.ts';

/** The time of a server. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs once, later; the undo cancels it. Does not keep the process alive. */
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
