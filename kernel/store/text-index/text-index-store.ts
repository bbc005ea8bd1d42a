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

interface TextIndexStoreParts {
  readonly after: After;
  readonly log: Log;
}

/** The text indexes of all plugins. They share no words, counts or documents. */
export class TextIndexStore {
  readonly #database: Database;
  readonly #upkeep: ReturnType<typeof createIndexUpkeep>;
  /** Cached parts of each index, valid until its next write; with PostgreSQL other servers write too. */
  readonly #known = new Map<string, OpenIndex>();
  /** Changes of one index run one at a time, each with all of its parts. */
  readonly #queue = createKeyedSerialQueue<string>();
  readonly #isOwned: boolean;
  #isTold = false;
  #writes = 0;

  constructor(database: Database, parts: TextIndexStoreParts) {
    this.#database = database;
    this.#upkeep = createIndexUpkeep({
      database: database,
      after: parts.after,
      onError: (error) => parts.log.warn({ err: error }, 'A text index could not be merged.'),
    });
    this.#isOwned = database.dialect === 'sqlite';
  }

  readonly #indexOf = async (pluginId: string): Promise<OpenIndex | undefined> => {
    const cached = this.#known.get(pluginId);
    if (cached !== undefined) return cached;
    const writesBefore = this.#writes;
    const index = await findOpenIndex(this.#database.read, pluginId);
    const isKept = (this.#isOwned || this.#isTold) && this.#writes === writesBefore;
    if (index !== undefined && isKept) this.#known.set(pluginId, index);
    return index;
  };

  readonly #change = async (
    pluginId: string,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> => {
    try {
      await this.#database.write(work);
    } finally {
      this.forget(pluginId);
    }
  };

  /** Clears the cache of an index that was changed in another transaction. */
  readonly forget = (pluginId: string): void => {
    this.#writes += 1;
    this.#known.delete(pluginId);
  };

  /**
   * The lengths only decide where a change is cut. A failed read is ignored, since the write will
   * fail too.
   */
  async #keptBy(pluginId: string, ids: readonly string[]): Promise<(id: string) => number> {
    const kept = await keptText(this.#database.read, pluginId, ids).catch(
      () => new Map<string, number>(),
    );
    return (id) => kept.get(id) ?? 0;
  }

  /**
   * Adds or replaces documents, in order and each atomically; much text takes several
   * transactions. The last one of equal ids counts.
   */
  readonly put = async (pluginId: string, documents: readonly TextDocument[]): Promise<void> => {
    if (documents.length === 0) return;
    const ids = documents.map(({ id }) => id);
    await this.#queue.run(pluginId, async () => {
      const kept = await this.#keptBy(pluginId, ids);
      const sizeOf = ({ id, title, body }: TextDocument): number =>
        title.length + body.length + kept(id);
      for (const part of inParts(documents, sizeOf))
        await this.#change(pluginId, (trx) => putDocuments(trx, pluginId, part));
    });
    this.#upkeep.wrote(pluginId, documents.length);
  };

  /** Unknown ids are ignored. */
  readonly remove = async (pluginId: string, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    await this.#queue.run(pluginId, async () => {
      for (const part of inParts(ids, await this.#keptBy(pluginId, ids)))
        await this.#change(pluginId, (trx) => removeDocuments(trx, pluginId, part));
    });
    this.#upkeep.wrote(pluginId, ids.length);
  };

  /** Removes all documents. */
  readonly clear = (pluginId: string): Promise<void> =>
    this.#queue.run(pluginId, () => this.#change(pluginId, (trx) => clearIndex(trx, pluginId)));

  readonly size = async (pluginId: string): Promise<number> =>
    (await findIndex(this.#database.read, pluginId))?.documents ?? 0;

  /** Characters of the stored texts; reads all of them. */
  readonly bytes = async (pluginId: string): Promise<number> => {
    const entry = await findIndex(this.#database.read, pluginId);
    return entry === undefined ? 0 : measureIndex(this.#database.read, entry.index_id);
  };

  /** Over one kind, or over all kinds together. */
  readonly query = async (
    pluginId: string,
    query: TextQuery & { readonly kind?: string; readonly limit: number },
  ): Promise<TextHits> => {
    const index = await this.#indexOf(pluginId);
    return index === undefined
      ? { hits: [], total: 0 }
      : runQuery(this.#database.read, index, query);
  };

  /** Over several kinds, each with its own limit. */
  readonly queryKinds = async (
    pluginId: string,
    query: KindsQuery,
  ): Promise<readonly TextHits[]> => {
    const index = await this.#indexOf(pluginId);
    if (index === undefined) return query.kinds.map(() => ({ hits: [], total: 0 }));
    return queryKinds(this.#database.read, index, query);
  };

  readonly similar = async (
    pluginId: string,
    near: { readonly text: string; readonly limit: number },
  ): Promise<readonly IndexedWord[]> => {
    const index = await this.#indexOf(pluginId);
    return index === undefined ? [] : findSimilar(this.#database.read, index.tables, near);
  };

  /** Deletes the index. */
  readonly removeAll = (pluginId: string): Promise<void> =>
    this.#queue.run(pluginId, () => this.#change(pluginId, (trx) => dropIndex(trx, pluginId)));

  /** Clears the cache of all indexes. Call it whenever another server has changed one. */
  readonly forgetAll = (): void => {
    this.#isTold = true;
    this.#writes += 1;
    this.#known.clear();
  };

  /** Stops the upkeep; call it before the database is closed. */
  readonly rest = (): void => this.#upkeep.stop();
}

/** Opens the indexes over their catalogue. */
export const createTextIndexStore = (
  database: Database,
  parts: TextIndexStoreParts,
): TextIndexStore => new TextIndexStore(database, parts);
