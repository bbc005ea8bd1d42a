/** Promises that wait for a condition, each with its own time limit. */
export type Waiters = ReturnType<typeof createWaiters>;

/** Creates an empty set of waiters; `ask` costs nothing while it is empty. */
export function createWaiters() {
  const waiting = new Set<() => void>();

  /** Resolves when `ask` finds that `isMet` holds, or when the time is over. Never rejects. */
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
    /** Evaluates every condition again. */
    ask: (): void => {
      for (const ask of waiting) ask();
    },
  };
}
