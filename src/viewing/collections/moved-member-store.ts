import type { Knex } from 'knex';
import { membersOf, toMembers } from '../../../kernel/store/index.ts';
import type { MovedItem } from '../../library/catalogue/items/index.ts';

/** Which of these items are in a collection or playlist. */
export async function readMembersAmong(
  db: Knex,
  itemIds: readonly string[],
): Promise<readonly string[]> {
  return db('collection_items')
    .whereRaw(`item_id in ${membersOf(db)}`, [toMembers(itemIds)])
    .distinct()
    .pluck<string[]>('item_id');
}

/**
 * Puts an item into the places of another one in collections and playlists. A collection that has both
 * keeps one.
 */
export async function moveMembers(trx: Knex, { from, to }: MovedItem): Promise<void> {
  const places = () => trx('collection_items').where('item_id', from);
  const inBoth = trx('collection_items as known')
    .where('known.item_id', to)
    .whereNull('known.entry_id')
    .select('known.collection_no');
  await places().whereNull('entry_id').whereIn('collection_no', inBoth).delete();
  await places().update({ item_id: to });
  await trx('collections').where('cover_item_id', from).update({ cover_item_id: to });
}
