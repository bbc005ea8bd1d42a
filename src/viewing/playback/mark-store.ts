import type { Knex } from 'knex';
import type { EntityMarks } from '../../contract/resources/viewing/marks.ts';

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
/** An entity, and who marks it. */
export interface EntityMark {
  readonly profile_id: string;
  readonly entity_id: string;
}

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

/** Makes it a favourite; one that is a favourite keeps the time at which it became one. */
export async function insertEntityMark(
  trx: Knex,
  mark: EntityMark,
  favouriteAt: number,
): Promise<void> {
  await trx('entity_marks')
    .insert({ ...mark, favourite_at: favouriteAt })
    .onConflict(['profile_id', 'entity_id'])
    .ignore();
}

/** It is a favourite no longer. */
export async function deleteEntityMark(trx: Knex, mark: EntityMark): Promise<void> {
  await trx('entity_marks').where(mark).delete();
}

/** Writes the rating of an entity; `null` removes it. */
export async function saveEntityRating(
  trx: Knex,
  mark: EntityMark,
  rating: number | null,
): Promise<void> {
  if (rating === null) await trx('entity_ratings').where(mark).delete();
  else
    await trx('entity_ratings')
      .insert({ ...mark, rating })
      .onConflict(['profile_id', 'entity_id'])
      .merge(['rating']);
}

/** What a profile says of those of these entities of which it says something, by their ids. */
export async function readEntityMarks(
  db: Knex,
  profileId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, EntityMarks>> {
  const of = (table: string): Knex.QueryBuilder =>
    db(table)
      .where('profile_id', profileId)
      .whereIn('entity_id', [...entityIds]);
  const favourites = await of('entity_marks').pluck<string[]>('entity_id');
  const rated = await of('entity_ratings').select<
    { readonly entity_id: string; readonly rating: number }[]
  >('entity_id', 'rating');
  const marks = new Map(
    favourites.map((id): [string, EntityMarks] => [id, { favourite: true, myRating: null }]),
  );
  for (const { entity_id: id, rating: myRating } of rated)
    marks.set(id, { favourite: marks.has(id), myRating });
  return marks;
}

/** Deletes all marks of a profile. */
export async function deleteMarks(trx: Knex, profileId: string): Promise<void> {
  await trx('item_marks').where('profile_id', profileId).delete();
  await trx('entity_marks').where('profile_id', profileId).delete();
  await trx('entity_ratings').where('profile_id', profileId).delete();
}
