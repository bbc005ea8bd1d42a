import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReconcileInput, ScannedFile } from '../../../../plugin-api/index.ts';
import {
  answerByFolder,
  openTestLibrary,
  type TestLibrary,
} from '../../../../test/support/library/library.ts';
import { settleWaiting } from '../../../../test/support/library/settle-waiting.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import { readAuxiliaryIn } from '../tables/beside/auxiliary-store.ts';

const root = 'file:///films';
const besideMedia = /\.(srt|nfo|jpg|cue)$/;

interface Setting {
  readonly library: TestLibrary;
  /** Scans the current files, in pages of at most this many. */
  readonly scan: (paths: Readonly<Record<string, number>>, size?: number) => Promise<number>;
  /** Auxiliary files with the title of their item, once what waits was ingested. */
  readonly owners: () => Promise<Readonly<Record<string, string | null>>>;
  /** Media files that wait for the ingest; clears their marks. */
  readonly pending: () => Promise<readonly string[]>;
}

/** Each file is an item with its path as the title, but for the versions of one work. */
const byName: Parameters<typeof openTestLibrary>[0] = {
  call: async (pluginId, method, input, options) => {
    const { files = [] } = input as { readonly files?: readonly { readonly path: string }[] };
    if (method === 'library.group') return { keys: files.map(({ path }) => path.split(' - ')[0]) };
    if (method === 'indexer.index')
      return { results: files.map(({ path }) => ({ title: path, metadata: {}, entities: {} })) };
    return answerByFolder(pluginId, method, input, options);
  },
};

async function open(parts: Parameters<typeof openTestLibrary>[0] = {}): Promise<Setting> {
  const library = await openTestLibrary(parts);
  onTestFinished(library.close);
  const { id: libraryId } = await library.libraries.create({
    name: 'Films',
    type: 'movies',
    roots: [root],
  });
  const { database } = library.storage;

  return {
    library,
    scan: async (paths, size = 1000) => {
      const files = filesOf(paths);
      let unchanged = 0;
      let after: string | null = null;
      for (let at = 0; at === 0 || at < files.length; at += size) {
        const part = files.slice(at, at + size);
        const through: string | null = at + size < files.length ? (part.at(-1)?.uri ?? null) : null;
        const page: ReconcileInput = {
          libraryId,
          root,
          after,
          through,
          files: part,
          unreadable: [],
        };
        unchanged += (await library.reconcile(page)).unchanged;
        after = through;
      }
      return unchanged;
    },
    owners: async () => {
      await settleWaiting(library);
      const rows: { uri: string; title: string | null }[] = await database
        .read('files')
        .leftJoin('items', 'items.no', 'files.item_no')
        .where('files.type', 'auxiliary')
        .orderBy('files.uri')
        .select('files.uri', 'items.title');
      return Object.fromEntries(rows.map(({ uri, title }) => [pathOf(uri), title]));
    },
    pending: async () => {
      const rows: { uri: string }[] = await database
        .read('files')
        .where('type', 'media')
        .where('ingest_state', '>', 0)
        .whereNot('status', 'missing')
        .orderBy('uri')
        .select('uri');
      await database.write(async (trx) => trx('files').update({ ingest_state: 0 }));
      return rows.map(({ uri }) => pathOf(uri));
    },
  };
}

const pathOf = (uri: string): string => decodeURIComponent(uri.slice(root.length + 1));

