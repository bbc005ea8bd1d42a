import type { Knex } from 'knex';
import type { EntityRow } from './entity-store.ts';
import { listedColumns, type ItemRow, type ListedItemRow } from './item-store.ts';
import { inChunks } from './rows.ts';

/** Where a page of a list goes on. */
export interface After {
  readonly value: string;
  readonly no: number;
}

/** Entities that an active item of these libraries is linked to. */
function visibleEntities(
  db: Knex,
  libraryNumbers: readonly number[],
): Knex.QueryBuilder<EntityRow, EntityRow[]> {
  const link = db('item_entities')
    .join('items', 'items.no', 'item_entities.item_no')
    .whereRaw("item_entities.entity_no = entities.no and items.status = 'active'")
    .whereIn('items.library_no', [...libraryNumbers])
    .select(db.raw('1'));
  return db<EntityRow>('entities').where('hidden', false).whereExists(link);
}

/** One page of a type, by name. */
export async function readEntityPage(
  db: Knex,
  page: {
    readonly libraryNumbers: readonly number[];
    readonly type: string;
    readonly status: string | undefined;
    readonly after: After | null;
    readonly limit: number;
  },
): Promise<EntityRow[]> {
  const query = visibleEntities(db, page.libraryNumbers).where('type', page.type);
  if (page.status !== undefined) void query.where('status', page.status);
  if (page.after !== null)
    void query.whereRaw('(sort_name, no) > (?, ?)', [page.after.value, page.after.no]);
  return query.orderBy(['sort_name', 'no']).limit(page.limit).select('*');
}

/** Visible entities by id, in no order. */
export async function readEntitiesById(
  db: Knex,
  ids: readonly string[],
  libraryNumbers: readonly number[],
): Promise<EntityRow[]> {
  return inChunks(ids, (group) =>
    visibleEntities(db, libraryNumbers).whereIn('id', group).select('*'),
  );
}

/** One page of the active items that an entity is linked to, by title. */
export async function readItemsOfEntity(
  db: Knex,
  page: {
    readonly entityNo: number;
    readonly libraryNumbers: readonly number[];
    readonly after: After | null;
    readonly limit: number;
  },
): Promise<ListedItemRow[]> {
  const linked = db('item_entities').where('entity_no', page.entityNo).select('item_no');
  const query = db<ItemRow>('items')
    .whereIn('no', linked)
    .where('status', 'active')
    .whereIn('library_no', [...page.libraryNumbers]);
  if (page.after !== null)
    void query.whereRaw('(sort_title, no) > (?, ?)', [page.after.value, page.after.no]);
  return query
    .orderBy(['sort_title', 'no'])
    .limit(page.limit)
    .select(...listedColumns);
}

export async function updateEntity(
  trx: Knex.Transaction,
  no: number,
  changes: Partial<Pick<EntityRow, 'name' | 'sort_name' | 'search_terms' | 'hidden'>> & {
    readonly updated_at: number;
  },
): Promise<void> {
  await trx<EntityRow>('entities').where({ no }).update(changes);
}
