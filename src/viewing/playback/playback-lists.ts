import type { Database } from '../../../kernel/storage/index.ts';
import type { Item, Items, ItemsPage } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import { nextEpisodes } from './next-episode.ts';
import {
  readEpisodes,
  readStarted,
  readWatchedShows,
  type Earlier,
  type EpisodeRow,
} from './playback-store.ts';

/** One page of a list that begins with the latest. */
export interface PlaybackQuery {
  /** 50 when absent. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What follows from the playback states of the viewer's profile. */
export interface PlaybackLists {
  /** What was started and not finished, the latest first, without music and photos. */
  readonly continueWatching: (viewer: Viewer, query: PlaybackQuery) => Promise<ItemsPage>;
  /** The next episode of each watched show; the latest show first. */
  readonly nextUp: (viewer: Viewer, query: PlaybackQuery) => Promise<ItemsPage>;
}

const passedOver = ['music', 'photos'] as const;
/** How many episodes are tried until one is visible. */
const mostCandidates = 5;

/** Creates the lists over the database. */
export function createPlaybackLists({
  database,
  items,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly items: Pick<Items, 'getMany'>;
}): PlaybackLists {
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
