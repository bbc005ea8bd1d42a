import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReconcileInput, ReconcileResult, ScannedFile } from '../../../../plugin-api/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';

const root = 'file:///films';

/** The file at a path: its size, modification time and content. */
type Content = readonly [size: number, modifiedAt: number, content: string];
type Tree = Readonly<Record<string, Content>>;

interface Setting {
  readonly library: TestLibrary;
  /** Scans the current files, in pages that end at these paths. */
  readonly scan: (tree: Tree, ends?: readonly string[]) => Promise<ReconcileResult>;
  /** Stores the fingerprint of every file, as an ingest does. */
  readonly ingest: () => Promise<void>;
  /** Ids of the active files, by path. */
  readonly ids: () => Promise<Readonly<Record<string, string>>>;
  /** Paths whose content was read since the last call. */
  readonly looked: () => readonly string[];
}

async function open(): Promise<Setting> {
  let disk: Tree = {};
  const looked: string[] = [];
  const fingerprints = async (uris: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    looked.push(...uris.map(pathOf));
    return new Map(uris.flatMap((uri) => (disk[pathOf(uri)] ? [[uri, printOf(uri)]] : [])));
  };
  const printOf = (uri: string): string => disk[pathOf(uri)]?.[2].padEnd(32, '0') ?? '';
  const library = await openTestLibrary({ fingerprints, scanner: { step: async () => walking } });
  onTestFinished(library.close);
  const { id: libraryId } = await library.libraries.create({
    name: 'Films',
    type: 'movies',
    roots: [root],
  });
  const { database } = library.storage;
  const list = async () => (await library.items.list(serverViewer, { limit: 500 })).items;

  return {
    library,
    scan: async (tree, ends = []) => {
      disk = tree;
      const job = { id: 'job', type: 'scan', libraryId, payload: {} } as never;
      await library.scans.step(job, null, new AbortController().signal);
      const sum = { added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 };
      let after: string | null = null;
      for (const end of [...ends, null]) {
        const through: string | null = end === null ? null : uriOf(end);
        const found = filesOf(tree).filter(
          ({ uri }) => (after === null || uri > after) && (through === null || uri <= through),
        );
        const page: ReconcileInput = {
          libraryId,
          root,
          after,
          through,
          files: found,
          unreadable: [],
        };
        const counts = await library.reconcile(page);
        for (const key of ['added', 'changed', 'moved', 'gone', 'unchanged'] as const)
          sum[key] += counts[key];
        after = through;
      }
      await database.write(async (trx) =>
        trx('libraries').update({ scan_after: null, scan_began_at: null }),
      );
      return sum;
    },
    ingest: async () => {
      const rows = await database.read('files').select<{ no: number; uri: string }[]>('no', 'uri');
      for (const { no, uri } of rows)
        await database.write(async (trx) =>
          trx('files')
            .where({ no })
            .update({ fingerprint: printOf(uri), ingest_state: 0 }),
        );
    },
    ids: async () =>
      Object.fromEntries(
        (await list()).flatMap((item) => item.files.map(({ uri, id }) => [pathOf(uri), id])),
      ),
    looked: () => looked.splice(0),
  };
}

/** A scanner that never ends its first step, so that its scan is under way. */
const walking = { done: false as const, checkpoint: {}, progress: 0 };

const uriOf = (path: string): string =>
  [root, ...path.split('/').map(encodeURIComponent)].join('/');
const pathOf = (uri: string): string => decodeURIComponent(uri.slice(root.length + 1));

