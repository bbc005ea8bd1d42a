import { createHook } from 'node:async_hooks';
import { onTestFinished } from 'vitest';
import type { Clock, Fetch } from '../../../packages/app/client/index.ts';

/** A clock that is moved by hand and waits, between two timers, until no request is under way. */
export interface QuietClock extends Clock {
  /** What the code under test fetches with. */
  readonly fetch: Fetch;
  readonly advance: (byMs: number) => Promise<void>;
  /** Waits until nothing is under way. */
  readonly settle: () => Promise<void>;
  /** How many timers are waiting. */
  readonly timers: () => number;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/**
 * Hashes and signatures run in other threads: they are under way, too, however busy the machine is.
 * Random bytes are not: `getRandomValues` has them at once, and its job, which nothing ever comes back
 * from, is only destroyed with the garbage, seconds later.
 */
const jobs = new Set<number>();
const hook = createHook({
  init: (id, type) => {
    if (type.endsWith('REQUEST') && type !== 'RANDOMBYTESREQUEST') jobs.add(id);
  },
  after: (id) => void jobs.delete(id),
  destroy: (id) => void jobs.delete(id),
  trackPromises: false,
});
let clocks = 0;

/** Until the test ends, since a hook makes all that is asynchronous slower. */
function watchJobs(): void {
  clocks += 1;
  hook.enable();
  onTestFinished(() => {
    clocks -= 1;
    if (clocks > 0) return;
    hook.disable();
    jobs.clear();
  });
}

export function createQuietClock(startMs = Date.UTC(2026, 10, 21, 7, 44, 53)): QuietClock {
  watchJobs();
  let nowMs = startMs;
  let underWay = 0;
  const timers = new Set<Timer>();
  const isQuiet = (): boolean => underWay === 0 && jobs.size === 0;

  /** Quiet for a few rounds of the event loop in a row: an answer may make the next request. */
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 8; quiet = isQuiet() ? quiet + 1 : 0)
      await new Promise((resolve) => {
        if (isQuiet()) setImmediate(resolve);
        else setTimeout(resolve, 1);
      });
  }

  const nextUntil = (endMs: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= endMs).sort((a, b) => a.at - b.at)[0];

  return {
    now: () => nowMs,
    after: (delayMs, run) => {
      const timer = { at: nowMs + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    fetch: async (url, init) => {
      underWay += 1;
      try {
        const response = await fetch(url, init);
        // Whole, so that an answer that is still on its way counts as under way.
        const body = [204, 304].includes(response.status) ? null : await response.arrayBuffer();
        return new Response(body, response);
      } finally {
        underWay -= 1;
      }
    },
    advance: async (byMs) => {
      const endMs = nowMs + byMs;
      await settle();
      for (let timer = nextUntil(endMs); timer; timer = nextUntil(endMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.at);
        timer.run();
        await settle();
      }
      nowMs = endMs;
      await settle();
    },
    settle,
    timers: () => timers.size,
  };
}
