import { IdentityError } from './identity-error.ts';

/** Cancels a registration or a timer. */
export type Undo = () => void;

/** The clock and its timers; tests replace it. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs once, after the delay. */
  readonly after: (delayMs: number, run: () => void) => Undo;
}

/** The clock of the device. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after the delay; rejects as `cancelled` when the signal fires first. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new IdentityError('cancelled'));
      return;
    }
    const onAbort = (): void => {
      undo();
      reject(new IdentityError('cancelled'));
    };
    const undo = clock.after(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
