import { LRUCache } from 'lru-cache';
import type { Database, Transaction } from '../../kernel/index.ts';
import { takeNumbers } from './counter-store.ts';
import type { Mention } from './entity-mention.ts';
import { withoutEmptyColumns } from './rows.ts';
import { readEntityNumbers, type EntityRow } from './entity-store.ts';
import type { NewId } from '../uuid-v7.ts';

/** Finds the number of every entity that is mentioned, and makes those that are not there yet. */
export interface EntityRegistry {
  /**
   * Numbers by key. What it learned counts only once the transaction is committed: call `learn`
   * then, with what this gave.
   */
  readonly resolve: (
    trx: Transaction,
    mentions: readonly Mention[],
    now: number,
  ) => Promise<ReadonlyMap<string, number>>;
  readonly learn: (numbers: ReadonlyMap<string, number>) => void;
  /** Entities were deleted: forget all numbers. */
  readonly forget: () => void;
}

/** How many numbers are kept at hand: a scan mentions the same artists and series again and again. */
const capacity = 20_000;

export function createEntityRegistry(parts: {
  readonly database: Pick<Database, 'insertRows'>;
  readonly newId: NewId;
}): EntityRegistry {
  const known = new LRUCache<string, number>({ max: capacity });

  return {
    resolve: async (trx, mentions, now) => {
      const numbers = new Map<string, number>();
      const unknown = new Map<string, Mention>();
      for (const mention of mentions) {
        const no = known.get(mention.key);
        if (no !== undefined) numbers.set(mention.key, no);
        else if (!unknown.has(mention.key)) unknown.set(mention.key, mention);
      }
      for (const row of await readEntityNumbers(trx, [...unknown.keys()])) {
        numbers.set(row.key, row.no);
        unknown.delete(row.key);
      }
      const first = await takeNumbers(trx, unknown.size);
      const rows = [...unknown.values()].map((mention, index) =>
        newEntity(mention, first + index, parts.newId(), now),
      );
      await parts.database.insertRows(trx, 'entities', withoutEmptyColumns(rows));
      for (const row of rows) numbers.set(row.key, row.no);
      return numbers;
    },
    learn: (numbers) => {
      for (const [key, no] of numbers) known.set(key, no);
    },
    forget: () => known.clear(),
  };
}

type NewEntityRow = Pick<
  EntityRow,
  | 'no'
  | 'id'
  | 'key'
  | 'type'
  | 'name'
  | 'sort_name'
  | 'status'
  | 'source_plugin_id'
  | 'metadata'
  | 'created_at'
  | 'updated_at'
>;

function newEntity(mention: Mention, no: number, id: string, now: number): NewEntityRow {
  return {
    no,
    id,
    key: mention.key,
    type: mention.type,
    name: mention.name,
    sort_name: mention.sortName,
    status: mention.status,
    source_plugin_id: mention.sourcePluginId,
    metadata: mention.metadata === null ? null : JSON.stringify(mention.metadata),
    created_at: now,
    updated_at: now,
  };
}
