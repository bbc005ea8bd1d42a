import { KernelError, type Database } from '../../kernel/index.ts';
import {
  readChangedItems,
  readIndexedEntities,
  readIndexedItem,
  readRemovedItems,
  type ChangedItemRow,
  type IndexedEntityRow,
} from './change-store.ts';

/**
 * What changed, for indexes that follow the library. Each item stands in the feed at most once, with
 * what it is now. Both give JSON text: metadata is stored as such, and goes on as it is.
 */
export interface ChangeFeed {
  readonly changes: (input: { readonly seq: number; readonly limit: number }) => Promise<string>;
  readonly item: (itemId: string) => Promise<string>;
}

export function createChangeFeed({ database }: { readonly database: Database }): ChangeFeed {
  const db = database.read;
  return {
    changes: async ({ seq, limit }) => {
      const [present, removed] = await Promise.all([
        readChangedItems(db, seq, limit),
        readRemovedItems(db, seq, limit),
      ]);
      const all = [
        ...present.map((row) => ({ seq: Number(row.seq), row, itemId: row.id })),
        ...removed.map((row) => ({ seq: Number(row.seq), row: null, itemId: row.item_id })),
      ].sort((a, b) => a.seq - b.seq);
      const page = all.slice(0, limit);
      const entities = await entitiesOf(page.flatMap(({ row }) => row ?? []));
      const changes = page.map(({ seq: at, row, itemId }) =>
        row === null
          ? JSON.stringify({ kind: 'removed', itemId, seq: at })
          : `{"kind":"present","seq":${at},"item":${itemJson(row, entities)}}`,
      );
      const last = page.at(-1)?.seq ?? seq;
      const isDone = all.length < limit;
      return `{"changes":[${changes.join(',')}],"seq":${last},"done":${isDone}}`;
    },
    item: async (itemId) => {
      const row = await readIndexedItem(db, itemId);
      if (row === undefined) throw new KernelError('not_found', `Item ${itemId}`);
      return itemJson(row, await entitiesOf([row]));
    },
  };

  async function entitiesOf(
    rows: readonly ChangedItemRow[],
  ): Promise<ReadonlyMap<number, readonly IndexedEntityRow[]>> {
    const numbers = rows.map(({ no }) => no);
    return Map.groupBy(await readIndexedEntities(db, numbers), (entity) => entity.item_no);
  }
}

function itemJson(
  row: ChangedItemRow,
  entities: ReadonlyMap<number, readonly IndexedEntityRow[]>,
): string {
  const { id, library_id: libraryId, title, metadata } = row;
  const named = (entities.get(row.no) ?? []).map((entity) => ({
    id: entity.id,
    type: entity.type,
    name: entity.name,
    role: entity.role,
  }));
  const head = JSON.stringify({ id, libraryId, title }).slice(0, -1);
  return `${head},"metadata":${metadata},"entities":${JSON.stringify(named)}}`;
}
