import type { Clock } from '../../../../src/platform/clock.ts';

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /**
   * Advances the clock. Due timers run in order, each at its own time. After each timer `settle` is
   * awaited, so that the work it started may set further timers.
   */
  readonly advance: (byMs: number, settle: () => Promise<void>) => Promise<void>;
  /** When the next timer is due. */
  readonly nextAt: () => number | null;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Creates it at a moment, in Unix milliseconds. */
export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();

  const next = (endMs = Number.POSITIVE_INFINITY): Timer | undefined =>
    [...timers].filter(({ at }) => at <= endMs).sort((one, other) => one.at - other.at)[0];

  return {
    now: () => nowMs,
    after: (delayMs, run) => {
      const timer = { at: nowMs + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    nextAt: () => next()?.at ?? null,
    advance: async (byMs, settle) => {
      const endMs = nowMs + byMs;
      await settle();
      for (let timer = next(endMs); timer; timer = next(endMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.at);
        await settle();
        timer.run();
        await settle();
      }
      nowMs = endMs;
      await settle();
    },
  };
}
