/** Promises that wait for a condition, each with its own time limit. */
export interface Waiters {
  /** Resolves when `ask` finds that `isMet` holds, or when the time is over. Never rejects. */
  readonly until: (isMet: () => boolean, timeoutMs: number) => Promise<void>;
  /** Evaluates every condition again. */
  readonly ask: () => void;
}

/** Creates an empty set of waiters; `ask` costs nothing while it is empty. */
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
