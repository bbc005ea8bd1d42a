/**
 * Records in the audit log who called which action. Each call of an admin has its own entry. Calls
 * of a user have one entry for each user, action and hour: the first call of the hour, with the
 * count of the further calls of the previous hour. So no user can fill the log, or hide an act in
 * it.
 */
import { LRUCache } from 'lru-cache';
import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';
import type { Audit } from '../../platform/audit/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';

/** Records a call of an action. */
export type ActionAudit = (viewer: Viewer, pluginId: string, method: string) => Promise<void>;

interface Hour {
  readonly begunAt: number;
  /** Further calls, which have no entry. */
  more: number;
}

const hourMs = 60 * 60_000;
const mostKept = 20_000;

/** Creates it with no calls counted. */
export function createActionAudit(audit: Pick<Audit, 'record'>, wall: Clock): ActionAudit {
  const clock = steadyOf(wall);
  // With `max`, it would take the memory of all entries at once.
  const hours = new LRUCache<string, Hour>({ maxSize: mostKept, sizeCalculation: () => 1 });

  /** The number of counted calls without an entry; `null` = this call is only counted as well. */
  function countedBefore(key: string): number | null {
    const hour = hours.get(key);
    if (hour && clock.now() - hour.begunAt < hourMs) {
      hour.more += 1;
      return null;
    }
    hours.set(key, { begunAt: clock.now(), more: 0 });
    return hour?.more ?? 0;
  }

  return async (viewer, pluginId, method) => {
    const isAdmin = isFullAdmin(viewer);
    const counted = isAdmin ? 0 : countedBefore(JSON.stringify([viewer.userId, pluginId, method]));
    if (counted === null) return;
    await audit.record({
      actor: viewer,
      action: 'plugin.action_called',
      target: { type: 'plugin', id: pluginId },
      details: { method, ...(counted > 0 && { countedBefore: counted }) },
    });
  };
}
