/**
 * Limits the rate at which a user calls plugins: a burst, and then so many calls a second, for each
 * user and plugin. Admins are not limited.
 */
import { createKeyedTokenBuckets } from '../../../packages/lib/concurrency/index.ts';
import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';

/** Limits calls. */
export type ViewerRateLimit = ReturnType<typeof createViewerRateLimit>;

const burst = 30;
const perSecond = 10;
const mostKeys = 20_000;

/** Creates it with full buckets. */
export function createViewerRateLimit(wall: Clock) {
  const rate = { capacity: burst, refill: perSecond, everyMs: 1000 };
  const buckets = createKeyedTokenBuckets(rate, { mostKeys, now: steadyOf(wall).now });
  const refused = new Map<string, number>();

  return {
    /** Throws `too_many_requests` when the user has called the plugin too often. */
    take: (viewer: Viewer, pluginId: string): void => {
      if (isFullAdmin(viewer)) return;
      if (buckets.take(JSON.stringify([viewer.userId, pluginId])) === 0) return;
      refused.set(pluginId, (refused.get(pluginId) ?? 0) + 1);
      const what = `You can call plugin ${pluginId} at most ${perSecond} times a second; wait, and try again.`;
      throw new AppError('too_many_requests', { what });
    },
    /** The number of refused calls of a plugin. */
    turnedAway: (pluginId: string): number => refused.get(pluginId) ?? 0,
  };
}
