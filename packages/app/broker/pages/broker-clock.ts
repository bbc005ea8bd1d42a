import { isClockFair } from '../signing/fair-clock.ts';
import { Refusal } from './api.ts';

/** The broker's time, which dates signatures, if it agrees with this device's clock. */
export interface BrokerClock {
  /** Milliseconds. */
  readonly nowMs: () => number;
  /** Seconds; throws when the two clocks differ too much for signing. */
  readonly toSignBy: () => number;
}

/** The clock from the `now` of a new reply; it advances from there. */
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
        'The clocks of this device and of the broker are more than ten minutes apart. Nothing was signed. Set the time of this device; if it is right, do not trust this broker.',
      );
    },
  };
}
