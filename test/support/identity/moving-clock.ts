/**
 * A clock that ticks as the one on the wall and can be set ahead, like the one of a machine that slept:
 * what fell due in the meantime then runs once. Whole servers live by it, whose own timers must go on.
 */
import type { Clock } from '../../../src/platform/clock.ts';

/** A clock that can be set ahead. */
export interface MovingClock extends Clock {
  /** Sets it ahead; resolves when what fell due was started. */
  readonly advance: (byMs: number) => Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
  wait: NodeJS.Timeout;
}

/** Creates one that shows the time of the machine. */
export function createMovingClock(): MovingClock {
  let aheadMs = 0;
  const timers = new Set<Timer>();
  const now = (): number => Date.now() + aheadMs;

  function wind(timer: Pick<Timer, 'at'>, ring: () => void): NodeJS.Timeout {
    const wait = setTimeout(ring, Math.min(Math.max(0, timer.at - now()), 2 ** 31 - 1));
    wait.unref();
    return wait;
  }

  function after(delayMs: number, run: () => void): () => void {
    const at = now() + delayMs;
    const ring = (): void => {
      if (!timers.delete(timer)) return;
      clearTimeout(timer.wait);
      run();
    };
    const timer: Timer = { at, run: ring, wait: wind({ at }, ring) };
    timers.add(timer);
    return () => {
      clearTimeout(timer.wait);
      timers.delete(timer);
    };
  }

  async function advance(byMs: number): Promise<void> {
    aheadMs += byMs;
    const due = [...timers].filter(({ at }) => at <= now()).sort((a, b) => a.at - b.at);
    for (const timer of due) timer.run();
    for (const timer of timers) {
      clearTimeout(timer.wait);
      timer.wait = wind(timer, timer.run);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  return { now, after, advance };
}
