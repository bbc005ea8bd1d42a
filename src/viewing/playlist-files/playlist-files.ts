/**
 * Playlist files of libraries (M3U). A file is read when somebody asks for its playlist, so it follows
 * every change of it. Guarantees: an entry leads to an item of the same library that the viewer may
 * see; what leads elsewhere is named by its title alone, and what is hidden from the viewer is left out.
 */
import type { Items } from '../../library/catalogue/index.ts';
import type { PlaylistPlaces } from '../../library/catalogue/media/index.ts';
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
export interface PlaylistFiles {
  readonly list: PlaylistPlaces['list'];
  readonly get: (libraryId: string, fileId: string, viewer: Viewer) => Promise<PlaylistContents>;
}

export interface PlaylistFilesParts {
  readonly places: PlaylistPlaces;
  readonly items: Pick<Items, 'getTiles'>;
  readonly texts: Pick<Texts, 'lines'>;
}

/** Creates the access to playlist files. */
export function createPlaylistFiles({ places, items, texts }: PlaylistFilesParts): PlaylistFiles {
  return {
    list: places.list,
    get: async (libraryId, fileId, viewer) => {
      const { file, uri, roots } = await places.find(libraryId, fileId, viewer);
      const entries = readM3u(await texts.lines(uri, roots));
      if (entries === null)
        throw new AppError('text_refused', { why: 'It lists the pieces of a stream (HLS).' });
      const folder = uri.slice(0, uri.lastIndexOf('/'));
      const wanted = entries.map(({ place }) => place && urisOf(place, { folder, roots }));
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
        playlist: file,
        entries: entries.flatMap((entry, at) => toEntry(entry, ids[at], tiles)),
      };
    },
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
