/**
 * Limits the rate at which a user calls plugins: a burst, and then so many calls a second, for each
 * user and plugin. Admins are not limited.
 */
import { LRUCache } from 'lru-cache';
import { isFullAdmin, type Viewer } from '../../people/accounts/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';

/** Limits calls. */
export interface ViewerRateLimit {
  /** Throws `too_many_requests` when the user has called the plugin too often. */
  readonly take: (viewer: Viewer, pluginId: string) => void;
  /** The number of refused calls of a plugin. */
  readonly turnedAway: (pluginId: string) => number;
}

interface Allowance {
  readonly calls: number;
  readonly atMs: number;
}

const burst = 30;
const perSecond = 10;
const mostKept = 20_000;

/** Creates it with full buckets. */
export function createViewerRateLimit(wall: Clock): ViewerRateLimit {
  const clock = steadyOf(wall);
  const allowances = new LRUCache<string, Allowance>({ max: mostKept });
  const refused = new Map<string, number>();

  return {
    take: (viewer, pluginId) => {
      if (isFullAdmin(viewer)) return;
      const key = JSON.stringify([viewer.userId, pluginId]);
      const atMs = clock.now();
      const { calls, atMs: countedAt } = allowances.get(key) ?? { calls: burst, atMs };
      const saved = Math.min(burst, calls + ((atMs - countedAt) * perSecond) / 1000);
      if (saved >= 1) {
        allowances.set(key, { calls: saved - 1, atMs });
        return;
      }
      refused.set(pluginId, (refused.get(pluginId) ?? 0) + 1);
      const what = `You can call plugin ${pluginId} at most ${perSecond} times a second; wait, and try again.`;
      throw new AppError('too_many_requests', { what });
    },
    turnedAway: (pluginId) => refused.get(pluginId) ?? 0,
  };
}
