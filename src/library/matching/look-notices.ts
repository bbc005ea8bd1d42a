/**
 * One notification for each library with items that need a look. It counts them, and is about the
 * library: it is changed while it is unread, and marked as read when nothing is left. A number that
 * did not grow makes no new one, so what an admin has read stays read.
 */
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { Undo } from '../../platform/clock.ts';
import { say, type Text } from '../../platform/text.ts';
import { countLooks } from './look-store.ts';

/** Keeps the notifications up to date. */
export type LookNotices = ReturnType<typeof createLookNotices>;

/** What they need. */
export interface LookNoticesParts {
  readonly database: Pick<Database, 'read'>;
  readonly events: {
    readonly listen: (name: string, listener: (event: { readonly data: object }) => void) => Undo;
  };
  readonly libraryIds: () => Promise<readonly string[]>;
  readonly libraryName: (id: string) => string | undefined;
  readonly notifications: {
    /** Changes the unread notification about the same; without one it stores this, if it is news. */
    readonly renew: (
      notice: {
        readonly level: 'info';
        readonly title: Text;
        readonly message: Text;
        readonly source: string;
        readonly about: string;
      },
      how: { readonly isNews: boolean },
    ) => Promise<void>;
    readonly resolve: (about: string) => Promise<void>;
  };
  readonly log: Log;
}

const endings = ['job.completed', 'job.failed', 'library.deleted'];

const titleOf = (count: number, library: string): Text =>
  count === 1
    ? say('matching.oneItemNeedsLook', { library })
    : say('matching.itemsNeedLook', { count, library });

/** Creates them; nothing is counted before `start`. */
export function createLookNotices(parts: LookNoticesParts) {
  const { database, notifications } = parts;
  const counts = new Map<string, number>();
  let undos: readonly Undo[] = [];
  let work: Promise<void> = Promise.resolve();

  async function look(libraryId: string): Promise<void> {
    const before = counts.get(libraryId) ?? 0;
    const name = parts.libraryName(libraryId);
    const now = name === undefined ? 0 : await countLooks(database.read, libraryId);
    if (now === before) return;
    counts.set(libraryId, now);
    const about = `matches:${libraryId}`;
    if (now === 0) return notifications.resolve(about);
    const notice = {
      level: 'info',
      title: titleOf(now, name ?? libraryId),
      message: say('matching.cataloguesSeveralEntriesMayTheirs'),
      source: 'libraries',
      about,
    } as const;
    return notifications.renew(notice, { isNews: now > before });
  }

  /** One at a time, so that the last count is the one that is told. */
  function lookSoon(libraryId: string): void {
    work = work
      .then(() => look(libraryId))
      .catch((err: unknown) =>
        parts.log.warn({ libraryId, err }, 'The items that need a look could not be counted'),
      );
  }

  return {
    /** Counts what there is, and again whenever a job of a library has ended. */
    start: async (): Promise<void> => {
      for (const id of await parts.libraryIds())
        counts.set(id, await countLooks(database.read, id));
      undos = endings.map((name) =>
        parts.events.listen(name, ({ data }) => {
          if ('libraryId' in data && typeof data.libraryId === 'string') lookSoon(data.libraryId);
        }),
      );
    },
    stop: async (): Promise<void> => {
      for (const undo of undos) undo();
      await work;
    },
  };
}
