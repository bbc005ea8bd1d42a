import type { Knex } from 'knex';
import { membersOf, toMembers } from '../../../kernel/store/index.ts';
import type { MovedItem } from '../../library/catalogue/items/index.ts';

const tables = {
  playback: [
    ...['user_id', 'completed', 'position', 'duration', 'started', 'play_count', 'counted'],
    ...['last_played_at', 'updated_at'],
  ],
  item_marks: ['favourite_at', 'rating'],
} as const;

/** Which of these items some profile said something of. */
export async function readItemsWithStates(
  db: Knex,
  itemIds: readonly string[],
): Promise<readonly string[]> {
  const found = Object.keys(tables).map((table) =>
    db(table)
      .whereRaw(`item_id in ${membersOf(db)}`, [toMembers(itemIds)])
      .distinct()
      .pluck<string[]>('item_id'),
  );
  return (await Promise.all(found)).flat();
}

/**
 * Gives the states, favourites and ratings of an item to another one. What a profile said of the other
 * one stays.
 */
export async function moveStates(trx: Knex, { from, to }: MovedItem): Promise<void> {
  for (const [table, said] of Object.entries(tables)) {
    const columns = ['profile_id', ...said].join(', ');
    await trx.raw(
      `insert into ${table} (item_id, ${columns})
       select ?, ${columns} from ${table} where item_id = ? on conflict do nothing`,
      [to, from],
    );
    await trx(table).where('item_id', from).delete();
  }
}
