import { IdentityError } from './identity-error.ts';

/** Takes back what was registered or planned. */
export type Undo = () => void;

/** Time as a part. Tests bring one that they move by hand. */
export interface Clock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Runs once, after so many milliseconds. */
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

/** Resolves after so many milliseconds; rejects as `cancelled` when the signal fires before. */
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
