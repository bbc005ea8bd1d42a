import type { Queries } from '../../../kernel/store/index.ts';
import type { Scope } from '../../library/catalogue/access/index.ts';
import type { FindCollectionItems } from '../../library/catalogue/items/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { findCollection, type RuledRow } from './collection-store.ts';
import { ownerOf } from './owner.ts';

/** By its id an owner finds a hidden collection too, and an admin an automatic one. */
export async function findById(
  db: Queries,
  id: string,
  { viewer, scope }: { readonly viewer: Viewer; readonly scope: Scope },
): Promise<RuledRow | undefined> {
  const row = await findCollection(db, id, { owner: ownerOf(viewer), scope, withHidden: true });
  if (row === undefined) return undefined;
  return !row.hidden || row.rule_entity_no === null || scope.findsHidden ? row : undefined;
}

/** The items of a collection, for lists that are limited to it. */
export const findCollectionItems: FindCollectionItems = async (db, id, by) => {
  const found = await findById(db, id, by);
  if (found === undefined) return undefined;
  return found.rule_entity_no === null
    ? { table: 'collection_items', where: 'collection_no = ?', bindings: [found.no] }
    : { entityNo: found.rule_entity_no };
};
