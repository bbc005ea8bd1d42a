/** A semaphore: runs a limited number at a time, the others in the order in which they came. */
export interface Semaphore {
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = count;

  async function take(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
  }

  /** Passes the slot to the next waiting call, so that no later one overtakes. */
  function release(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    run: async (work) => {
      await take();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
