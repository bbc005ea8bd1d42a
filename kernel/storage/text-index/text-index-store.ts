import type { Knex } from 'knex';
import type { TextDocument } from '../../../plugin-api/index.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../database.ts';
import { createQueryPrefetch, type AskKinds, type KindsQuery } from './query-prefetch.ts';
import {
  clearIndex,
  dropIndex,
  findIndex,
  findOpenIndex,
  measureIndex,
  type OpenIndex,
} from './index-catalogue.ts';
import { createIndexQueue } from './index-queue.ts';
import { inParts, keptText } from './index-parts.ts';
import { putDocuments, removeDocuments } from './index-writes.ts';
import { queryKinds, runQuery, type TextHits, type TextQuery } from './index-query.ts';
import { createIndexUpkeep, type After } from './index-upkeep.ts';
import { findSimilar, type IndexedWord } from './similar-query.ts';

/** The text indexes of all plugins. No plugin's words, counts or documents show in another's. */
export interface TextIndexStore {
  /**
   * Adds or replaces documents, in their order and each whole; what is much text takes several transactions.
   * The last one of equal ids counts.
   */
  readonly put: (pluginId: string, documents: readonly TextDocument[]) => Promise<void>;
  /** Unknown ids are passed over. */
  readonly remove: (pluginId: string, ids: readonly string[]) => Promise<void>;
  /** Removes all documents. */
  readonly clear: (pluginId: string) => Promise<void>;
  readonly size: (pluginId: string) => Promise<number>;
  /** Characters of the texts that are kept; reads all of them. */
  readonly bytes: (pluginId: string) => Promise<number>;
  /** Over one kind, or over all of them as one. */
  readonly query: (
    pluginId: string,
    query: TextQuery & { readonly kind?: string; readonly limit: number },
  ) => Promise<TextHits>;
  /** Over several kinds, each for itself. */
  readonly queryKinds: (pluginId: string, query: KindsQuery) => Promise<readonly TextHits[]>;
  /**
   * Runs what a plugin is about to ask with {@link queryKinds}, when its last question was foreseen as
   * well; it is answered with that if it asks just so. `undefined`: nothing is foreseen.
   */
  readonly prefetch: (
    pluginId: string,
    query: TextQuery,
  ) => Promise<readonly TextHits[]> | undefined;
  readonly similar: (
    pluginId: string,
    near: { readonly text: string; readonly limit: number },
  ) => Promise<readonly IndexedWord[]>;
  /** Forgets the index itself. */
  readonly removeAll: (pluginId: string) => Promise<void>;
  /** What is known of an index is not so any more: somebody changed it in a transaction of their own. */
  readonly forget: (pluginId: string) => void;
  /** The same of all indexes. Whoever calls it once does so whenever another server changes one. */
  readonly forgetAll: () => void;
  /** Leaves the indexes as they are; to be called before the database is closed. */
  readonly rest: () => void;
}

/** Opens the indexes over their catalogue. */
export function createTextIndexStore(
  database: Database,
  parts: { readonly after: After; readonly log: Log },
): TextIndexStore {
  const { read, write } = database;
  const upkeep = createIndexUpkeep({
    database,
    after: parts.after,
    onError: (error) => parts.log.warn({ err: error }, 'A text index could not be merged.'),
  });
  /** What was read of each index since it was last written; with PostgreSQL others write, too. */
  const known = new Map<string, OpenIndex>();
  const prefetched = createQueryPrefetch();
  const queue = createIndexQueue();
  const isOwned = database.dialect === 'sqlite';
  let isTold = false;
  let writes = 0;

  const indexOf = async (pluginId: string): Promise<OpenIndex | undefined> => {
    const cached = known.get(pluginId);
    if (cached !== undefined) return cached;
    const writesBefore = writes;
    const index = await findOpenIndex(read, pluginId);
    const isKept = (isOwned || isTold) && writes === writesBefore;
    if (index !== undefined && isKept) known.set(pluginId, index);
    return index;
  };

  const change = async (
    pluginId: string,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> => {
    try {
      await write(work);
    } finally {
      forget(pluginId);
    }
  };

  function forget(pluginId: string): void {
    writes += 1;
    known.delete(pluginId);
    prefetched.forget(pluginId);
  }

  const askKinds =
    (pluginId: string): AskKinds =>
    async ({ kinds, ...query }) => {
      const index = await indexOf(pluginId);
      if (index === undefined) return kinds.map(() => ({ hits: [], total: 0 }));
      return queryKinds(read, index, query, kinds);
    };

  /** It only decides where a change is cut: whoever may not read will not write either, and says so then. */
  async function keptBy(pluginId: string, ids: readonly string[]): Promise<(id: string) => number> {
    const kept = await keptText(read, pluginId, ids).catch(() => new Map<string, number>());
    return (id) => kept.get(id) ?? 0;
  }

  return {
    put: async (pluginId, documents) => {
      if (documents.length === 0) return;
      const ids = documents.map(({ id }) => id);
      await queue.after(pluginId, async () => {
        const kept = await keptBy(pluginId, ids);
        const sizeOf = ({ id, title, body }: TextDocument): number =>
          title.length + body.length + kept(id);
        for (const part of inParts(documents, sizeOf))
          await change(pluginId, (trx) => putDocuments(trx, pluginId, part));
      });
      upkeep.wrote(pluginId, documents.length);
    },

    remove: async (pluginId, ids) => {
      if (ids.length === 0) return;
      await queue.after(pluginId, async () => {
        for (const part of inParts(ids, await keptBy(pluginId, ids)))
          await change(pluginId, (trx) => removeDocuments(trx, pluginId, part));
      });
      upkeep.wrote(pluginId, ids.length);
    },

    clear: (pluginId) =>
      queue.after(pluginId, () => change(pluginId, (trx) => clearIndex(trx, pluginId))),

    size: async (pluginId) => (await findIndex(read, pluginId))?.documents ?? 0,

    bytes: async (pluginId) => {
      const entry = await findIndex(read, pluginId);
      return entry === undefined ? 0 : measureIndex(read, entry.index_id);
    },

    query: async (pluginId, query) => {
      const index = await indexOf(pluginId);
      return index === undefined ? { hits: [], total: 0 } : runQuery(read, index, query);
    },

    queryKinds: (pluginId, query) => prefetched.answer(pluginId, query, askKinds(pluginId)),

    prefetch: (pluginId, query) => prefetched.prefetch(pluginId, query, askKinds(pluginId)),

    similar: async (pluginId, near) => {
      const index = await indexOf(pluginId);
      return index === undefined ? [] : findSimilar(read, index.tables, near);
    },

    removeAll: (pluginId) =>
      queue.after(pluginId, () => change(pluginId, (trx) => dropIndex(trx, pluginId))),

    forget,

    forgetAll: () => {
      isTold = true;
      writes += 1;
      known.clear();
      prefetched.forgetAll();
    },

    rest: upkeep.stop,
  };
}
