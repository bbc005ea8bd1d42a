import type { TextDocument, TextHit } from '../../../plugin-api/index.ts';
import type { Database } from '../database.ts';
import { clearIndex, dropIndex, findIndex, type IndexTables, tablesOf } from './index-catalogue.ts';
import { putDocuments, removeDocuments } from './index-writes.ts';
import { runQuery, type TextQuery } from './index-query.ts';
import { findSimilar, type IndexedWord } from './similar-query.ts';

/** What a query found: the best hits, and how many documents match in all. */
export interface TextHits {
  readonly hits: readonly TextHit[];
  readonly total: number;
}

/** The text indexes of all plugins. No plugin's words, counts or documents show in another's. */
export interface TextIndexStore {
  /** Adds or replaces documents, in one transaction. The last one of equal ids counts. */
  readonly put: (pluginId: string, documents: readonly TextDocument[]) => Promise<void>;
  /** Unknown ids are passed over. */
  readonly remove: (pluginId: string, ids: readonly string[]) => Promise<void>;
  /** Removes all documents. */
  readonly clear: (pluginId: string) => Promise<void>;
  readonly size: (pluginId: string) => Promise<number>;
  readonly query: (pluginId: string, query: TextQuery) => Promise<TextHits>;
  readonly similar: (
    pluginId: string,
    near: { readonly text: string; readonly limit: number },
  ) => Promise<readonly IndexedWord[]>;
  /** Forgets the index itself. */
  readonly removeAll: (pluginId: string) => Promise<void>;
}

/** Opens the indexes over their catalogue. */
export function createTextIndexStore(database: Database): TextIndexStore {
  const { read, write } = database;
  /** The tables of indexes that were asked for; an index keeps its own until it is removed. */
  const known = new Map<string, IndexTables>();
  let removals = 0;

  const tablesFor = async (pluginId: string): Promise<IndexTables | undefined> => {
    const cached = known.get(pluginId);
    if (cached !== undefined) return cached;
    const removalsBefore = removals;
    const entry = await findIndex(read, pluginId);
    if (entry === undefined) return undefined;
    const tables = tablesOf(entry.index_id);
    if (removals === removalsBefore) known.set(pluginId, tables);
    return tables;
  };

  return {
    put: async (pluginId, documents) => {
      if (documents.length === 0) return;
      await write((trx) => putDocuments(trx, pluginId, documents));
    },

    remove: async (pluginId, ids) => {
      if (ids.length === 0) return;
      await write((trx) => removeDocuments(trx, pluginId, ids));
    },

    clear: (pluginId) => write((trx) => clearIndex(trx, pluginId)),

    size: async (pluginId) => (await findIndex(read, pluginId))?.documents ?? 0,

    query: async (pluginId, query) => {
      const tables = await tablesFor(pluginId);
      return tables === undefined ? { hits: [], total: 0 } : runQuery(read, tables, query);
    },

    similar: async (pluginId, near) => {
      const tables = await tablesFor(pluginId);
      return tables === undefined ? [] : findSimilar(read, tables, near);
    },

    removeAll: async (pluginId) => {
      await write((trx) => dropIndex(trx, pluginId));
      removals += 1;
      known.delete(pluginId);
    },
  };
}