function filesOf(paths: Readonly<Record<string, number>>): readonly ScannedFile[] {
  return Object.entries(paths)
    .map(([path, size]) => ({
      uri: [root, ...path.split('/').map(encodeURIComponent)].join('/'),
      size,
      modifiedAt: size,
      ...(besideMedia.test(path) && { type: 'auxiliary' as const }),
    }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

const film = {
  'Alien/Alien-poster.jpg': 1,
  'Alien/Alien.en.forced.srt': 2,
  'Alien/Alien.mkv': 3,
  'Alien/Alien 2.mkv': 4,
  'Alien/Alien 2.srt': 5,
  'Alien/folder.jpg': 6,
};

describe('files beside media', () => {
  test('make no item, are not counted, and belong to the only item of their folder', async () => {
    const { library, scan, owners } = await open();

    await scan(film);

    const { items } = await library.items.list(serverViewer, {});
    expect(items.map(({ title }) => title)).toEqual(['Alien']);
    expect(await scan(film)).toBe(2);
    expect(await owners()).toEqual({
      'Alien/Alien-poster.jpg': 'Alien',
      'Alien/Alien.en.forced.srt': 'Alien',
      'Alien/Alien 2.srt': 'Alien',
      'Alien/folder.jpg': 'Alien',
    });
  });

  test('are files of the item when they are subtitles or lyrics, after its media', async () => {
    const { library, scan, owners } = await open();
    await scan(film);
    await owners();

    const [item] = (await library.items.list(serverViewer, {})).items;

    expect(item?.files.map(({ filename, type }) => [filename, type])).toEqual([
      ['Alien 2.mkv', 'media'],
      ['Alien.mkv', 'media'],
      ['Alien 2.srt', 'auxiliary'],
      ['Alien.en.forced.srt', 'auxiliary'],
    ]);
    const subtitle = await library.files.get(item?.files[3]?.id ?? '', serverViewer);
    expect(subtitle).toMatchObject({ itemId: item?.id, mediaKind: 'text', size: 2 });
  });

  test('find their item across the ends of pages, in either order', async () => {
    for (const size of [1, 2, 3]) {
      const { scan, owners } = await open();

      await scan(film, size);

      expect(await owners()).toMatchObject({
        'Alien/Alien-poster.jpg': 'Alien',
        'Alien/Alien.en.forced.srt': 'Alien',
        'Alien/Alien 2.srt': 'Alien',
      });
    }
  });

  test('find their item when they arrive after it or before it', async () => {
    const { scan, owners } = await open();

    await scan({ 'A/A.mkv': 1, 'B/B.srt': 2 });
    await scan({ 'A/A.mkv': 1, 'A/A.srt': 3, 'B/B.mkv': 4, 'B/B.srt': 2 });

    expect(await owners()).toEqual({ 'A/A.srt': 'A', 'B/B.srt': 'B' });
  });

  test('find known media that sorts after the page that brings them', async () => {
    for (const size of [1, 2, 1000]) {
      const { scan, owners } = await open();
      await scan({ 'A/A.mkv': 1, 'B/B.zz.srt': 2 });

      await scan({ 'A/A-x.jpg': 3, 'A/A.mkv': 1, 'B/B.mkv': 4, 'B/B.zz.srt': 2 }, size);

      expect(await owners()).toEqual({ 'A/A-x.jpg': 'A', 'B/B.zz.srt': 'B' });
    }
  });

  test('belong to the item of the longest name, also when its media arrives later', async () => {
    const { scan, owners } = await open(byName);
    const first = { 'a.mkv': 1, 'a-2.en.srt': 2, 'a.en.srt': 3, 'Subs/a-2.de.srt': 4, 'c.mkv': 5 };
    const titles = async () => {
      const all = await owners();
      return ['a.en.srt', 'a-2.en.srt', 'Subs/a-2.de.srt'].map((path) => all[path]);
    };

    await scan(first);
    expect(await titles()).toEqual(['a.mkv', 'a.mkv', 'a.mkv']);
    await scan({ ...first, 'a-2.mkv': 6 });
    expect(await titles()).toEqual(['a.mkv', 'a-2.mkv', 'a-2.mkv']);
  });

  test('that are named after the work belong to all its versions', async () => {
    const { scan, owners } = await open(byName);
    const media = { 'F (1999) - 1k.mkv': 1, 'F (1999) - 2k.mkv': 2, 'G (1999).mkv': 3 };

    await scan({ ...media, 'F (1999).en.srt': 4, 'Subs/F (1999)/2_English.srt': 5 });

    expect(await owners()).toEqual({
      'F (1999).en.srt': 'F (1999) - 1k.mkv',
      'Subs/F (1999)/2_English.srt': 'F (1999) - 1k.mkv',
    });
  });

  test('without the name of media belong to an item while it is the only one of the folder', async () => {
    const { scan, owners } = await open(byName);
    const beside = { 'A/English (Forced).srt': 1, 'A/Subs/2_English.srt': 2, 'A/x.cue': 3 };
    const titles = async (paths: Readonly<Record<string, number>>) => {
      await scan(paths);
      return [...new Set(Object.values(await owners()))];
    };

    expect(await titles({ ...beside, 'A/a.mkv': 4 })).toEqual(['A/a.mkv']);
    expect(await titles({ ...beside, 'A/a.mkv': 4, 'A/b.mkv': 5 })).toEqual([null]);
    expect(await titles({ ...beside, 'A/b.mkv': 5 })).toEqual(['A/b.mkv']);
    expect(await titles({ 'A/English.srt': 1, 'A/b.mkv': 5 })).toEqual(['A/b.mkv']);
    expect(await titles({ 'A/b.mkv': 5 })).toEqual([]);
  });

  test('are deleted when they are gone, and an item without media is missing', async () => {
    const { library, scan, owners } = await open();
    await scan({ 'A/A.mkv': 1, 'A/A.srt': 2, 'B/B.mkv': 3, 'B/B.srt': 4 });
    await owners();

    await scan({ 'A/A.mkv': 1, 'B/B.srt': 4 });

    expect(await owners()).toEqual({ 'B/B.srt': 'B' });
    const { items } = await library.items.list(serverViewer, {});
    expect(items.map(({ title, files }) => [title, files.length])).toEqual([['A', 1]]);
  });

  test('stay behind when media moves away, and come along when they move too', async () => {
    const { library, scan, owners } = await open();
    await scan({ 'A/A.mkv': 1, 'A/A.nfo': 2, 'A/A.srt': 3 });
    const [before] = (await library.items.list(serverViewer, {})).items;

    await scan({ 'A/A.nfo': 2, 'B/A.mkv': 1, 'B/A.srt': 3 });

    expect(await owners()).toEqual({ 'A/A.nfo': null, 'B/A.srt': 'B' });
    const [after] = (await library.items.list(serverViewer, {})).items;
    expect(after?.id).toBe(before?.id);
    expect(after?.files.map(({ uri }) => pathOf(uri))).toEqual(['B/A.mkv', 'B/A.srt']);
  });

  test('make the media that they concern wait for the ingest when they arrive, change or leave', async () => {
    const { scan, pending } = await open();
    const both = { 'A/A.mkv': 1, 'A/A2.mkv': 2, 'B/B.mkv': 3 };
    await scan(both);
    await pending();

    await scan({ ...both, 'A/A.nfo': 4 });
    const came = await pending();
    await scan({ ...both, 'A/A.nfo': 5 });
    const changed = await pending();
    await scan({ ...both, 'A/A.nfo': 5, 'A/folder.jpg': 6 });
    const ofFolder = await pending();
    await scan(both);
    const gone = await pending();
    await scan(both);

    expect(came).toEqual(['A/A.mkv', 'A/A2.mkv']);
    expect(changed).toEqual(['A/A.mkv', 'A/A2.mkv']);
    expect(ofFolder).toEqual(['A/A.mkv', 'A/A2.mkv']);
    expect(gone).toEqual(['A/A.mkv', 'A/A2.mkv']);
    expect(await pending()).toEqual([]);
  });

  test('of many folders are read in one query', async () => {
    const { library, scan } = await open();
    await scan({ ...film, 'B/b.mkv': 1, 'B/b.nfo': 2, 'B/Subs/en.srt': 3, 'top.jpg': 4 });
    const { no } = await library.storage.database.read('libraries').first<{ no: number }>('no');

    const found = await readAuxiliaryIn(library.storage.database.read, no, [
      `${root}/B`,
      root,
      `${root}/C`,
    ]);

    expect(found).toEqual([
      { no: expect.any(Number), folder: `${root}/B`, uri: `${root}/B/b.nfo`, size: 2 },
      { no: expect.any(Number), folder: root, uri: `${root}/top.jpg`, size: 4 },
    ]);
  });

  test('become media when they are media from now on, and the other way round', async () => {
    const { library, scan } = await open();
    const list = async () => (await library.items.list(serverViewer, {})).items;
    await scan({ 'A/a.mkv': 1, 'A/b.srt': 2 });
    const page = { root, after: null, through: null, unreadable: [] };
    const { libraryId = '' } = (await list())[0] ?? {};
    const uris = [`${root}/A/a.mkv`, `${root}/A/b.srt`] as const;

    await library.reconcile({
      ...page,
      libraryId,
      files: uris.map((uri) => ({ uri, size: 1, modifiedAt: 1 })),
    });
    const both = await list();
    const swapped = [
      { uri: uris[0], size: 1, modifiedAt: 1 },
      { uri: uris[1], size: 2, modifiedAt: 2, type: 'auxiliary' as const },
    ];
    await library.reconcile({ ...page, libraryId, files: swapped });
    await library.reconcile({ ...page, libraryId, files: swapped });

    expect(both[0]?.files.map(({ type }) => type)).toEqual(['media', 'media']);
    const rows = await library.storage.database.read('files').orderBy('uri').select('uri', 'type');
    expect(rows).toEqual([
      { uri: uris[0], type: 'media' },
      { uri: uris[1], type: 'auxiliary' },
    ]);
  });

  test('that arrived in a later page than their media make it wait, also during its ingest', async () => {
    const { library, scan } = await open();
    const states = async () =>
      library.storage.database.read('files').where('type', 'media').pluck('ingest_state');

    await scan({ 'A/A.mkv': 1, 'A/A.nfo': 2 });
    const together = await states();
    await scan({ 'A/A.mkv': 1, 'A/A.nfo': 2, 'B/B.mkv': 3, 'B/B.nfo': 4 }, 3);

    expect(together).toEqual([1]);
    expect(await states()).toEqual([1, 3]);
  });

  test('that concern a folder make a film wait when another item enters or leaves the folder', async () => {
    const { scan, pending } = await open();
    const lone = { 'F/A (1990).mkv': 1, 'F/poster.jpg': 2 };
    const other = { 'F/Sub/B.mkv': 3 };
    const third = { 'F/C/C.mkv': 4 };
    const waiting = async (paths: Readonly<Record<string, number>>) => {
      await scan(paths);
      return pending();
    };

    expect(await waiting(lone)).toEqual(['F/A (1990).mkv']);
    expect(await waiting({ ...lone, ...other })).toEqual(['F/A (1990).mkv', 'F/Sub/B.mkv']);
    expect(await waiting({ ...lone, ...other, ...third })).toEqual(['F/C/C.mkv']);
    expect(await waiting({ ...lone, ...other })).toEqual([]);
    expect(await waiting(lone)).toEqual(['F/A (1990).mkv']);
    expect(await waiting({ ...lone, ...other })).toEqual(['F/A (1990).mkv']);
    expect(await waiting({ ...lone, 'G/B.mkv': 3 })).toEqual(['F/A (1990).mkv', 'G/B.mkv']);
    expect(await waiting({ 'F/A (1990).mkv': 1, 'G/B.mkv': 3 })).toEqual(['F/A (1990).mkv']);
    expect(await waiting({ 'F/A (1990).mkv': 1, ...other })).toEqual(['F/Sub/B.mkv']);
  });
});
