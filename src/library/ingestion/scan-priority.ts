import type { Clock } from '../../platform/clock.ts';

/**
 * Scans go before ingests for a limited time: a person who adds a library wants to see its items,
 * and both at once would delay both. A scan of hours, over a slow network, does not hold up
 * ingests.
 */
export type ScanPriority = ReturnType<typeof createScanPriority>;

const headStartMs = 30_000;
/** A scan without a step for this long was lost, or waits itself. */
const silenceMs = 5000;
const lookEveryMs = 50;

export function createScanPriority({ now, after }: Pick<Clock, 'now' | 'after'>) {
  const scans = new Map<string, { readonly begunAt: number; steppedAt: number }>();

  const isAhead = ({ begunAt, steppedAt }: { readonly begunAt: number; steppedAt: number }) =>
    now() - begunAt < headStartMs && now() - steppedAt < silenceMs;

  return {
    /** A scan took a step. */
    noteScanStep: (jobId: string): void => {
      const scan = scans.get(jobId) ?? { begunAt: now(), steppedAt: 0 };
      scan.steppedAt = now();
      scans.set(jobId, scan);
    },
    scanEnds: (jobId: string): void => void scans.delete(jobId),
    /** Resolves when no scan goes first, or at `endAt`; false = at `endAt`. */
    waitForScans: async (endAt: number, signal: AbortSignal): Promise<boolean> => {
      while ([...scans.values()].some(isAhead)) {
        if (now() >= endAt || signal.aborted) return false;
        await new Promise<void>((resolve) => void after(lookEveryMs, resolve));
      }
      return true;
    },
  };
}
