/**
 * Playlist files of libraries (M3U). A file is read when somebody asks for its playlist, so it follows
 * every change of it. Guarantees: an entry leads to an item of the same library that the viewer may
 * see; what leads elsewhere is named by its title alone, and what is hidden from the viewer is left out.
 * A long playlist is much work: one is read at a time, the persons in turn, and between its parts others
 * are served.
 */
import { setImmediate } from 'node:timers/promises';
import {
  createKeyedSerialQueue,
  createSemaphore,
} from '../../../packages/lib/concurrency/index.ts';
import type { Items } from '../../library/catalogue/index.ts';
import type { PlaylistPlace, PlaylistPlaces } from '../../library/catalogue/media/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Texts } from '../streaming/index.ts';
import { readM3u, urisOf, type M3uEntry } from './read-m3u.ts';
import type { Tile } from '../../contract/resources/library/catalogue.ts';
import type {
  PlaylistContents,
  PlaylistFileEntry,
} from '../../contract/resources/viewing/playlist-files.ts';

/** A library or a playlist that the viewer may not know is not found. */
export type PlaylistFiles = ReturnType<typeof createPlaylistFiles>;

export interface PlaylistFilesParts {
  readonly places: PlaylistPlaces;
  readonly items: Pick<Items, 'getTiles'>;
  readonly texts: Pick<Texts, 'lines'>;
}

/** Creates the access to playlist files. */
export function createPlaylistFiles({ places, items, texts }: PlaylistFilesParts) {
  const inTurn = createTurns();

  /** The likeliest URIs of each entry. */
  async function urisOfAll(
    entries: readonly M3uEntry[],
    { uri, roots }: PlaylistPlace,
  ): Promise<readonly (readonly string[] | null)[]> {
    const folder = uri.slice(0, uri.lastIndexOf('/'));
    const found: (readonly string[] | null)[] = [];
    for (const { place } of entries) {
      if (found.length % entriesAtOnce === 0) await setImmediate();
      found.push(place && urisOf(place, { folder, roots }));
    }
    return found;
  }

  async function contentsOf(
    place: PlaylistPlace,
    libraryId: string,
    viewer: Viewer,
  ): Promise<PlaylistContents> {
    const entries = readM3u(await texts.lines(place.uri, place.roots));
    if (entries === null)
      throw new AppError('text_refused', { why: 'It lists the pieces of a stream (HLS).' });
    const wanted = await urisOfAll(entries, place);
    const known = await places.itemsAt(
      libraryId,
      wanted.flatMap((uris) => uris ?? []),
    );
    const ids = wanted.map((uris) => uris?.map((one) => known.get(one)).find(Boolean));
    const shown = [...new Set(ids.flatMap((id) => id ?? []))];
    const tiles = new Map<string, Tile>();
    for (let at = 0; at < shown.length; at += mostTiles)
      for (const tile of await items.getTiles(shown.slice(at, at + mostTiles), viewer))
        tiles.set(tile.id, tile);
    return {
      playlist: place.file,
      entries: entries.flatMap((entry, at) => toEntry(entry, ids[at], tiles)),
    };
  }

  return {
    list: places.list,
    get: async (libraryId: string, fileId: string, viewer: Viewer): Promise<PlaylistContents> => {
      const place = await places.find(libraryId, fileId, viewer);
      return inTurn(viewer.userId, () => contentsOf(place, libraryId, viewer));
    },
  };
}

/** One that is read, and those that wait behind it. */
const mostOfPerson = 3;
const entriesAtOnce = 250;

/** Runs one piece of work at a time, of the persons in turn; refuses who asks for too much at once. */
function createTurns(): <Result>(userId: string, work: () => Promise<Result>) => Promise<Result> {
  const persons = createKeyedSerialQueue<string>();
  const whole = createSemaphore(1);
  const counts = new Map<string, number>();
  const count = (userId: string, by: number): void => {
    const now = (counts.get(userId) ?? 0) + by;
    if (now === 0) counts.delete(userId);
    else counts.set(userId, now);
  };
  return async (userId, work) => {
    if ((counts.get(userId) ?? 0) >= mostOfPerson)
      throw new AppError('too_many_requests', {
        what: `You read ${mostOfPerson} playlists at a time already; wait until one is there.`,
      });
    count(userId, 1);
    try {
      return await persons.run(userId, () => whole.run(work));
    } finally {
      count(userId, -1);
    }
  };
}

const mostTiles = 500;

function toEntry(
  { title, duration, place }: M3uEntry,
  id: string | undefined,
  tiles: ReadonlyMap<string, Tile>,
): readonly PlaylistFileEntry[] {
  if (id === undefined)
    return [{ title, duration, item: null, problem: place === null ? 'address' : 'missing' }];
  const item = tiles.get(id);
  return item === undefined ? [] : [{ title, duration, item, problem: null }];
}
