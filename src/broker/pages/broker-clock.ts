import { isClockFair } from '../signing/fair-clock.ts';
import { Refusal } from './api.ts';

/** The broker's time, which signatures are dated by, as far as it agrees with this device's. */
export interface BrokerClock {
  /** Milliseconds. */
  readonly nowMs: () => number;
  /** Seconds; rejects to sign at all when the two clocks are too far apart. */
  readonly toSignBy: () => number;
}

/** The clock of a reply that just came, told by its `now`; it runs on from there. */
export function brokerClock(now: number): BrokerClock {
  const [came, own] = [performance.now(), Date.now()];
  const nowMs = (): number => now + Math.round(performance.now() - came);
  return {
    nowMs,
    toSignBy: () => {
      if (isClockFair(now, own) && isClockFair(nowMs(), Date.now()))
        return Math.floor(nowMs() / 1000);
      throw new Refusal(
        'clock_unfair',
        'The clocks of this device and of the broker are more than ten minutes apart. Nothing was signed. Set the time of this device; if it is right, the broker is not to be trusted.',
      );
    },
  };
}
