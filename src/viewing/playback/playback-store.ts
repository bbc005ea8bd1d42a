import type { Knex } from 'knex';
import {
  membersOf,
  toMembers,
  type Database,
  type Transaction,
} from '../../../kernel/store/index.ts';
import { isActiveItem, itemShows, type Scope } from '../../library/catalogue/access/index.ts';

/** The playback state of an item for a profile. Seconds; for books pages. */
export interface PlaybackRow {
  readonly profile_id: string;
  readonly user_id: string;
  readonly item_id: string;
  readonly completed: boolean | number;
  readonly position: number;
  readonly duration: number;
  readonly updated_at: number | string;
  /** Begun and not completed. */
  readonly started: boolean | number;
  readonly play_count: number;
  /** Whether `play_count` has the play under way. */
  readonly counted: boolean | number;
  /** Unix milliseconds; `null` = never. */
  readonly last_played_at: number | string | null;
}

/** The position of a page in a list that begins with the latest. */
export interface Earlier {
  readonly at: number;
  readonly id: string;
}

const states = (db: Knex) => db<PlaybackRow>('playback');

export async function findPlayback(
  db: Knex,
  profileId: string,
  itemId: string,
): Promise<PlaybackRow | undefined> {
  return states(db).where({ profile_id: profileId, item_id: itemId }).first();
}

/** Whether the profile has any playback state. */
export async function hasPlayback(db: Knex, profileId: string): Promise<boolean> {
  return (await states(db).where('profile_id', profileId).first('item_id')) !== undefined;
}

export async function savePlayback(trx: Knex, row: PlaybackRow): Promise<void> {
  await states(trx).insert(row).onConflict(['profile_id', 'item_id']).merge();
}

/** Returns whether there was a state. */
export async function deletePlayback(
  trx: Knex,
  where: Partial<Pick<PlaybackRow, 'profile_id' | 'user_id' | 'item_id'>>,
): Promise<boolean> {
  return (await states(trx).where(where).delete()) > 0;
}

/**
 * Forgets the position. A state that was watched before is watched again; else it is as if it were
 * not watched. Gives the state that is left, or undefined if there was nothing to forget.
 */
export async function clearPlayback(
  trx: Knex,
  profileId: string,
  itemId: string,
): Promise<PlaybackRow | undefined> {
  const known = await findPlayback(trx, profileId, itemId);
  if (known === undefined || (!known.completed && known.position === 0)) return undefined;
  const isWatched = !known.completed && known.play_count > 0;
  const left = {
    ...known,
    completed: isWatched,
    position: 0,
    duration: isWatched ? known.duration : 0,
    started: false,
    counted: isWatched,
  };
  await savePlayback(trx, left);
  return left;
}

/** The states of a profile among these items. */
export async function readStates(
  db: Knex,
  profileId: string,
  itemIds: readonly string[],
): Promise<readonly PlaybackRow[]> {
  return states(db)
    .where('profile_id', profileId)
    .whereRaw(`item_id in ${membersOf(db)}`, [toMembers(itemIds)]);
}

export async function saveStates(
  database: Pick<Database, 'insertRows'>,
  trx: Transaction,
  rows: readonly PlaybackRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await database.insertRows(trx, 'playback', rows, {
    columns: ['profile_id', 'item_id'],
    update: [
      'completed',
      'position',
      'duration',
      'started',
      'play_count',
      'counted',
      'last_played_at',
      'updated_at',
    ],
  });
}

export async function deleteStates(
  trx: Knex,
  profileId: string,
  itemIds: readonly string[],
): Promise<void> {
  await states(trx)
    .where('profile_id', profileId)
    .whereIn('item_id', [...itemIds])
    .delete();
}

/** The active items of an entity that the scope shows, in no order. */
export async function readEntityItemIds(
  db: Knex,
  entityNo: number,
  scope: Scope,
): Promise<readonly string[]> {
  const { sql, bindings } = itemShows(db, scope, { by: 'row' });
  return db('items')
    .whereRaw(isActiveItem('row'))
    .whereRaw(sql, bindings)
    .whereIn('items.no', db('item_entities').where('entity_no', entityNo).select('item_no'))
    .pluck<string[]>('items.id');
}

/**
 * What the profile started and did not finish, the latest first, outside libraries of these types.
 */
