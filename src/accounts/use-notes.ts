import { LRUCache } from 'lru-cache';
import type { Log } from '../../kernel/index.ts';
import type { Clock } from '../clock.ts';

/** When credentials were last used: right to the minute, so a busy one costs one write in that time. */
export interface UseNotes {
  /** Starts the write, unless there was one for that credential within the last minute. */
  readonly add: (credentialId: string, write: (nowMs: number) => Promise<void>) => void;
  /** Waits for what is still being written. */
  readonly close: () => Promise<void>;
}

const everyMs = 60_000;
const mostKept = 1000;

/** Creates notes that nobody has made yet. */
export function createUseNotes({
  clock,
  log,
}: {
  readonly clock: Clock;
  readonly log: Log;
}): UseNotes {
  const notedAt = new LRUCache<string, number>({ max: mostKept });
  const writing = new Set<Promise<void>>();
  return {
    add: (credentialId, write) => {
      const nowMs = clock.now();
      const sinceMs = nowMs - (notedAt.get(credentialId) ?? Number.NEGATIVE_INFINITY);
      // A clock that was set back counts as long ago.
      if (Math.abs(sinceMs) < everyMs) return;
      notedAt.set(credentialId, nowMs);
      const written = write(nowMs)
        .catch((err: unknown) => log.warn({ err }, 'The use of a credential was not noted.'))
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    close: async () => {
      await Promise.all(writing);
    },
  };
}
