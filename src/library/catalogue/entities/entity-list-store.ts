import type { Knex } from 'knex';
import { entityShows, isActiveItem, itemShows, type Scope } from '../access/index.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import type { ItemRow, ListedItemRow } from '../tables/item-store.ts';
import { inChunks } from '../tables/rows.ts';

/** The position after which the next page of a list begins. */
export interface After {
  readonly value: string;
  readonly no: number;
}

/**
 * Entities that an active item of the scope is linked to; hidden ones only where the scope shows
 * them.
 */
export function visibleEntities(
  db: Knex,
  scope: Scope,
  withHidden: boolean,
): Knex.QueryBuilder<EntityRow, EntityRow[]> {
  const { sql, bindings } = entityShows(db, scope);
  const query = db<EntityRow>('entities').whereRaw(sql, bindings);
  return withHidden ? query : query.where('hidden', false);
}

/**
 * Entities by id, in no order: the visible ones, or also hidden ones that the scope may find by id.
 */
export async function readEntitiesById(
  db: Knex,
  ids: readonly string[],
  scope: Scope,
  which: 'shown' | 'found' = 'shown',
): Promise<EntityRow[]> {
  const withHidden = which === 'found' ? scope.findsHidden : scope.showsHidden;
  return inChunks(ids, (group) =>
    visibleEntities(db, scope, withHidden).whereIn('id', group).select('*'),
  );
}

export interface EntityItems {
  readonly entityNo: number;
  /** Only items linked in this role. */
  readonly role?: string | undefined;
  /** Without the items of entities of which it is the parent. */
  readonly isDirect?: boolean;
  readonly scope: Scope;
}

/**
 * From this many items on, a page is read along the titles; below, the items are read and sorted.
 */
const manyItems = 2000;

/** One page of the active items of an entity, by title. */
export async function readItemsOfEntity(
  db: Knex,
  page: EntityItems & { readonly after: After | null; readonly limit: number },
): Promise<Pick<ListedItemRow, 'id' | 'no' | 'sort_title'>[]> {
  const links = linksOf(db, page);
  const isLarge = await links.clone().offset(manyItems).first<{ item_no: number } | undefined>();
  const query = activeItems(db, page, isLarge === undefined ? 'row' : 'index');
  if (isLarge === undefined) void query.whereIn('no', links);
  else void query.whereExists(links.whereRaw('item_entities.item_no = items.no'));
  if (page.after !== null)
    void query.whereRaw('(sort_title, no) > (?, ?)', [page.after.value, page.after.no]);
  return query.orderBy(['sort_title', 'no']).limit(page.limit).select('id', 'no', 'sort_title');
}

/** The numbers of these items, visible or not. */
export function linksOf(
  db: Knex,
  { entityNo, role, isDirect = false }: EntityItems,
): Knex.QueryBuilder {
  const query = db('item_entities').where('item_entities.entity_no', entityNo).select('item_no');
  if (role !== undefined) void query.where('item_entities.role', role);
  if (!isDirect) return query;
  const below = db('item_entities as below')
    .join('entities', 'entities.no', 'below.entity_no')
    .where('entities.parent_no', entityNo)
    .whereRaw('below.item_no = item_entities.item_no');
  return query.whereNotExists(below);
}

/** The text `status = 'active'` must stand in the statement for the partial index to be used. */
function activeItems(
  db: Knex,
  { scope }: Pick<EntityItems, 'scope'>,
  by: 'index' | 'row',
): Knex.QueryBuilder<ItemRow, ItemRow[]> {
  const { sql, bindings } = itemShows(db, scope, { by });
  return db<ItemRow>('items').whereRaw(isActiveItem(by)).whereRaw(sql, bindings);
}
