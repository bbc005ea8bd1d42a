import { createSemaphore } from '../../../../packages/lib/concurrency/index.ts';
import { KernelError } from '../../../../kernel/index.ts';

/** Runs the work when there is room. Throws `overloaded` when too many wait already. */
export type RunLimited = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * Limits how many searches run at a time; the others wait in the order in which they came. A plugin
 * may have 64 host calls under way and fails above that.
 */
export function createSearchLimit(atOnce = 8, mostWaiting = 1000): RunLimited {
  const refusal = (): KernelError =>
    new KernelError('overloaded', 'Too many searches wait already. Try again in a moment.');
  return createSemaphore(atOnce, { most: mostWaiting, refusal }).run;
}
