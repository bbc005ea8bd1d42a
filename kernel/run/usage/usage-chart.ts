/**
 * A plugin's usage in each minute of the last hour. It holds 60 points and has no timer: each sample
 * gives the counters, and the difference is added to the current minute.
 */
import type { Clock } from '../plugin/clock.ts';

/** Counters that only grow. */
export interface UsageTotals {
  /** Calls into the plugin. */
  readonly calls: number;
  readonly hostCalls: number;
  readonly refused: number;
  readonly cpuMs: number;
  /** How long it was paused because it had used up its processor quota. */
  readonly pausedMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly eventsDropped: number;
  readonly restarts: number;
}

/** Present values. */
export interface UsageHeights {
  readonly memoryBytes: number;
  readonly queued: number;
}

/** One minute. */
export interface UsagePoint extends UsageTotals {
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly memoryPeakBytes: number;
  readonly queuePeak: number;
}

/** The chart of one plugin. */
export type UsageChart = ReturnType<typeof createUsageChart>;

const minuteMs = 60_000;
const minutes = 60;

const nothing: UsageTotals = {
  calls: 0,
  hostCalls: 0,
  refused: 0,
  cpuMs: 0,
  pausedMs: 0,
  bytesIn: 0,
  bytesOut: 0,
  eventsDropped: 0,
  restarts: 0,
};

const names = Object.keys(nothing) as readonly (keyof UsageTotals)[];

/** A smaller counter than before was reset by another version of the plugin. */
const added = (now: number, before: number): number => (now < before ? now : now - before);

/** Creates an empty chart. */
export function createUsageChart(clock: Clock) {
  const points = new Map<number, Omit<UsagePoint, 'at'>>();
  let before = nothing;

  const minuteNow = (): number => Math.floor(clock.now() / minuteMs);

  function sample(totals: UsageTotals, { memoryBytes, queued }: UsageHeights): void {
    const minute = minuteNow();
    const known = points.get(minute) ?? { ...nothing, memoryPeakBytes: 0, queuePeak: 0 };
    const sums = names.map((name): readonly [string, number] => [
      name,
      known[name] + added(totals[name], before[name]),
    ]);
    points.set(minute, {
      ...known,
      ...Object.fromEntries(sums),
      memoryPeakBytes: Math.max(known.memoryPeakBytes, memoryBytes),
      queuePeak: Math.max(known.queuePeak, queued),
    });
    before = totals;
    for (const old of points.keys()) if (old <= minute - minutes) points.delete(old);
  }

  return {
    sample,
    /** 60 minutes, the current one last; idle minutes are all zeros. */
    points: (): readonly UsagePoint[] => {
      const last = minuteNow();
      return Array.from({ length: minutes }, (_, index) => {
        const minute = last - minutes + 1 + index;
        const point = points.get(minute) ?? { ...nothing, memoryPeakBytes: 0, queuePeak: 0 };
        return { at: new Date(minute * minuteMs).toISOString(), ...point };
      });
    },
  };
}
