/**
 * Merges text indexes so that queries stay fast. Every put adds a small inverted index, and FTS5
 * searches each unmerged one; after a scan this doubles the cost of a query. When no write has come
 * for a while, an index with many new documents is merged in steps so short that no writer waits
 * long. A step that fails or is interrupted leaves an index that answers as before. PostgreSQL
 * maintains its indexes itself.
 */
import type { Database } from '../database.ts';
import { findIndex } from './index-catalogue.ts';
import { tablesOf } from './index-tables.ts';

/** Runs something later; returns its cancellation. */
export type After = (ms: number, run: () => void) => () => void;

/** Merges indexes when they are due. */
export type IndexUpkeep = ReturnType<typeof createIndexUpkeep>;

/** Longer than the pauses between writes of a running scan. */
const quietMs = 6000;
const fewestDocuments = 1000;
/** The least share of new documents: a merge rewrites all of them. */
const leastShare = 0.1;
/** A few milliseconds of work. */
const pagesPerStep = 64;

interface Backlog {
  documents: number;
  forget: () => void;
}

export function createIndexUpkeep(parts: {
  readonly database: Pick<Database, 'dialect' | 'read' | 'write'>;
  readonly after: After;
  readonly onError: (error: unknown) => void;
}) {
  const { database, after, onError } = parts;
  const backlogs = new Map<string, Backlog>();
  let isStopped = false;

  /** Records how many documents of a plugin's index were put or removed. */
  function wrote(pluginId: string, documents: number): void {
    if (isStopped || database.dialect !== 'sqlite') return;
    const backlog = backlogs.get(pluginId) ?? { documents: 0, forget: () => undefined };
    backlogs.set(pluginId, backlog);
    backlog.forget();
    backlog.documents += documents;
    if (backlog.documents < fewestDocuments) return;
    backlog.forget = after(quietMs, () => void merge(pluginId, backlog).catch(fail));
  }

  function fail(error: unknown): void {
    if (!isStopped) onError(error);
  }

  async function merge(pluginId: string, backlog: Backlog): Promise<void> {
    const entry = await findIndex(database.read, pluginId);
    if (entry === undefined || backlog.documents < entry.documents * leastShare) return;
    const merged = backlog.documents;
    const { words } = tablesOf(entry.index_id);
    // A negative number starts a merge of everything, a positive one continues it.
    let pages = -pagesPerStep;
    while (await step(words, pages)) {
      if (isStopped || backlog.documents > merged) return;
      pages = pagesPerStep;
    }
    backlog.documents -= merged;
  }

  /** Returns whether there was anything to merge. */
  async function step(words: string, pages: number): Promise<boolean> {
    return database.write(async (trx) => {
      const changes = async (): Promise<number> => {
        const [row] = await trx.raw<readonly { readonly changes: number }[]>(
          'select total_changes() as changes',
        );
        return row?.changes ?? 0;
      };
      const before = await changes();
      await trx.raw(`insert into ${words} (${words}, rank) values ('merge', ${pages})`);
      return (await changes()) - before >= 2;
    });
  }

  return {
    wrote,
    /** Starts no further step. */
    stop: (): void => {
      isStopped = true;
      for (const { forget } of backlogs.values()) forget();
    },
  };
}
