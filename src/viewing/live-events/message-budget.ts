import { createTokenBucket } from '../../../packages/concurrency/index.ts';
import type { Clock } from '../../platform/clock.ts';

/** Whether the client may send one more message. */
export type Spend = () => boolean;

/** Ten messages a second, in bursts of 60. */
const rate = { capacity: 60, refill: 10, everyMs: 1000 };

/** Limits the messages of one client. */
export function createMessageBudget({ now }: Pick<Clock, 'now'>): Spend {
  const bucket = createTokenBucket(rate, now);
  return () => bucket.take() === 0;
}
