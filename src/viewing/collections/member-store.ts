import type { Knex } from 'knex';
import { isActiveItem, itemShows, type Scope } from '../../library/catalogue/access/index.ts';
import type { CollectionRow } from './collection-store.ts';
import type { CollectionOrder, CollectionSort } from './collection-sort.ts';

type BigNumber = number | string;

/** An item of a collection, with its sort value. */
export interface MemberRow {
  readonly no: number;
  readonly id: string;
  readonly value: BigNumber;
}

/** One page of the items of a collection. */
export interface MemberPage {
  readonly collection: Pick<CollectionRow, 'no' | 'rule_entity_no' | 'kind'>;
  readonly scope: Scope;
  readonly sortBy: CollectionSort;
  readonly sortOrder: CollectionOrder;
  readonly after: { readonly value: string | number; readonly no: number } | null;
  readonly limit: number;
  /** Whether it has so many items that the page is read along an index of all items. */
  readonly isLarge: boolean;
}

const columns = {
  manual: 'position',
  title: 'items.sort_title',
  year: 'items.year',
  addedAt: 'items.added_at',
} as const satisfies Readonly<Record<CollectionSort, string>>;

/** Reads one page without missing items and items that the viewer may not see. */
export async function readMembers(db: Knex, page: MemberPage): Promise<MemberRow[]> {
  const { rule_entity_no: entityNo } = page.collection;
  const sortBy = entityNo !== null && page.sortBy === 'manual' ? 'title' : page.sortBy;
  const column = columns[sortBy];
  const query = activeItems(db, page.scope, page.isLarge ? 'index' : 'row');
  if (entityNo === null && page.collection.kind === 'playlist' && sortBy !== 'manual')
    // Sorted by something else, an item stands once.
    void query.whereIn('items.id', listedIn(db, page.collection.no));
  else if (entityNo === null)
    void query
      .join('collection_items', 'collection_items.item_id', 'items.id')
      .where('collection_items.collection_no', page.collection.no);
  else restrictToEntity(db, query, entityNo, page.isLarge);
  if (page.after !== null) {
    const sign = page.sortOrder === 'asc' ? '>' : '<';
    void query.whereRaw(`(${column}, items.no) ${sign} (?, ?)`, [page.after.value, page.after.no]);
  }
  return query
    .orderBy([
      { column, order: page.sortOrder },
      { column: 'items.no', order: page.sortOrder },
    ])
    .limit(page.limit)
    .select<MemberRow[]>('items.no', 'items.id', `${column} as value`);
}

const listedIn = (db: Knex, collectionNo: number): Knex.QueryBuilder =>
  db('collection_items').where('collection_no', collectionNo).select('item_id');

function restrictToEntity(
  db: Knex,
  query: Knex.QueryBuilder,
  entityNo: number,
  isLarge: boolean,
): void {
  const links = db('item_entities').where('entity_no', entityNo);
  if (isLarge) void query.whereExists(links.whereRaw('item_no = items.no').select(db.raw('1')));
  else void query.whereIn('items.no', links.select('item_no'));
}

/** The text `status = 'active'` must stand in the statement for the partial indexes to be used. */
function activeItems(db: Knex, scope: Scope, by: 'index' | 'row'): Knex.QueryBuilder {
  const { sql, bindings } = itemShows(db, scope, { by });
  return db('items').whereRaw(isActiveItem(by)).whereRaw(sql, bindings);
}

/** How many items of these collections are visible, by the number of the collection. */
export async function countMembers(
  db: Knex,
  collections: readonly Pick<CollectionRow, 'no' | 'rule_entity_no'>[],
  scope: Scope,
): Promise<ReadonlyMap<number, number>> {
  const isAutomatic = ({
    rule_entity_no: entityNo,
  }: Pick<CollectionRow, 'rule_entity_no'>): boolean => entityNo !== null;
  const automatic = collections.filter(isAutomatic).map(({ no }) => no);
  const own = collections.filter((one) => !isAutomatic(one)).map(({ no }) => no);
  const counts = await Promise.all([
    automatic.length === 0 ? [] : countAutomatic(db, automatic, scope),
    own.length === 0 ? [] : countOwn(db, own, scope),
  ]);
  return new Map(counts.flat().map(({ collection_no, total }) => [collection_no, Number(total)]));
}

interface CountedRow {
  readonly collection_no: number;
  readonly total: BigNumber;
}

function countAutomatic(
  db: Knex,
  numbers: readonly number[],
  scope: Scope,
): PromiseLike<CountedRow[]> {
  const { sql, bindings } = itemShows(db, scope, { items: 'collection_counts' });
  return db('collection_counts')
    .whereIn('collection_no', numbers)
    .whereRaw(sql, bindings)
    .groupBy('collection_no')
    .select<CountedRow[]>('collection_no', db.raw('sum(items) as total'));
}

function countOwn(db: Knex, numbers: readonly number[], scope: Scope): PromiseLike<CountedRow[]> {
  return activeItems(db, scope, 'row')
    .join('collection_items', 'collection_items.item_id', 'items.id')
    .whereIn('collection_no', numbers)
    .groupBy('collection_no')
    .select<CountedRow[]>('collection_no', db.raw('count(*) as total'));
}

/** How many items a collection has, visible or not. */
export async function countListed(db: Knex, collectionNo: number): Promise<number> {
  const row = await db('collection_items')
    .where('collection_no', collectionNo)
    .count<{ total: BigNumber }[]>({ total: '*' })
    .first();
  return Number(row?.total ?? 0);
}

/** Whether a collection has the item, visible or not. */
export async function hasMember(db: Knex, collectionNo: number, itemId: string): Promise<boolean> {
  const row = await db('collection_items')
    .where({ collection_no: collectionNo, item_id: itemId })
    .first<object | undefined>('item_id');
  return row !== undefined;
}

/** Inserts an item at an index of the manual order, or at the end; later items move by one. */
export async function putMember(
  trx: Knex.Transaction,
  collectionNo: number,
  itemId: string,
  place: number | undefined,
): Promise<void> {
  const members = trx('collection_items').where('collection_no', collectionNo);
  const known = await members.clone().where('item_id', itemId).first<object | undefined>();
  if (known !== undefined && place === undefined) return;
  if (known !== undefined) await members.clone().where('item_id', itemId).delete();
  const position = await positionAt(members.clone(), place);
  await members
    .clone()
    .where('position', '>=', position)
    .update({ position: trx.raw('position + 1') });
  await trx('collection_items').insert({ collection_no: collectionNo, item_id: itemId, position });
}

/** The position of the member at this place, or behind the last one. */
export async function positionAt(
  members: Knex.QueryBuilder,
  place: number | undefined,
): Promise<number> {
  const there =
    place === undefined
      ? undefined
      : await members
          .clone()
          .orderBy('position')
          .offset(place)
          .first<{ position: number } | undefined>('position');
  if (there !== undefined) return there.position;
  const last = await members
    .clone()
    .orderBy('position', 'desc')
    .first<{ position: number } | undefined>('position');
  return (last?.position ?? -1) + 1;
}

/** Removes an item; false when it was not there. */
export async function removeMember(
  trx: Knex.Transaction,
  collectionNo: number,
  itemId: string,
): Promise<boolean> {
  const count: number = await trx('collection_items')
    .where({ collection_no: collectionNo, item_id: itemId })
    .delete();
  return count > 0;
}
