import type { Clock } from '../../platform/clock.ts';

/** Whether the client may send one more message. */
export type Spend = () => boolean;

const burst = 60;
const perSecond = 10;

/** A token bucket: limits bursts of messages, and the rate per second. */
export function createMessageBudget({ now }: Pick<Clock, 'now'>): Spend {
  let left = burst;
  let countedAt = now();
  return () => {
    const at = now();
    left = Math.min(burst, left + (Math.max(0, at - countedAt) / 1000) * perSecond);
    countedAt = at;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
