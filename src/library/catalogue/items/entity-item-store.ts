import type { Queries } from '../../../../kernel/store/index.ts';
import { isActiveItem, itemShows, type Scope } from '../access/index.ts';
import { linksOf, visibleEntities, type EntityItems } from '../entities/entity-list-store.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import type { ItemRow } from '../tables/item-store.ts';

/** What decides the place of an item in an entity. */
export type PlacedRow = Pick<ItemRow, 'no' | 'id' | 'sort_title' | 'year' | 'metadata'>;

/** The active items of an entity that the scope shows, in no order; `limit` bounds how many. */
export async function readMembers(
  db: Queries,
  members: EntityItems,
  limit: number,
): Promise<readonly PlacedRow[]> {
  const { sql, bindings } = itemShows(db, members.scope, { by: 'row' });
  return db<ItemRow>('items')
    .whereIn('no', linksOf(db, members))
    .whereRaw(isActiveItem('row'))
    .whereRaw(sql, bindings)
    .limit(limit)
    .select('no', 'id', 'sort_title', 'year', 'metadata');
}

/** What decides the place of an entity in its parent. */
export type ChildRow = Pick<EntityRow, 'no' | 'type' | 'name' | 'sort_name' | 'year'>;

/** The entities of which this one is the parent, as far as the scope shows them. */
export async function readChildren(
  db: Queries,
  parentNo: number,
  scope: Scope,
): Promise<readonly ChildRow[]> {
  return visibleEntities(db, scope, scope.showsHidden)
    .where('parent_no', parentNo)
    .select('no', 'type', 'name', 'sort_name', 'year');
}
