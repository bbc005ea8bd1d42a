import type { Database } from '../../../kernel/storage/index.ts';
import type { PlaybackEventData } from '../../../plugin-api/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import {
  toPlayback,
  type Item,
  type ItemPlayback,
  type Items,
  type ItemsPage,
} from '../../library/catalogue/index.ts';
import { nextEpisodes } from './next-episode.ts';
import { afterReport, type Reported } from './play-state.ts';
import {
  deletePlayback,
  findPlayback,
  readEpisodes,
  readStarted,
  readWatchedShows,
  savePlayback,
  type Earlier,
  type EpisodeRow,
} from './playback-store.ts';

/** A playback state that a player reports. */
export interface PlaybackChange {
  /** Seconds from the start; for books pages. */
  readonly position: number;
  /** The known duration when absent. */
  readonly duration?: number | undefined;
  /** Default: true from nine tenths on. */
  readonly completed?: boolean | undefined;
}

/** One page of a list that begins with the latest. */
export interface PlaybackQuery {
  /** 50 when absent. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The playback states of the viewer's profile. */
export interface Playback {
  readonly get: (itemId: string, viewer: Viewer) => Promise<ItemPlayback>;
  readonly put: (itemId: string, change: PlaybackChange, viewer: Viewer) => Promise<ItemPlayback>;
  /** Resets the state of an item. */
  readonly remove: (itemId: string, viewer: Viewer) => Promise<void>;
  /** What was started and not finished, the latest first, without music and photos. */
  readonly continueWatching: (viewer: Viewer, query: PlaybackQuery) => Promise<ItemsPage>;
  /** The next episode of each watched show; the latest show first. */
  readonly nextUp: (viewer: Viewer, query: PlaybackQuery) => Promise<ItemsPage>;
}

/** What playback needs. */
export interface PlaybackParts {
  readonly database: Database;
  readonly items: Pick<Items, 'get' | 'getMany'>;
  readonly emit: (
    type: 'playback.progress' | 'playback.completed' | 'playback.removed',
    data: PlaybackEventData,
  ) => void;
  readonly now: () => number;
}

const completedFrom = 0.9;
const passedOver = ['music', 'photos'] as const;
/** How many episodes are tried until one is visible. */
const mostCandidates = 5;

const neverPlayed: ItemPlayback = { completed: false, position: 0, duration: 0 };

/** Creates the states over the database. */
export function createPlayback({ database, items, emit, now }: PlaybackParts): Playback {
  const db = database.read;

  /**
   * Reads until a page is full: what the viewer may not see is left out, and the cursor is after
   * the last row that was read.
   */
  async function page<Row>(
    query: PlaybackQuery,
    read: (before: Earlier | null, limit: number) => Promise<readonly Row[]>,
    show: (rows: readonly Row[]) => Promise<readonly (Item | undefined)[]>,
    placeOf: (row: Row) => Earlier,
  ): Promise<ItemsPage> {
    const { limit = 50 } = query;
    const found: Item[] = [];
    let before = parseCursor(query.cursor);
    for (;;) {
      const rows = await read(before, limit + 1);
      const shown = await show(rows);
      for (const [index, row] of rows.entries()) {
        if (found.length === limit && before !== null)
          return { items: found, nextCursor: writeCursor([before.at, before.id]) };
        before = placeOf(row);
        const item = shown[index];
        if (item !== undefined) found.push(item);
      }
      if (rows.length <= limit) return { items: found, nextCursor: null };
    }
  }

  async function visible(ids: readonly string[], viewer: Viewer): Promise<Map<string, Item>> {
    return new Map((await items.getMany(ids, viewer)).map((item) => [item.id, item]));
  }

  return {
    get: async (itemId, viewer) => {
      await items.get(itemId, viewer);
      const row = await findPlayback(db, viewer.profileId, itemId);
      return row ? toPlayback(row) : neverPlayed;
    },
    put: async (itemId, change, viewer) => {
      const item = await items.get(itemId, viewer);
      const { profileId, userId } = viewer;
      const { row, before } = await database.write(async (trx) => {
        const known = await findPlayback(trx, profileId, itemId);
        const at = now();
        const saved = {
          profile_id: profileId,
          user_id: userId,
          item_id: itemId,
          ...afterReport(known, settled(change, known?.duration ?? durationOf(item)), at),
          updated_at: at,
        };
        await savePlayback(trx, saved);
        return { row: saved, before: known };
      });
      const state = toPlayback(row);
      const isFinished = state.completed && !(before?.completed ?? false);
      emit(isFinished ? 'playback.completed' : 'playback.progress', {
        itemId,
        profileId,
        ...state,
      });
      return state;
    },
    remove: async (itemId, viewer) => {
      await items.get(itemId, viewer);
      const { profileId } = viewer;
      const isRemoved = await database.write((trx) =>
        deletePlayback(trx, { profile_id: profileId, item_id: itemId }),
      );
      if (isRemoved) emit('playback.removed', { itemId, profileId, ...neverPlayed });
    },
    continueWatching: (viewer, query) =>
      page(
        query,
        (before, limit) =>
          readStarted(db, { profileId: viewer.profileId, passedOver, before, limit }),
        async (rows) => {
          const ids = rows.map((row) => row.item_id);
          const shown = await visible(ids, viewer);
          return ids.map((id) => shown.get(id));
        },
        (row) => ({ at: Number(row.updated_at), id: row.item_id }),
      ),
    nextUp: (viewer, query) =>
      page(
        query,
        (before, limit) => readWatchedShows(db, { profileId: viewer.profileId, before, limit }),
        async (shows) => {
          const numbers = shows.map((show) => show.entity_no);
          const rows = await readEpisodes(db, viewer.profileId, numbers);
          const byShow = Map.groupBy(rows, (row) => row.entity_no);
          const candidates = numbers.map((no) =>
            nextEpisodes((byShow.get(no) ?? []).map(toEpisode))
              .slice(0, mostCandidates)
              .map(({ itemId }) => itemId),
          );
          const shown = await visible(candidates.flat(), viewer);
          return candidates.map((ids) =>
            ids.map((id) => shown.get(id)).find((item) => item !== undefined),
          );
        },
        ({ at, id }) => ({ at: Number(at), id }),
      ),
  };
}

/** A position after the end is set to the end. */
function settled({ position, duration, completed }: PlaybackChange, known: number): Reported {
  const length = duration ?? known;
  const place = length > 0 ? Math.min(position, length) : position;
  const isAtEnd = length > 0 && place >= length * completedFrom;
  return { completed: completed ?? isAtEnd, position: place, duration: length };
}

/** The sum of all parts of an item that is played as one. */
function durationOf({ files }: Item): number {
  return files
    .filter(({ classification, edition }) => classification === 'primary' && edition === null)
    .reduce((sum, { duration }) => sum + (duration ?? 0), 0);
}

const toEpisode = (row: EpisodeRow) => ({
  itemId: row.item_id,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  isCompleted: Boolean(row.completed),
  isStarted: Boolean(row.started),
  watchedAt: row.updated_at === null ? null : Number(row.updated_at),
});

function parseCursor(cursor: string | undefined): Earlier | null {
  if (cursor === undefined) return null;
  const [at, id] = readCursor(cursor, 2);
  if (typeof at === 'number' && typeof id === 'string') return { at, id };
  throw new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
}
