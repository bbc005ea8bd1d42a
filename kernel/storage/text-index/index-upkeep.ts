/**
 * Keeps indexes quick to ask. Every put leaves a small inverted index of its own, and FTS5 looks for a
 * word in each of those that it has not merged yet; after a scan this doubles what a query costs. So
 * when nobody has written for a while, an index of which much is new is merged into one, in steps so
 * short that no writer waits long. It only ever saves time: a step that fails, or is cut off by the
 * end of the server, leaves an index that answers as before. PostgreSQL keeps its indexes by itself.
 */
import type { Database } from '../database.ts';
import { findIndex } from './index-catalogue.ts';
import { tablesOf } from './index-tables.ts';

/** Runs something later, and gives what forgets it. */
export type After = (ms: number, run: () => void) => () => void;

/** Merges indexes when their time comes. */
export interface IndexUpkeep {
  /** So many documents of a plugin's index were put or removed. */
  readonly wrote: (pluginId: string, documents: number) => void;
  /** Begins no further step. */
  readonly stop: () => void;
}

/** Longer than the strides in which a running scan is followed. */
const quietMs = 6000;
const fewestDocuments = 1000;
/** Of the documents of an index so many must be new: a merge writes all of them once more. */
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
}): IndexUpkeep {
  const { database, after, onError } = parts;
  const backlogs = new Map<string, Backlog>();
  let isStopped = false;

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
    // A negative number begins with all there is, a positive one goes on.
    let pages = -pagesPerStep;
    while (await step(words, pages)) {
      if (isStopped || backlog.documents > merged) return;
      pages = pagesPerStep;
    }
    backlog.documents -= merged;
  }

  /** Whether there was anything to do. */
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
    stop: () => {
      isStopped = true;
      for (const { forget } of backlogs.values()) forget();
    },
  };
}
