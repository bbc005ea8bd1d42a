import { KernelError } from '../../../../kernel/index.ts';

/** Runs the work when there is room. Throws `overloaded` when too many wait already. */
export type RunLimited = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * Limits how many searches run at a time; the others wait in the order in which they came. A plugin
 * may have 64 host calls under way and fails above that.
 */
export function createSearchLimit(atOnce = 8, mostWaiting = 1000): RunLimited {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function turn(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= mostWaiting) {
      throw new KernelError('overloaded', 'Too many searches wait already. Try again in a moment.');
    }
    // The ending search passes its slot on, so that no later one overtakes.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function pass(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return async (work) => {
    await turn();
    try {
      return await work();
    } finally {
      pass();
    }
  };
}
