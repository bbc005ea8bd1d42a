/**
 * What `vitrine users reset` changed while the server runs. The server keeps rights in memory, so it
 * looks once a second, when somebody asks for something, whether another program changed a user; from
 * a second after that program ended, nothing of before it holds.
 */
import type { Database } from '../../kernel/index.ts';
import type { Clock } from '../clock.ts';
import { lastOutsideChange, outsideChangesAfter } from './outside-change-store.ts';

/** Changes that another program made. */
export interface OutsideChanges {
  /** Tells of what there is since the last look, if that was a second ago. */
  readonly catchUp: () => Promise<void>;
}

/** What it is made of. */
export interface OutsideChangesParts {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly changed: (userId: string) => void;
}

const lookEveryMs = 1000;

/** Creates it; what was changed before the first look is in no memory yet. */
export function createOutsideChanges(parts: OutsideChangesParts): OutsideChanges {
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
    catchUp: async () => {
      const nowMs = clock.now();
      if (nowMs - lookedAtMs < lookEveryMs) return;
      lookedAtMs = nowMs;
      await look();
    },
  };
}