function filesOf(tree: Tree): readonly ScannedFile[] {
  return Object.entries(tree)
    .map(([path, [size, modifiedAt]]) => ({ uri: uriOf(path), size, modifiedAt }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

const none = { added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 };
const anywhere = [
  ['its old place first', 'A', 'Z'],
  ['its new place first', 'Z', 'A'],
] as const;

describe('a file whose content is known', () => {
  test.each(anywhere)(
    'is found again under another name and with another modification time, %s',
    async (_, from, to) => {
      const { library, scan, ingest, ids, looked } = await open();
      await scan({ [`${from}/old.mkv`]: [10, 1, 'x'], 'M/m.mkv': [10, 2, 'y'] });
      await ingest();
      const before = await ids();
      const uri = async () =>
        (await library.files.content(before[`${from}/old.mkv`] ?? '', serverViewer)).uri;
      expect([await uri(), await uri()]).toEqual([
        uriOf(`${from}/old.mkv`),
        uriOf(`${from}/old.mkv`),
      ]);

      const counts = await scan({ [`${to}/new.mkv`]: [10, 7, 'x'], 'M/m.mkv': [10, 2, 'y'] }, [
        'L',
        'N',
      ]);

      expect(counts).toMatchObject({ moved: 1, unchanged: 1 });
      expect(await ids()).toEqual({
        [`${to}/new.mkv`]: before[`${from}/old.mkv`],
        'M/m.mkv': before['M/m.mkv'],
      });
      expect(looked()).toEqual([`${to}/new.mkv`]);
      // Where it is played from.
      expect(await uri()).toBe(uriOf(`${to}/new.mkv`));
    },
  );

  test.each(anywhere)(
    'is not mistaken for one of the same name, size and time, %s',
    async (_, from, to) => {
      const { scan, ingest, ids } = await open();
      await scan({ [`${from}/film.mkv`]: [10, 1, 'x'] });
      await ingest();
      const before = await ids();

      const counts = await scan({ [`${to}/film.mkv`]: [10, 1, 'other'] }, ['M']);

      expect(counts).toEqual({ ...none, added: 1, gone: 1 });
      expect(Object.values(await ids())).not.toContain(before[`${from}/film.mkv`]);
    },
  );

  test('that is copied keeps its ids, and the copy is a new file', async () => {
    const { scan, ingest, ids, looked } = await open();
    await scan({ 'B/b.mkv': [10, 1, 'x'] });
    await ingest();
    const before = await ids();

    const counts = await scan({
      'A/b.mkv': [10, 1, 'x'],
      'B/b.mkv': [10, 1, 'x'],
      'C/b.mkv': [10, 1, 'x'],
    });

    expect(counts).toEqual({ ...none, added: 2, unchanged: 1 });
    expect((await ids())['B/b.mkv']).toBe(before['B/b.mkv']);
    expect(looked()).toEqual([]);
  });

  test('is read only when a file of its size is missing', async () => {
    const { scan, ingest, looked } = await open();
    await scan({ 'A/a.mkv': [10, 1, 'x'], 'B/b.mkv': [20, 1, 'y'] });
    await ingest();

    await scan({ 'A/a.mkv': [10, 1, 'x'], 'C/c.mkv': [21, 2, 'z'], 'D/d.mkv': [20, 3, 'w'] });

    expect(looked()).toEqual(['D/d.mkv']);
  });

  test('keeps its ids among several with the same content when its name decides', async () => {
    const { scan, ingest, ids } = await open();
    await scan({ 'A/1.mkv': [10, 1, 'x'], 'A/2.mkv': [10, 2, 'x'], 'A/3.mkv': [10, 3, 'x'] });
    await ingest();
    const before = await ids();

    const counts = await scan({
      'B/1.mkv': [10, 7, 'x'],
      'B/2.mkv': [10, 8, 'x'],
      'B/other.mkv': [10, 9, 'x'],
    });

    expect(counts).toEqual({ ...none, moved: 3 });
    expect(await ids()).toEqual({
      'B/1.mkv': before['A/1.mkv'],
      'B/2.mkv': before['A/2.mkv'],
      'B/other.mkv': before['A/3.mkv'],
    });
  });

  test('is matched by size, time and name alone when it cannot be read', async () => {
    const { library, scan, ingest } = await open();
    await scan({ 'A/a.mkv': [10, 1, 'x'] });
    await ingest();
    const { id: libraryId } = (await library.libraries.list(serverViewer))[0] ?? { id: '' };

    // The disk of this test holds no such file, so its content cannot be read.
    const files = [{ uri: uriOf('B/a.mkv'), size: 10, modifiedAt: 1 }];
    const page = { libraryId, root, after: null, through: null, files, unreadable: [] };

    expect(await library.reconcile(page)).toEqual({ ...none, moved: 1 });
  });

  test('is probed again when another takes its place, and its item stays', async () => {
    const { library, scan, ingest, ids } = await open();
    await scan({ 'A/a.mkv': [10, 1, 'x'] });
    await ingest();
    const before = await ids();

    const counts = await scan({ 'A/a.mkv': [11, 5, 'new'] });

    expect(counts).toEqual({ ...none, changed: 1 });
    expect(await ids()).toEqual(before);
    const [row] = await library.storage.database
      .read('files')
      .select('fingerprint', 'file_info', 'ingest_state');
    expect(row).toEqual({ fingerprint: null, file_info: null, ingest_state: 2 });
  });
});
