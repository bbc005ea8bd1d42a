import type { Database } from '../../../kernel/store/index.ts';
import type { Entities, Items, ItemsPage } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import { nextEpisodes } from './next-episode.ts';
import {
  readRecentShows,
  readStarted,
  readWatchedShows,
  type Earlier,
  type RecentShow,
  type RecentShows,
} from './playback-store.ts';
import { createShowEpisodes } from './show-episodes.ts';
import type { Tile } from '../../contract/resources/library/catalogue.ts';
import type { PageQuery } from '../../contract/resources/schema-parts.ts';

/** What follows from the playback states of the viewer's profile. */
export interface PlaybackLists {
  /** What was started and not finished, the latest first, without music and photos. */
  readonly continueWatching: (viewer: Viewer, query: PageQuery) => Promise<ItemsPage>;
  /** The next episode of each watched show; the latest show first. */
  readonly nextUp: (viewer: Viewer, query: PageQuery) => Promise<ItemsPage>;
  /** The next episode of one show; `undefined` when all were watched. */
  readonly nextOfShow: (
    viewer: Viewer,
    showId: string,
  ) => Promise<ItemsPage['items'][number] | undefined>;
  /** The beginnings of the same lists as tiles. */
  readonly continueTiles: (viewer: Viewer, limit: number) => Promise<readonly Tile[]>;
  readonly nextUpTiles: (viewer: Viewer, limit: number) => Promise<readonly Tile[]>;
}

const passedOver = ['music', 'photos'] as const;
/** How many episodes are tried until one is visible. */
const mostCandidates = 5;

/** So many states are walked at once for the latest shows. */
const firstPortion = 300;
/** Each further portion is so many times as large: much music may stand before the next show. */
const growth = 4;
/** So many shows are tried at once, when few are wanted. */
const fewestShows = 4;

interface PlaybackListsParts {
  readonly database: Pick<Database, 'read'>;
  readonly items: Pick<Items, 'getMany' | 'getTiles'>;
  readonly entities: Pick<Entities, 'find'>;
}

class StoredPlaybackLists implements PlaybackLists {
  readonly #parts: PlaybackListsParts;
  readonly #db: Database['read'];
  readonly #episodesOf: ReturnType<typeof createShowEpisodes>;

  constructor(parts: PlaybackListsParts) {
    this.#parts = parts;
    this.#db = parts.database.read;
    this.#episodesOf = createShowEpisodes(parts.database);
  }

  /**
   * Reads until a page is full: what the viewer may not see is left out, and the cursor is after
   * the last row that was read.
   */
  async #page<Row, Shown>(
    query: PageQuery,
    read: (before: Earlier | null, limit: number) => Promise<readonly Row[]>,
    show: (rows: readonly Row[]) => Promise<readonly (Shown | undefined)[]>,
    placeOf: (row: Row) => Earlier,
  ): Promise<{ readonly items: readonly Shown[]; readonly nextCursor: string | null }> {
    const { limit = 50 } = query;
    const found: Shown[] = [];
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

  readonly #started = <Shown extends WithId>(viewer: Viewer, query: PageQuery, read: Read<Shown>) =>
    this.#page(
      query,
      (before, limit) =>
        readStarted(this.#db, { profileId: viewer.profileId, passedOver, before, limit }),
      async (rows) => {
        const ids = rows.map((row) => row.item_id);
        const shown = byId(await read(ids, viewer));
        return ids.map((id) => shown.get(id));
      },
      (row) => ({ at: Number(row.updated_at), id: row.item_id }),
    );

  /** The next visible episode of each of these shows. */
  async #nextOf<Shown extends WithId>(
    showNumbers: readonly number[],
    viewer: Viewer,
    read: Read<Shown>,
  ): Promise<readonly (Shown | undefined)[]> {
    const shows = await this.#episodesOf(viewer.profileId, showNumbers);
    const candidates = showNumbers.map((no) =>
      nextEpisodes(shows.get(no) ?? [])
        .slice(0, mostCandidates)
        .map(({ itemId }) => itemId),
    );
    // Mostly the first one is visible. The others are read only where it is not.
    const first = byId(
      await read(
        candidates.flatMap(([id]) => id ?? []),
        viewer,
      ),
    );
    const others = candidates.flatMap(([id, ...rest]) => (first.has(id ?? '') ? [] : rest));
    const further = byId(await read(others, viewer));
    return candidates.map((ids) =>
      ids.map((id) => first.get(id) ?? further.get(id)).find((item) => item !== undefined),
    );
  }

  readonly continueWatching: PlaybackLists['continueWatching'] = (viewer, query) =>
    this.#started(viewer, query, this.#parts.items.getMany);

  readonly continueTiles: PlaybackLists['continueTiles'] = async (viewer, limit) =>
    (await this.#started(viewer, { limit }, this.#parts.items.getTiles)).items;

  readonly nextUp: PlaybackLists['nextUp'] = (viewer, query) =>
    this.#page(
      query,
      (before, limit) => readWatchedShows(this.#db, { profileId: viewer.profileId, before, limit }),
      (shows) =>
        this.#nextOf(
          shows.map((show) => show.entity_no),
          viewer,
          this.#parts.items.getMany,
        ),
      ({ at, id }) => ({ at: Number(at), id }),
    );

  readonly nextOfShow: PlaybackLists['nextOfShow'] = async (viewer, showId) => {
    const { no } = await this.#parts.entities.find(showId, viewer);
    const [next] = await this.#nextOf([no], viewer, this.#parts.items.getMany);
    return next;
  };

  readonly nextUpTiles: PlaybackLists['nextUpTiles'] = async (viewer, limit) => {
    const seen = new Set<number>();
    const found: Tile[] = [];
    let before: Earlier | null = null;
    let portion = firstPortion;
    do {
      const asked = { profileId: viewer.profileId, before, portion };
      const recent: RecentShows = await readRecentShows(this.#db, asked);
      const shows = showsToGoOn(recent.shows, seen);
      while (shows.length > 0 && found.length < limit) {
        const some = shows.splice(0, Math.max(fewestShows, limit - found.length));
        found.push(
          ...(await this.#nextOf(some, viewer, this.#parts.items.getTiles)).flatMap(
            (one) => one ?? [],
          ),
        );
      }
      before = recent.before;
      portion *= growth;
    } while (found.length < limit && before !== null);
    return found.slice(0, limit);
  };
}

export const createPlaybackLists = (parts: PlaybackListsParts): PlaybackLists =>
  new StoredPlaybackLists(parts);

/**
 * The shows that were not seen before, the latest first. A show of which the latest episode is
 * begun is left out: that one is to be continued, and none is next.
 */
function showsToGoOn(rows: readonly RecentShow[], seen: Set<number>): number[] {
  return rows.flatMap(({ entity_no: no, started }) => {
    if (seen.has(no)) return [];
    seen.add(no);
    return started ? [] : no;
  });
}

interface WithId {
  readonly id: string;
}

type Read<Shown> = (ids: readonly string[], viewer: Viewer) => Promise<readonly Shown[]>;

const byId = <Shown extends WithId>(shown: readonly Shown[]): ReadonlyMap<string, Shown> =>
  new Map(shown.map((one) => [one.id, one]));

function parseCursor(cursor: string | undefined): Earlier | null {
  if (cursor === undefined) return null;
  const [at, id] = readCursor(cursor, 2);
  if (typeof at === 'number' && typeof id === 'string') return { at, id };
  throw new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
}
