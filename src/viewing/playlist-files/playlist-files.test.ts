import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openTestLibrary, type TestLibrary } from '../../../test/support/library/library.ts';
import { serverViewer, type Viewer } from '../../people/viewer/index.ts';
import { createPlaylistFiles, type PlaylistFiles } from './index.ts';

const root = 'file:///films';
const media = ['Alien (1979)/a.mkv', 'Brazil (1985)/b.mkv'];

let library: TestLibrary;
let libraryId: string;
let playlists: PlaylistFiles;
/** The lines of every playlist. */
let lines: readonly string[];

const scan = (lists: readonly string[]) => {
  const file = { size: 7, modifiedAt: 1 };
  const beside = lists.map((name) => ({
    ...{ ...file, uri: `${root}/${name}`, type: 'auxiliary' as const },
  }));
  const files = media.map((name) => ({ ...file, uri: `${root}/${encodeURI(name)}` }));
  return library.reconcile({
    ...{ libraryId, root, after: null, through: null, unreadable: [] },
    files: [...files, ...beside].sort((a, b) => (a.uri < b.uri ? -1 : 1)),
  });
};

const only = async (viewer: Viewer = serverViewer) => {
  const [file] = await playlists.list(libraryId, viewer);
  return playlists.get(libraryId, file?.id ?? '', viewer);
};
const shown = async (viewer?: Viewer) =>
  (await only(viewer)).entries.map(({ title, item, problem }) => [title, item?.title ?? problem]);

beforeEach(async () => {
  library = await openTestLibrary();
  onTestFinished(library.close);
  const made = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  libraryId = made.id;
  playlists = createPlaylistFiles({
    places: library.playlistPlaces,
    items: library.items,
    // Another test reads real bytes through the plugin.
    texts: { lines: async () => lines },
  });
  lines = [
    '#EXTINF:60,First',
    '../Alien (1979)/a.mkv',
    'Brazil%20(1985)/b.mkv',
    'file:///x/Brazil%20(1985)/b.mkv',
    '../Gone/c.mkv',
    'https://a.b/c.mp3',
  ];
  await scan(['Lists/Best.m3u8', 'Lists/notes.txt']);
});

test('a playlist has the items of its library, and names what is not there', async () => {
  expect(await playlists.list(libraryId, serverViewer)).toMatchObject([
    { libraryId, name: 'Best', path: 'Lists/Best.m3u8' },
  ]);
  expect(await shown()).toEqual([
    ['First', 'Alien'],
    ['b.mkv', 'missing'],
    ['b.mkv', 'Brazil'],
    ['c.mkv', 'missing'],
    ['https://a.b/c.mp3', 'address'],
  ]);
  lines = ['../Brazil (1985)/b.mkv'];
  expect(await shown()).toEqual([['b.mkv', 'Brazil']]);
  lines = ['#EXT-X-STREAM-INF:BANDWIDTH=1', 'low.m3u8'];
  await expect(only()).rejects.toMatchObject({ code: 'text_refused' });
});

test('a playlist is gone with its file, and never one of another library', async () => {
  const { playlist } = await only();
  const other = await library.libraries.create({ name: 'B', type: 'movies', roots: ['file:///b'] });
  const find = (id: string) => playlists.get(id, playlist.id, serverViewer);

  await expect(find(other.id)).rejects.toMatchObject({ code: 'not_found' });
  await scan([]);
  await expect(find(libraryId)).rejects.toMatchObject({ code: 'not_found' });
  expect(await playlists.list(libraryId, serverViewer)).toEqual([]);
});

test('who is limited by certifications sees no playlist, and a stranger no library', async () => {
  const { playlist } = await only();
  const within = (libraries: Viewer['visibility']['libraries']): Viewer => ({
    ...serverViewer,
    visibility: { libraries, showsHidden: false },
  });
  const limited = within(new Map([[libraryId, [[{ system: 'MPAA', label: 'PG' }]]]]));

  expect(await playlists.list(libraryId, limited)).toEqual([]);
  for (const viewer of [limited, within(new Map())])
    await expect(playlists.get(libraryId, playlist.id, viewer)).rejects.toMatchObject({
      code: 'not_found',
    });
});

test('a person reads three playlists at a time at most, and others are served in turn', async () => {
  const { playlist } = await only();
  const ask = (userId: string) =>
    playlists.get(libraryId, playlist.id, { ...serverViewer, userId }).then(
      () => userId,
      (error: unknown) => (error as { readonly code: string }).code,
    );
  const order: string[] = [];
  const asked = [...Array.from({ length: 20 }, () => 'kid'), 'ada'].map(async (userId) => {
    order.push(await ask(userId));
  });
  await Promise.all(asked);

  expect(order.filter((one) => one === 'too_many_requests')).toHaveLength(17);
  expect(order.filter((one) => one !== 'too_many_requests')).toEqual(['kid', 'ada', 'kid', 'kid']);
  expect(await ask('kid')).toBe('kid');
});
