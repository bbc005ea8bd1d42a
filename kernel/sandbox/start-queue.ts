/**
 * Starts of installed plugins' processes, one after the other: a start is a burst of work, and plugins that
 * crash as soon as they have started, or many that come back at once, must cost the others no more than
 * one of them would. Whoever takes long to start, or to fail, holds nobody up for more than a moment.
 */
export interface StartQueue {
  /** Resolves when a start may begin; what it gives has to be called when that start is over. */
  readonly take: () => Promise<() => void>;
}

/** `longestMs`: the next begins beside a start that takes longer; `patienceMs`: nobody waits longer. */
export function createStartQueue(limits: {
  readonly longestMs: number;
  readonly patienceMs: number;
}): StartQueue {
  let last: Promise<unknown> = Promise.resolve();

  return {
    take: async () => {
      const over = Promise.withResolvers<undefined>();
      const begun = atMost(limits.patienceMs, last);
      last = begun.then(() => atMost(limits.longestMs, over.promise));
      await begun;
      return () => over.resolve(undefined);
    },
  };
}

/** Resolves with what it is given, or when the time is up. */
function atMost(ms: number, wait: Promise<unknown>): Promise<unknown> {
  const up = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => up.resolve(undefined), ms);
  timer.unref();
  return Promise.race([wait, up.promise]).finally(() => clearTimeout(timer));
}
