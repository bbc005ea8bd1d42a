import type { Knex } from 'knex';
import type { Database } from '../../../kernel/store/index.ts';
import type { ItemCount } from '../../library/catalogue/index.ts';
import type { CollectionRow } from './collection-store.ts';

/** The collections of these entities. */
export async function readAutoCollections(
  db: Knex,
  entityNumbers: readonly number[],
): Promise<CollectionRow[]> {
  return db<CollectionRow>('collections').whereIn('rule_entity_no', entityNumbers).select('*');
}

/** Collections whose entity was deleted, with the entity into which it was merged, if any. */
export async function readOrphans(
  db: Knex,
): Promise<(Pick<CollectionRow, 'no' | 'edits'> & { readonly survivor_no: number | null })[]> {
  return db('collections')
    .leftJoin('entities', 'entities.no', 'collections.rule_entity_no')
    .leftJoin('merged_entities', (join) => {
      void join.on(
        db.raw(
          "collections.distributed_id in ('genre:' || merged_entities.id, 'series:' || merged_entities.id)",
        ),
      );
    })
    .whereNotNull('collections.rule_entity_no')
    .whereNull('entities.no')
    .select('collections.no', 'collections.edits', 'merged_entities.entity_no as survivor_no');
}

/** The types of the libraries, by number. */
export async function readLibraryTypes(db: Knex): Promise<ReadonlyMap<number, string>> {
  const rows = await db('libraries').select<{ no: number; type: string }[]>('no', 'type');
  return new Map(rows.map(({ no, type }) => [no, type]));
}

/** Adds collections, all in one statement. */
export async function insertAutoCollections(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  rows: readonly Omit<CollectionRow, 'no'>[],
): Promise<void> {
  await insertRows(
    trx,
    'collections',
    rows.map((row) => ({ ...row })),
  );
}

/** Replaces the counts of items by library and certification. */
export async function replaceCounts(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  counts: readonly {
    readonly collectionNo: number;
    readonly items: readonly ItemCount[];
  }[],
): Promise<void> {
  const numbers = counts.map(({ collectionNo }) => collectionNo);
  await trx('collection_counts').whereIn('collection_no', numbers).delete();
  const rows = counts.flatMap(({ collectionNo, items }) =>
    items.map(({ libraryNo, certification, items: count }) => ({
      collection_no: collectionNo,
      library_no: libraryNo,
      certification,
      items: count,
    })),
  );
  await insertRows(trx, 'collection_counts', rows);
}
