/** Promises that wait for a condition, each with a time at which it stops waiting. */
export interface Waiters {
  /** Resolves as soon as `isMet` holds when asked, or when the time is over. Never rejects. */
  readonly until: (isMet: () => boolean, timeoutMs: number) => Promise<void>;
  /** Asks every condition again. */
  readonly ask: () => void;
}

/** Creates the set of those who wait; asking costs nothing while there are none. */
export function createWaiters(): Waiters {
  const waiting = new Set<() => void>();

  function until(isMet: () => boolean, timeoutMs: number): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        waiting.delete(ask);
        resolve();
      };
      const ask = (): void => {
        if (isMet()) stop();
      };
      const timer = setTimeout(stop, timeoutMs);
      waiting.add(ask);
    });
  }

  return {
    until,
    ask: () => {
      for (const ask of waiting) ask();
    },
  };
}
