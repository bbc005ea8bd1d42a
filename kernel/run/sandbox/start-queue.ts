/**
 * Starts processes of installed plugins one at a time. A start is a burst of work, so plugins that
 * crash right after their start, or many restarts at once, must cost others no more than one start
 * does. A slow start delays the next one only for a moment.
 */
export type StartQueue = ReturnType<typeof createStartQueue>;

/** `longestMs`: the next start begins beside one that takes longer. `patienceMs`: the longest wait. */
export function createStartQueue(limits: {
  readonly longestMs: number;
  readonly patienceMs: number;
}) {
  let last: Promise<unknown> = Promise.resolve();

  return {
    /** Resolves when a start may begin; the result must be called when that start is over. */
    take: async (): Promise<() => void> => {
      const over = Promise.withResolvers<undefined>();
      const begun = atMost(limits.patienceMs, last);
      last = begun.then(() => atMost(limits.longestMs, over.promise));
      await begun;
      return () => over.resolve(undefined);
    },
  };
}

/** Resolves when `wait` does, or when the time is up. */
function atMost(ms: number, wait: Promise<unknown>): Promise<unknown> {
  const up = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => up.resolve(undefined), ms);
  timer.unref();
  return Promise.race([wait, up.promise]).finally(() => clearTimeout(timer));
}
