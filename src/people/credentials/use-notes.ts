import { LRUCache } from 'lru-cache';
import type { Log } from '../../../kernel/index.ts';
import type { Clock } from '../../platform/clock.ts';

/**
 * Records the last use of credentials, at minute precision: at most one write a minute for each.
 */
export type UseNotes = ReturnType<typeof createUseNotes>;

const everyMs = 60_000;
const mostKept = 1000;

/** Creates an empty record. */
export function createUseNotes({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const notedAt = new LRUCache<string, number>({ max: mostKept });
  const writing = new Set<Promise<void>>();
  return {
    /** Waits for pending writes. */
    add: (credentialId: string, write: (nowMs: number) => Promise<void>): void => {
      const nowMs = clock.now();
      const sinceMs = nowMs - (notedAt.get(credentialId) ?? Number.NEGATIVE_INFINITY);
      // A last use in the future (the clock was set back) counts as old.
      if (Math.abs(sinceMs) < everyMs) return;
      notedAt.set(credentialId, nowMs);
      const written = write(nowMs)
        .catch((err: unknown) => log.warn({ err }, 'The last use of a credential was not stored.'))
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    /** Waits for pending writes. */
    close: async (): Promise<void> => {
      await Promise.all(writing);
    },
  };
}
