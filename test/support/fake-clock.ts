import type { Clock } from '../../src/platform/clock.ts';

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Moves on, running what falls due in its order, and lets promises settle between. */
  readonly advance: (byMs: number) => Promise<void>;
  /** Somebody sets the clock: what it shows changes, and no time passes. */
  readonly set: (byMs: number) => void;
  /** How many timers are waiting: what a test leaves behind, it has leaked. */
  readonly timers: () => number;
  /** When the next timer is due. */
  readonly nextAt: () => number | undefined;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Creates a clock that starts at a round moment. */
export function createFakeClock(startMs = Date.UTC(2026, 10, 21, 7, 44, 53)): FakeClock {
  let nowMs = startMs;
  /** What the clock shows is so much more than the time that has passed since its start. */
  let setByMs = 0;
  const timers = new Set<Timer>();

  const nextUntil = (endMs: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= endMs).sort((a, b) => a.at - b.at)[0];

  async function advance(byMs: number): Promise<void> {
    const endMs = nowMs + byMs;
    await settled();
    for (let timer = nextUntil(endMs); timer; timer = nextUntil(endMs)) {
      timers.delete(timer);
      nowMs = Math.max(nowMs, timer.at);
      timer.run();
      await settled();
    }
    nowMs = endMs;
    await settled();
  }

  return {
    now: () => nowMs + setByMs,
    steady: { now: () => nowMs },
    set: (byMs) => {
      setByMs += byMs;
    },
    after: (delayMs, run) => {
      const timer = { at: nowMs + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance,
    timers: () => timers.size,
    nextAt: () => {
      const next = nextUntil(Number.POSITIVE_INFINITY);
      return next && next.at + setByMs;
    },
  };
}

/** Lets what was resolved run on, through a few rounds of the event loop. */
async function settled(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
