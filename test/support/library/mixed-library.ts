/** Libraries of several types whose items a test describes, with what a profile says of them. */
import type { Viewer } from '../../../src/people/viewer/index.ts';
import { serverViewer } from '../../../src/people/viewer/index.ts';
import {
  createMarks,
  createPlayback,
  entityProfile,
  playbackMigrations,
  selectItemPlayback,
  watchedCounts,
  type Marks,
  type Playback,
} from '../../../src/viewing/playback/index.ts';
import { answerByFolder, openTestLibrary, type TestLibrary } from './library.ts';

/** An item, by the name of its file. */
export interface MixedItem {
  readonly title: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Names by role; a season and an album are of the show and the artist beside them. */
  readonly entities?: Readonly<Record<string, readonly string[]>>;
}

export interface MixedLibrary extends TestLibrary {
  readonly marks: Marks;
  readonly playback: Playback;
  /** A library of these items, and its id. Each call is a moment later than the one before. */
  readonly fill: (name: string, type: string, items: readonly MixedItem[]) => Promise<string>;
  readonly itemId: (title: string) => Promise<string>;
  readonly entityId: (type: string, name: string) => Promise<string>;
  readonly watch: (title: string, viewer?: Viewer) => Promise<void>;
  /** Plays a minute or more of an item. */
  readonly begin: (title: string, viewer?: Viewer) => Promise<void>;
}

/** Opens one; the caller closes it. */
export async function openMixedLibrary(): Promise<MixedLibrary> {
  const described = new Map<string, MixedItem>();
  const shelves = new Map<string, Set<string>>();
  let now = Date.UTC(2026, 0, 1);
  const tick = (): number => (now += 1000);
  const library = await openTestLibrary(
    {
      now: () => now,
      call: async (id, method, input, options) => {
        const { files = [] } = input as { files?: readonly { path: string }[] };
        if (method === 'indexer.index')
          return { results: files.map(({ path }) => toResult(described.get(path))) };
        if (method === 'library.group') return { keys: files.map(({ path }) => path) };
        return answerByFolder(id, method, input, options);
      },
      selectPlayback: selectItemPlayback,
      entityProfile,
    },
    undefined,
    [playbackMigrations],
  );
  library.entityUpkeep.follow(watchedCounts);
  const { database } = library.storage;
  const events = { emit: () => undefined, room: async () => undefined };
  const marks = createMarks({ ...library, database, events: { emit: () => undefined }, now: tick });
  const playback = createPlayback({ ...library, database, events, now: tick });

  async function itemId(title: string): Promise<string> {
    const row = await database.read('items').where({ title }).first<{ id: string } | undefined>();
    if (row === undefined) throw new Error(`There is no item ${title}.`);
    return row.id;
  }

  return {
    ...library,
    marks,
    playback,
    fill: async (name, type, items) => {
      tick();
      const root = `file:///${encodeURIComponent(name)}`;
      const known = (await library.libraries.list(serverViewer)).find((one) => one.name === name);
      const { id } = known ?? (await library.libraries.create({ name, type, roots: [root] }));
      const shelf = shelves.get(name) ?? new Set();
      shelves.set(name, shelf);
      for (const item of items) {
        described.set(`${item.title}.mkv`, item);
        shelf.add(`${root}/${encodeURIComponent(item.title)}.mkv`);
      }
      const files = [...shelf].sort().map((uri) => ({ uri, size: 1, modifiedAt: 1 }));
      const page = { libraryId: id, root, after: null, through: null, unreadable: [], files };
      await library.reconcile(page);
      return id;
    },
    itemId,
    entityId: async (type, name) => {
      const { entities } = await library.entities.list(serverViewer, { type, limit: 500 });
      const entity = entities.find((one) => one.name === name);
      if (entity === undefined) throw new Error(`There is no ${type} ${name}.`);
      return entity.id;
    },
    watch: async (title, viewer = serverViewer) => {
      await playback.put(await itemId(title), { position: 90, duration: 90 }, viewer);
    },
    begin: async (title, viewer = serverViewer) => {
      await playback.put(await itemId(title), { position: 61, duration: 900 }, viewer);
    },
  };
}

function toResult(item: MixedItem | undefined): object | null {
  if (item === undefined) return null;
  const roles = Object.entries(item.entities ?? {}).map(([role, names]) => [
    role,
    names.map((name) => ({ name, status: 'pending', source: 'test' })),
  ]);
  return {
    title: item.title,
    metadata: item.metadata ?? {},
    entities: Object.fromEntries(roles) as object,
  };
}

/** An episode of a show, with its season. */
export const episodeOf = (
  series: string,
  season: number,
  episode: number,
  metadata: object = {},
): MixedItem => ({
  title: `${series} S${season}E${episode}`,
  metadata: { series, season, episode, ...metadata },
  entities: { show: [series], season: [season === 0 ? 'Specials' : `Season ${season}`] },
});

/** A track of an album. */
export const trackOf = (
  artist: string,
  album: string,
  title: string,
  metadata: object = {},
): MixedItem => ({
  title,
  metadata: { artist, album, ...metadata },
  entities: { albumArtist: [artist], artist: [artist], album: [album] },
});

/** A book of a series. */
export const bookOf = (series: string, title: string, metadata: object = {}): MixedItem => ({
  title,
  metadata: { series, ...metadata },
  entities: { series: [series] },
});
