/**
 * Applies changes of `vitrine users reset` while the server runs. The server caches rights, so a
 * request checks the table of outside changes at most once a second. One second after that command
 * ends, no earlier right is in force.
 */
import type { Database } from '../../../kernel/store/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { lastOutsideChange, outsideChangesAfter } from './outside-change-store.ts';

/** Changes that another process made. */
export type OutsideChanges = ReturnType<typeof createOutsideChanges>;

export interface OutsideChangesParts {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly changed: (userId: string) => void;
}

const lookEveryMs = 1000;

/** Creates it; nothing is cached before the first check, so earlier changes are skipped. */
export function createOutsideChanges(parts: OutsideChangesParts) {
  const { database, clock, changed } = parts;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let seen: number | null = null;

  async function look(): Promise<void> {
    if (seen === null) {
      seen = await lastOutsideChange(database.read);
      return;
    }
    for (const { seq, userId } of await outsideChangesAfter(database.read, seen)) {
      seen = seq;
      changed(userId);
    }
  }

  return {
    /** Reports the changes since the last check, if that was at least a second ago. */
    catchUp: async (): Promise<void> => {
      const nowMs = clock.now();
      if (nowMs - lookedAtMs < lookEveryMs) return;
      lookedAtMs = nowMs;
      await look();
    },
  };
}
