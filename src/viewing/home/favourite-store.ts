import type { Queries } from '../../../kernel/store/index.ts';

/** A favourite of a profile. */
export interface FavouriteRow {
  readonly kind: 'item' | 'entity';
  readonly id: string;
  readonly at: number | string;
}

/** The latest favourites among items and among entities, so many of each, the latest first. */
export async function readFavourites(
  db: Queries,
  profileId: string,
  limit: number,
): Promise<readonly FavouriteRow[]> {
  return db.raw(
    `select * from (
       select * from (select 'item' as kind, item_id as id, favourite_at as at from item_marks
         where profile_id = ? and favourite_at is not null
         order by favourite_at desc, item_id desc limit ?) as items
       union all
       select * from (select 'entity' as kind, entity_id as id, favourite_at as at from entity_marks
         where profile_id = ? order by favourite_at desc, entity_id desc limit ?) as entities
     ) as favourites order by at desc, id desc`,
    [profileId, limit, profileId, limit],
  );
}
