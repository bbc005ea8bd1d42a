import type { Queries } from '../../../kernel/store/index.ts';
import {
  isActiveItem,
  itemShows,
  type Condition,
  type Scope,
} from '../../library/catalogue/access/index.ts';
import type { EntityProfile } from '../../library/catalogue/items/index.ts';
import { readEntityMarks } from './mark-store.ts';
import { readWatched } from './watched-count-store.ts';

/**
 * What a profile played, with its entities. A `cross join` keeps the order: from the states of the
 * profile, since those are few beside the items of a large entity.
 */
const playedItems = `playback cross join items cross join item_entities
  where playback.profile_id = ? and items.id = playback.item_id
    and item_entities.item_no = items.no and ${isActiveItem('row')}`;

/** What profiles say of entities, from their marks and playback states. */
export const entityProfile: EntityProfile = {
  marks: readEntityMarks,
  isFavourite: (profileId) => ({
    sql: 'entities.id in (select entity_id from entity_marks where profile_id = ?)',
    bindings: [profileId],
  }),
  watched: readWatched,
  plays: selectPlays,
};

/** An item counts once for an entity, in however many roles. */
function selectPlays(db: Queries, profileId: string, scope: Scope): Condition {
  const shows = itemShows(db, scope, { by: 'row' });
  return {
    sql: `(select entity_no, sum(play_count) as plays from (
        select distinct item_entities.entity_no, items.no, playback.play_count from ${playedItems}
          and playback.play_count > 0 and ${shows.sql}) as played
      group by entity_no)`,
    bindings: [profileId, ...shows.bindings],
  };
}
