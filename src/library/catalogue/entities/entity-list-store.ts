import type { Knex } from 'knex';
import { entityShows, isActiveItem, itemShows, type Scope } from '../access/index.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import type { ItemRow, ListedItemRow } from '../tables/item-store.ts';
import { inChunks, type BigNumber } from '../tables/rows.ts';

/** The position after which the next page of a list begins. */
export interface After {
  readonly value: string;
  readonly no: number;
}

/**
 * Entities that an active item of the scope is linked to; hidden ones only where the scope shows
 * them.
 */
function visibleEntities(
  db: Knex,
  scope: Scope,
  withHidden: boolean,
): Knex.QueryBuilder<EntityRow, EntityRow[]> {
  const { sql, bindings } = entityShows(db, scope);
  const query = db<EntityRow>('entities').whereRaw(sql, bindings);
  return withHidden ? query : query.where('hidden', false);
}

/** One page of a type, by name. */
export async function readEntityPage(
  db: Knex,
  page: {
    readonly scope: Scope;
    readonly type: string;
    readonly status: string | undefined;
    readonly after: After | null;
    readonly limit: number;
  },
): Promise<EntityRow[]> {
  const query = visibleEntities(db, page.scope, page.scope.showsHidden).where('type', page.type);
  if (page.status !== undefined) void query.where('status', page.status);
  if (page.after !== null)
    void query.whereRaw('(sort_name, no) > (?, ?)', [page.after.value, page.after.no]);
  return query.orderBy(['sort_name', 'no']).limit(page.limit).select('*');
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

/** Which items of an entity to list. */
export interface EntityItems {
  readonly entityNo: number;
  /** Only items linked in this role. */
  readonly role: string | undefined;
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

/**
 * How many active items an entity is linked to. Where all items are visible, the links are counted
 * and the few inactive items subtracted, since reading each item costs far more than counting its
 * link.
 */
export async function countItemsOfEntity(db: Knex, items: EntityItems): Promise<number> {
  if (items.role === undefined && (await showsAll(db, items.scope))) {
    const { entityNo } = items;
    const row = await db
      .select<{ total: BigNumber }[]>(db.raw(`${linkedItems} as total`, [entityNo, entityNo]))
      .first();
    return Number(row?.total ?? 0);
  }
  const row = await activeItems(db, items, 'row')
    .whereIn('no', linksOf(db, items))
    .count<{ total: BigNumber }[]>({ total: '*' })
    .first();
  return Number(row?.total ?? 0);
}

const linkedItems = `(
  (select count(distinct item_no) from item_entities where entity_no = ?)
  - (select count(distinct items.no) from items cross join item_entities
     where items.status <> 'active' and item_entities.item_no = items.no
       and item_entities.entity_no = ?))`;

/** Whether the scope covers every item of every library. */
async function showsAll(db: Knex, { libraries }: Scope): Promise<boolean> {
  if (libraries.some(({ certifications }) => certifications !== null)) return false;
  const row = await db('libraries').count<{ total: BigNumber }[]>({ total: '*' }).first();
  return Number(row?.total ?? 0) === libraries.length;
}

function linksOf(db: Knex, { entityNo, role }: EntityItems): Knex.QueryBuilder {
  const query = db('item_entities').where('item_entities.entity_no', entityNo).select('item_no');
  return role === undefined ? query : query.where('item_entities.role', role);
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
