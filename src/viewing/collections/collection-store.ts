import type { Knex } from 'knex';
import { entityShows, type Scope } from '../../library/catalogue/access/index.ts';
import type { Owner } from './owner.ts';
import type { CollectionKind, CollectionOrder, CollectionSort } from './collection-sort.ts';

type BigNumber = number | string;

/** A row of `collections`. */
export interface CollectionRow {
  readonly no: number;
  readonly id: string;
  readonly user_id: string;
  readonly profile_id: string;
  readonly kind: CollectionKind;
  readonly distributed_id: string;
  readonly name: string;
  readonly sort_name: string;
  readonly description: string;
  readonly media_type: string;
  readonly sort_by: CollectionSort;
  readonly sort_order: CollectionOrder;
  readonly hidden: boolean | number;
  readonly rule_entity_no: number | null;
  readonly cover_item_id: string | null;
  readonly edits: string | null;
  readonly created_at: BigNumber;
  readonly updated_at: BigNumber;
}

/** A collection with the id of its entity, if it is automatic. */
export type RuledRow = CollectionRow & { readonly entity_id: string | null };

/** Which collections a viewer sees: those of the owner, and automatic ones with a visible item. */
export interface CollectionScope {
  readonly owner: Owner;
  readonly scope: Scope;
  readonly withHidden: boolean;
}

function visibleCollections(
  db: Knex,
  { owner, scope, withHidden }: CollectionScope,
): Knex.QueryBuilder<CollectionRow, RuledRow[]> {
  const isCounted = db('collection_counts')
    .whereRaw('collection_no = collections.no')
    .select(db.raw('1'));
  const shown = entityShows(db, scope, 'collections.rule_entity_no');
  const query = db('collections')
    .leftJoin('entities', 'entities.no', 'collections.rule_entity_no')
    .where((either) => {
      void either.where((own) => {
        void own
          .where('collections.user_id', owner.userId)
          .where('collections.profile_id', owner.profileId)
          .whereNull('collections.rule_entity_no');
      });
      void either.orWhere((kept) => {
        void kept
          .whereNotNull('collections.rule_entity_no')
          .whereExists(isCounted)
          .whereRaw(shown.sql, shown.bindings);
      });
    })
    .select<RuledRow[]>('collections.*', 'entities.id as entity_id');
  return (withHidden ? query : query.where('collections.hidden', false)) as Knex.QueryBuilder<
    CollectionRow,
    RuledRow[]
  >;
}

/** One page of collections, by name. */
export async function readCollectionPage(
  db: Knex,
  page: CollectionScope & {
    readonly after: { readonly sortName: string; readonly no: number } | null;
    readonly limit: number;
  },
): Promise<RuledRow[]> {
  const query = visibleCollections(db, page);
  if (page.after !== null)
    void query.whereRaw('(collections.sort_name, collections.no) > (?, ?)', [
      page.after.sortName,
      page.after.no,
    ]);
  return query.orderBy(['collections.sort_name', 'collections.no']).limit(page.limit);
}

/** One collection, if the viewer may see it. */
export async function findCollection(
  db: Knex,
  id: string,
  scope: CollectionScope,
): Promise<RuledRow | undefined> {
  const [row] = await visibleCollections(db, scope).where('collections.id', id);
  return row;
}

/** The collection with this id of the user, of any profile. */
export async function findByDistributedId(
  db: Knex,
  userId: string,
  distributedId: string,
): Promise<CollectionRow | undefined> {
  return db<CollectionRow>('collections')
    .where({ user_id: userId, distributed_id: distributedId })
    .first();
}

/** How many collections a user has. */
export async function countOwned(db: Knex, userId: string): Promise<number> {
  const row = await db('collections')
    .where('user_id', userId)
    .count<{ total: BigNumber }[]>({ total: '*' })
    .first();
  return Number(row?.total ?? 0);
}

/** Numbers of the collections of a profile. */
export async function readOwnNumbers(db: Knex, profileId: string): Promise<readonly number[]> {
  return db('collections').where('profile_id', profileId).pluck<number[]>('no');
}

export async function insertCollection(
  trx: Knex.Transaction,
  row: Omit<CollectionRow, 'no'>,
): Promise<void> {
  await trx('collections').insert(row);
}

export async function updateCollection(
  trx: Knex.Transaction,
  no: number,
  changes: Partial<CollectionRow>,
): Promise<void> {
  await trx('collections').where({ no }).update(changes);
}

/** Notes that a collection changed; false when it is gone. */
export async function touchCollection(
  trx: Knex.Transaction,
  no: number,
  now: number,
): Promise<boolean> {
  const locked: number = await trx('collections').where({ no }).update({ updated_at: now });
  return locked > 0;
}

/** Deletes collections; their items stay. */
export async function deleteCollections(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  await trx('collection_items').whereIn('collection_no', numbers).delete();
  await trx('collection_counts').whereIn('collection_no', numbers).delete();
  await trx('collections').whereIn('no', numbers).delete();
}
