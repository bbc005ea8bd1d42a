import type { Knex } from 'knex';
import { createKeyedSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { TextDocument } from '../../../plugin-api/index.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../database.ts';
import {
  clearIndex,
  dropIndex,
  findIndex,
  findOpenIndex,
  measureIndex,
  type OpenIndex,
} from './index-catalogue.ts';
import { inParts, keptText } from './index-parts.ts';
import { putDocuments, removeDocuments } from './index-writes.ts';
import {
  queryKinds,
  runQuery,
  type KindsQuery,
  type TextHits,
  type TextQuery,
} from './index-query.ts';
import { createIndexUpkeep, type After } from './index-upkeep.ts';
import { findSimilar, type IndexedWord } from './similar-query.ts';

/** The text indexes of all plugins. They share no words, counts or documents. */
export type TextIndexStore = ReturnType<typeof createTextIndexStore>;

/** Opens the indexes over their catalogue. */
export function createTextIndexStore(
  database: Database,
  parts: { readonly after: After; readonly log: Log },
) {
  const { read, write } = database;
  const upkeep = createIndexUpkeep({
    database,
    after: parts.after,
    onError: (error) => parts.log.warn({ err: error }, 'A text index could not be merged.'),
  });
  /** Cached parts of each index, valid until its next write; with PostgreSQL other servers write too. */
  const known = new Map<string, OpenIndex>();
  /** Changes of one index run one at a time, each with all of its parts. */
  const queue = createKeyedSerialQueue<string>();
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

  /** Clears the cache of an index that was changed in another transaction. */
  function forget(pluginId: string): void {
    writes += 1;
    known.delete(pluginId);
  }

  /**
   * The lengths only decide where a change is cut. A failed read is ignored, since the write will
   * fail too.
   */
  async function keptBy(pluginId: string, ids: readonly string[]): Promise<(id: string) => number> {
    const kept = await keptText(read, pluginId, ids).catch(() => new Map<string, number>());
    return (id) => kept.get(id) ?? 0;
  }

  return {
    /**
     * Adds or replaces documents, in order and each atomically; much text takes several
     * transactions. The last one of equal ids counts.
     */
    put: async (pluginId: string, documents: readonly TextDocument[]): Promise<void> => {
      if (documents.length === 0) return;
      const ids = documents.map(({ id }) => id);
      await queue.run(pluginId, async () => {
        const kept = await keptBy(pluginId, ids);
        const sizeOf = ({ id, title, body }: TextDocument): number =>
          title.length + body.length + kept(id);
        for (const part of inParts(documents, sizeOf))
          await change(pluginId, (trx) => putDocuments(trx, pluginId, part));
      });
      upkeep.wrote(pluginId, documents.length);
    },

    /** Unknown ids are ignored. */
    remove: async (pluginId: string, ids: readonly string[]): Promise<void> => {
      if (ids.length === 0) return;
      await queue.run(pluginId, async () => {
        for (const part of inParts(ids, await keptBy(pluginId, ids)))
          await change(pluginId, (trx) => removeDocuments(trx, pluginId, part));
      });
      upkeep.wrote(pluginId, ids.length);
    },

    /** Removes all documents. */
    clear: (pluginId: string): Promise<void> =>
      queue.run(pluginId, () => change(pluginId, (trx) => clearIndex(trx, pluginId))),

    size: async (pluginId: string): Promise<number> =>
      (await findIndex(read, pluginId))?.documents ?? 0,

    /** Characters of the stored texts; reads all of them. */
    bytes: async (pluginId: string): Promise<number> => {
      const entry = await findIndex(read, pluginId);
      return entry === undefined ? 0 : measureIndex(read, entry.index_id);
    },

    /** Over one kind, or over all kinds together. */
    query: async (
      pluginId: string,
      query: TextQuery & { readonly kind?: string; readonly limit: number },
    ): Promise<TextHits> => {
      const index = await indexOf(pluginId);
      return index === undefined ? { hits: [], total: 0 } : runQuery(read, index, query);
    },

    /** Over several kinds, each with its own limit. */
    queryKinds: async (pluginId: string, query: KindsQuery): Promise<readonly TextHits[]> => {
      const index = await indexOf(pluginId);
      if (index === undefined) return query.kinds.map(() => ({ hits: [], total: 0 }));
      return queryKinds(read, index, query);
    },

    similar: async (
      pluginId: string,
      near: { readonly text: string; readonly limit: number },
    ): Promise<readonly IndexedWord[]> => {
      const index = await indexOf(pluginId);
      return index === undefined ? [] : findSimilar(read, index.tables, near);
    },

    /** Deletes the index. */
    removeAll: (pluginId: string): Promise<void> =>
      queue.run(pluginId, () => change(pluginId, (trx) => dropIndex(trx, pluginId))),

    forget,

    /** Clears the cache of all indexes. Call it whenever another server has changed one. */
    forgetAll: (): void => {
      isTold = true;
      writes += 1;
      known.clear();
    },

    /** Stops the upkeep; call it before the database is closed. */
    rest: upkeep.stop,
  };
}
