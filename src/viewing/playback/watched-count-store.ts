import type { Queries, Transaction } from '../../../kernel/store/index.ts';
import { isActiveItem, itemShows, type Scope } from '../../library/catalogue/access/index.ts';

/** Replaces the counts of these entities, of all profiles. */
export async function recountWatched(
  trx: Transaction,
  entityNumbers: readonly number[],
): Promise<void> {
  if (entityNumbers.length === 0) return;
  const numbers = `(${entityNumbers.join(', ')})`;
  await trx('watched_counts').whereIn('entity_no', entityNumbers).delete();
  if ((await trx('playback').whereRaw('completed = 1').first<unknown>('item_id')) === undefined)
    return;
  await trx.raw(
    `insert into watched_counts (profile_id, entity_no, library_no, certification, items)
     select playback.profile_id, item_entities.entity_no, items.library_no,
       coalesce(items.certification, ''), count(distinct items.no)
     from item_entities cross join items cross join playback
     where item_entities.entity_no in ${numbers} and items.no = item_entities.item_no
       and ${isActiveItem('row')} and playback.item_id = items.id and playback.completed = 1
     group by playback.profile_id, item_entities.entity_no, items.library_no,
       coalesce(items.certification, '')`,
  );
}

interface WatchedRow {
  readonly entity_no: number;
  readonly items: number | string;
}

/** Stands for an entity that waits for the upkeep. */
const waits = -1;

/**
 * How many visible items of these entities the profile watched. Entities that wait for the upkeep
 * are counted from the states of the profile, which are few beside the items of a large entity.
 */
export async function readWatched(
  db: Queries,
  profileId: string,
  entityNumbers: readonly number[],
  scope: Scope,
): Promise<ReadonlyMap<number, number>> {
  if (entityNumbers.length === 0) return new Map();
  const numbers = `(${entityNumbers.join(', ')})`;
  const shows = itemShows(db, scope, { items: 'counts', by: 'row' });
  const rows = await db.raw<WatchedRow[]>(
    `select entity_no, sum(items) as items from watched_counts as counts
     where profile_id = ? and entity_no in ${numbers} and ${shows.sql}
     group by entity_no
     union all
     select distinct entity_no, ${waits} from touched_entities where entity_no in ${numbers}`,
    [profileId, ...shows.bindings],
  );
  const { waiting = [], counted = [] } = Object.groupBy(rows, (row) =>
    Number(row.items) === waits ? 'waiting' : 'counted',
  );
  const watched = new Map(counted.map((row) => [row.entity_no, Number(row.items)]));
  if (waiting.length === 0) return watched;
  const queued = waiting.map((row) => row.entity_no);
  for (const no of queued) watched.delete(no);
  for (const row of await countWatched(db, profileId, queued, scope))
    watched.set(row.entity_no, Number(row.items));
  return watched;
}

/** From the states of the profile. A `cross join` keeps this order. */
async function countWatched(
  db: Queries,
  profileId: string,
  entityNumbers: readonly number[],
  scope: Scope,
): Promise<readonly WatchedRow[]> {
  const shows = itemShows(db, scope, { by: 'row' });
  return db.raw<WatchedRow[]>(
    `select item_entities.entity_no, count(distinct items.no) as items
     from playback cross join items cross join item_entities
     where playback.profile_id = ? and playback.completed = 1
       and items.id = playback.item_id and ${isActiveItem('row')} and ${shows.sql}
       and item_entities.item_no = items.no
       and (item_entities.entity_no + 0) in (${entityNumbers.join(', ')})
     group by item_entities.entity_no`,
    [profileId, ...shows.bindings],
  );
}

/** Forgets the counts of a profile. */
export async function deleteWatchedCounts(trx: Transaction, profileId: string): Promise<void> {
  await trx('watched_counts').where('profile_id', profileId).delete();
}
