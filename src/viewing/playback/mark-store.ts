import type { Knex } from 'knex';

/** What a profile said of an item, apart from playing it; a row says at least one of the two. */
export interface ItemMarkRow {
  readonly profile_id: string;
  readonly item_id: string;
  /** Unix milliseconds; `null` = it is not a favourite. */
  readonly favourite_at: number | string | null;
  /** 0.5 to 5. */
  readonly rating: number | null;
}

type ItemMark = Pick<ItemMarkRow, 'profile_id' | 'item_id'>;
type EntityMark = { readonly profile_id: string; readonly entity_id: string };

export async function findItemMark(
  db: Knex,
  profileId: string,
  itemId: string,
): Promise<ItemMarkRow | undefined> {
  return db<ItemMarkRow>('item_marks').where({ profile_id: profileId, item_id: itemId }).first();
}

/** Writes these columns; a row that says nothing after that is deleted. */
export async function saveItemMark(
  trx: Knex,
  mark: ItemMark,
  said: Partial<Pick<ItemMarkRow, 'favourite_at' | 'rating'>>,
): Promise<void> {
  await trx('item_marks')
    .insert({ favourite_at: null, rating: null, ...mark, ...said })
    .onConflict(['profile_id', 'item_id'])
    .merge(Object.keys(said));
  await trx('item_marks').where(mark).whereNull('favourite_at').whereNull('rating').delete();
}

/** Returns whether it was not a favourite before. */
export async function insertEntityMark(
  trx: Knex,
  mark: EntityMark,
  favouriteAt: number,
): Promise<boolean> {
  const inserted: readonly object[] = await trx('entity_marks')
    .insert({ ...mark, favourite_at: favouriteAt })
    .onConflict(['profile_id', 'entity_id'])
    .ignore()
    .returning('entity_id');
  return inserted.length > 0;
}

/** Returns whether it was a favourite. */
export async function deleteEntityMark(trx: Knex, mark: EntityMark): Promise<boolean> {
  const deleted: number = await trx('entity_marks').where(mark).delete();
  return deleted > 0;
}

/** The favourites of a profile among these entities. */
export async function readFavouriteEntities(
  db: Knex,
  profileId: string,
  entityIds: readonly string[],
): Promise<readonly string[]> {
  return db('entity_marks')
    .where('profile_id', profileId)
    .whereIn('entity_id', [...entityIds])
    .pluck<string[]>('entity_id');
}

/** Deletes all marks of a profile. */
export async function deleteMarks(trx: Knex, profileId: string): Promise<void> {
  await trx('item_marks').where('profile_id', profileId).delete();
  await trx('entity_marks').where('profile_id', profileId).delete();
}
