import type { Clock } from '../clock.ts';

/** Whether one more message of a client is within what it may send. */
export type Spend = () => boolean;

const burst = 60;
const perSecond = 10;

/** So many messages at once, and so many a second for long. */
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
