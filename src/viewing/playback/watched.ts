import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { toPlayback } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { PlaybackParts } from './playback-parts.ts';
import {
  deleteStates,
  readEntityItemIds,
  readStates,
  saveStates,
  type PlaybackRow,
} from './playback-store.ts';
import type { ItemPlayback } from '../../contract/resources/library/catalogue.ts';

/** What a person says of having watched, without playing. */
export interface Watched {
  /**
   * Marks an item. A mark is one play where none was counted; taking it back forgets all plays.
   */
  readonly setWatched: (
    itemId: string,
    isWatched: boolean,
    viewer: Viewer,
  ) => Promise<ItemPlayback>;
  /** Marks all items of an entity that the viewer may see; gives how many were not so before. */
  readonly setWatchedEntity: (
    entityId: string,
    isWatched: boolean,
    viewer: Viewer,
  ) => Promise<number>;
}

/** What the marks need. */
export type WatchedParts = Pick<
  PlaybackParts,
  'database' | 'access' | 'entities' | 'events' | 'now'
> & { readonly assertVisible: (itemId: string, viewer: Viewer) => Promise<void> };

/** Statements and events of one portion. */
const portion = 200;
/** How long the events of a portion wait for slow subscribers. */
const roomMs = 250;

interface Marking {
  readonly viewer: Pick<Viewer, 'profileId' | 'userId'>;
  readonly isWatched: boolean;
  readonly at: number;
}

export function createWatched(parts: WatchedParts): Watched {
  const { database, access, entities, events } = parts;

  /** All in one transaction: a show is never half marked. The states that changed. */
  async function mark(
    ids: readonly string[],
    isWatched: boolean,
    viewer: Viewer,
  ): Promise<readonly PlaybackRow[]> {
    const marking = { viewer, isWatched, at: parts.now() };
    const changed = await database.write(async (trx) => {
      const rows: PlaybackRow[] = [];
      for (let from = 0; from < ids.length; from += portion)
        rows.push(...(await markPortion(database, trx, ids.slice(from, from + portion), marking)));
      return rows;
    });
    const type = isWatched ? 'playback.completed' : 'playback.removed';
    for (const [index, row] of changed.entries()) {
      if (index > 0 && index % portion === 0) await events.room(roomMs);
      const { item_id: itemId, profile_id: profileId } = row;
      events.emit(type, { itemId, profileId, ...toPlayback(row) });
    }
    return changed;
  }

  return {
    setWatched: async (itemId, isWatched, viewer) => {
      await parts.assertVisible(itemId, viewer);
      await mark([itemId], isWatched, viewer);
      const [row] = await readStates(database.read, viewer.profileId, [itemId]);
      return toPlayback(row ?? { completed: false, position: 0, duration: 0 });
    },
    setWatchedEntity: async (entityId, isWatched, viewer) => {
      const { no } = await entities.find(entityId, viewer);
      const ids = await readEntityItemIds(database.read, no, await access.scopeOf(viewer));
      return (await mark(ids, isWatched, viewer)).length;
    },
  };
}

async function markPortion(
  database: Database,
  trx: Transaction,
  ids: readonly string[],
  { viewer, isWatched, at }: Marking,
): Promise<readonly PlaybackRow[]> {
  const { profileId, userId } = viewer;
  const rows = await readStates(trx, profileId, ids);
  if (!isWatched) {
    const left = rows.filter(({ completed, position }) => Boolean(completed) || position > 0);
    await deleteStates(trx, profileId, ids);
    return left.map((row) => ({ ...row, completed: false, position: 0 }));
  }
  const known = new Map(rows.map((row) => [row.item_id, row]));
  const marked = ids
    .filter((id) => !(known.get(id)?.completed ?? false))
    .map((id): PlaybackRow => {
      const row = known.get(id);
      return {
        profile_id: profileId,
        user_id: userId,
        item_id: id,
        completed: true,
        position: 0,
        duration: row?.duration ?? 0,
        started: false,
        play_count: Math.max(row?.play_count ?? 0, 1),
        counted: true,
        last_played_at: row?.last_played_at ?? at,
        updated_at: at,
      };
    });
  await saveStates(database, trx, marked);
  return marked;
}