export async function readStarted(
  db: Knex,
  query: {
    readonly profileId: string;
    readonly passedOver: readonly string[];
    readonly before: Earlier | null;
    readonly limit: number;
  },
): Promise<readonly PlaybackRow[]> {
  const found = db('playback')
    .join('items', 'items.id', 'playback.item_id')
    .join('libraries', 'libraries.no', 'items.library_no')
    .where('playback.profile_id', query.profileId)
    .whereRaw('playback.started = 1')
    .whereNotIn('libraries.type', [...query.passedOver]);
  if (query.before !== null)
    void found.whereRaw('(playback.updated_at, playback.item_id) < (?, ?)', [
      query.before.at,
      query.before.id,
    ]);
  return found
    .orderBy([
      { column: 'playback.updated_at', order: 'desc' },
      { column: 'playback.item_id', order: 'desc' },
    ])
    .limit(query.limit)
    .select<PlaybackRow[]>('playback.*');
}

/** A show of which the profile watched an episode. */
export interface WatchedShow {
  readonly entity_no: number;
  readonly id: string;
  /** The time of its last playback. */
  readonly at: number | string;
}

/** The latest first. */
export async function readWatchedShows(
  db: Knex,
  query: { readonly profileId: string; readonly before: Earlier | null; readonly limit: number },
): Promise<readonly WatchedShow[]> {
  const at = 'max(playback.updated_at)';
  const found = db('playback')
    .join('items', 'items.id', 'playback.item_id')
    .join('item_entities', 'item_entities.item_no', 'items.no')
    .join('entities', 'entities.no', 'item_entities.entity_no')
    .where('playback.profile_id', query.profileId)
    .where('entities.type', 'show')
    .groupBy('entities.no', 'entities.id');
  if (query.before !== null)
    void found.havingRaw(`(${at}, entities.id) < (?, ?)`, [query.before.at, query.before.id]);
  return found
    .orderByRaw(`${at} desc, entities.id desc`)
    .limit(query.limit)
    .select<WatchedShow[]>('entities.no as entity_no', 'entities.id', db.raw(`${at} as at`));
}

/** A show with one of the states of its active episodes. */
export interface RecentShow extends Pick<WatchedShow, 'entity_no' | 'at'> {
  /** Begun and not completed. */
  readonly started: boolean | number;
}

/** Some of the latest states of a profile: their shows, the latest first. */
export interface RecentShows {
  readonly shows: readonly RecentShow[];
  /** Where the next portion begins; null = these were all. */
  readonly before: Earlier | null;
}

/**
 * The shows of one portion of the latest playback states. Only that portion is read, while
 * {@link readWatchedShows} reads all states of the profile.
 */
export async function readRecentShows(
  db: Knex,
  query: { readonly profileId: string; readonly before: Earlier | null; readonly portion: number },
): Promise<RecentShows> {
  const recent = states(db).where('profile_id', query.profileId);
  if (query.before !== null)
    void recent.whereRaw('(updated_at, item_id) < (?, ?)', [query.before.at, query.before.id]);
  void recent.orderBy([
    { column: 'updated_at', order: 'desc' },
    { column: 'item_id', order: 'desc' },
  ]);
  const [shows, last] = await Promise.all([
    db
      .with(
        'recent',
        recent.clone().limit(query.portion).select('item_id', 'updated_at', 'started'),
      )
      .from(
        db.raw(`recent cross join items cross join item_entities cross join entities
          where items.id = recent.item_id and item_entities.item_no = items.no
            and entities.no = item_entities.entity_no and entities.type = 'show'
            and ${isActiveItem('row')}
          order by recent.updated_at desc, recent.item_id desc`),
      )
      .select<RecentShow[]>(
        'entities.no as entity_no',
        'recent.updated_at as at',
        'recent.started',
      ),
    recent
      .clone()
      .offset(query.portion - 1)
      .first<PlaybackRow | undefined>(),
  ]);
  const before = last === undefined ? null : { at: Number(last.updated_at), id: last.item_id };
  return { shows, before };
}

/** An episode of a show. */
export interface EpisodeRow {
  readonly entity_no: number;
  readonly item_id: string;
  readonly metadata: string;
}

/** All active episodes of these shows. */
export async function readEpisodes(
  db: Knex,
  showNumbers: readonly number[],
): Promise<readonly EpisodeRow[]> {
  return db('item_entities')
    .join('items', 'items.no', 'item_entities.item_no')
    .whereIn('item_entities.entity_no', [...showNumbers])
    .where('items.status', 'active')
    .select<EpisodeRow[]>('item_entities.entity_no', 'items.id as item_id', 'items.metadata');
}

/** The last number of the library's change feed: each change of an item takes a new one. */
export async function readLibraryNumber(db: Knex): Promise<number> {
  const row = await db('library_counter').first<{ value: number | string }>('value');
  return Number(row.value);
}
