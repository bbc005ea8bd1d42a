import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReconcileInput, ScannedFile } from '../../../../plugin-api/index.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import {
  answerByFolder,
  openTestLibrary,
  type TestLibrary,
} from '../../../../test/support/library/library.ts';

const root = 'file:///films';

interface Setting {
  readonly library: TestLibrary;
  readonly libraryId: string;
}

async function emptyLibrary(parts: Parameters<typeof openTestLibrary>[0] = {}): Promise<Setting> {
  const library = await openTestLibrary(parts);
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  library.events.length = 0;
  return { library, libraryId: id };
}

/** Files by path; size and modification time stand for the content. */
function files(
  tree: Readonly<Record<string, readonly [size: number, modifiedAt: number]>>,
): ScannedFile[] {
  return Object.entries(tree)
    .map(([path, [size, modifiedAt]]) => ({ uri: uriOf(path), size, modifiedAt }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

function uriOf(path: string): string {
  return [root, ...path.split('/').map(encodeURIComponent)].join('/');
}

function page(
  libraryId: string,
  found: readonly ScannedFile[],
  more: Partial<ReconcileInput> = {},
): ReconcileInput {
  return { libraryId, root, after: null, through: null, files: found, unreadable: [], ...more };
}

async function itemsOf({ library }: Setting) {
  const { items } = await library.items.list(serverViewer, { limit: 100 });
  return items;
}

/** A value that changes with every written row. */
function changesOf({ storage }: TestLibrary): Promise<unknown> {
  return storage.database.write(async (trx): Promise<unknown> =>
    storage.database.dialect === 'sqlite'
      ? trx.raw('select total_changes() as written')
      : trx.raw(`select (select sum(xmin::text::bigint) from files) as files,
          (select sum(xmin::text::bigint) from items) as items,
          (select sum(xmin::text::bigint) from library_counter) as numbers`),
  );
}

const counts = { added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 };

describe('a page of a scan', () => {
  test('makes an item of each group, with its files, entities and an event', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;

    const result = await library.reconcile(
      page(
        libraryId,
        files({
          'Alien (1979)/a.mkv': [10, 1],
          'Alien (1979)/b.mkv': [20, 2],
          'Heat (1995)/h.mkv': [30, 3],
        }),
      ),
    );

    expect(result).toEqual({ ...counts, added: 3 });
    const [alien, heat] = await itemsOf(setting);
    expect(alien).toMatchObject({
      title: 'Alien',
      libraryId,
      libraryName: 'Films',
      status: 'active',
      metadata: { year: 1979 },
      files: [
        {
          filename: 'a.mkv',
          extension: 'mkv',
          size: 10,
          mediaKind: 'video',
          status: 'active',
          itemId: alien?.id,
          libraryId,
        },
        { filename: 'b.mkv', size: 20 },
      ],
      linkedEntities: [{ name: 'A', type: 'genre', role: 'genre' }],
    });
    expect(heat?.title).toBe('Heat');
    expect(library.events).toEqual([
      { type: 'library.item.added', data: { itemId: alien?.id, libraryId, title: 'Alien' } },
      { type: 'library.item.added', data: { itemId: heat?.id, libraryId, title: 'Heat' } },
    ]);
    expect((await library.libraries.get(libraryId, serverViewer)).itemCount).toBe(2);
  });

  test('writes nothing for unchanged files', async () => {
    const { library, libraryId } = await emptyLibrary();
    const found = files({ 'Alien/a.mkv': [10, 1], 'Heat/h.mkv': [30, 3] });
    await library.reconcile(page(libraryId, found));
    const before = await changesOf(library);
    library.events.length = 0;

    const result = await library.reconcile(page(libraryId, found));

    const after = await changesOf(library);
    expect(result).toEqual({ ...counts, unchanged: 2 });
    expect(after).toEqual(before);
    expect(library.events).toEqual([]);
  });

  test('updates the file that changed, and emits an event for its item', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    await library.reconcile(page(libraryId, files({ 'Alien/a.mkv': [10, 1] })));
    const [before] = await itemsOf(setting);
    library.events.length = 0;

    const result = await library.reconcile(page(libraryId, files({ 'Alien/a.mkv': [11, 5] })));

    const [after] = await itemsOf(setting);
    expect(result).toEqual({ ...counts, changed: 1 });
    expect(after?.id).toBe(before?.id);
    expect(after?.files[0]).toMatchObject({ id: before?.files[0]?.id, size: 11 });
    expect(library.events.map(({ type }) => type)).toEqual(['library.item.updated']);
  });

  test('removes an item from lists and counts with its last file, and lets it return with its ids', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    const found = files({ 'Alien/a.mkv': [10, 1] });
    await library.reconcile(page(libraryId, found));
    const [before] = await itemsOf(setting);
    library.events.length = 0;

    const gone = await library.reconcile(page(libraryId, []));

    expect(gone).toEqual({ ...counts, gone: 1 });
    expect(await itemsOf(setting)).toEqual([]);
    expect((await library.libraries.get(libraryId, serverViewer)).itemCount).toBe(0);
    const missing = await library.items.get(before?.id ?? '', serverViewer);
    expect(missing).toMatchObject({ status: 'missing', files: [{ status: 'missing' }] });

    const returned = await library.reconcile(page(libraryId, found));

    expect(returned).toEqual({ ...counts, added: 1 });
    const [after] = await itemsOf(setting);
    expect({ ...after, updatedAt: '', files: [] }).toEqual({ ...before, updatedAt: '', files: [] });
    expect(after?.files[0]?.id).toBe(before?.files[0]?.id);
    expect((await library.libraries.get(libraryId, serverViewer)).itemCount).toBe(1);
    expect(library.events.map(({ type }) => type)).toEqual([
      'library.item.removed',
      'library.item.added',
    ]);
  });

  test('keeps an item that has lost one of its files', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    await library.reconcile(
      page(libraryId, files({ 'Alien/a.mkv': [10, 1], 'Alien/b.mkv': [20, 2] })),
    );

    await library.reconcile(page(libraryId, files({ 'Alien/b.mkv': [20, 2] })));

    const [item] = await itemsOf(setting);
    expect(item?.files.map(({ filename }) => filename)).toEqual(['b.mkv']);
  });

  test('changes only its range', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    await library.reconcile(
      page(libraryId, files({ 'A/a.mkv': [1, 1], 'B/b.mkv': [2, 2], 'C/c.mkv': [3, 3] })),
    );

    const result = await library.reconcile(
      page(libraryId, [], { after: uriOf('A/a.mkv'), through: uriOf('B/z.mkv') }),
    );

    expect(result.gone).toBe(1);
    expect((await itemsOf(setting)).map(({ title }) => title)).toEqual(['A', 'C']);
  });

  test('marks nothing as gone below a folder that could not be read', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    await library.reconcile(page(libraryId, files({ 'A/a.mkv': [1, 1], 'AB/b.mkv': [2, 2] })));

    const one = await library.reconcile(page(libraryId, [], { unreadable: [uriOf('A')] }));
    const all = await library.reconcile(page(libraryId, [], { unreadable: [root] }));

    expect([one.gone, all.gone]).toEqual([1, 0]);
    expect((await itemsOf(setting)).map(({ title }) => title)).toEqual(['A']);
  });

  test('joins a file of a known group to its item, also from another page', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    const [first, second] = files({ 'Alien/a.mkv': [10, 1], 'Alien/b.mkv': [20, 2] });
    await library.reconcile(page(libraryId, first ? [first] : [], { through: first?.uri ?? null }));

    await library.reconcile(page(libraryId, second ? [second] : [], { after: first?.uri ?? null }));

    const items = await itemsOf(setting);
    expect(items.map((item) => item.files.length)).toEqual([2]);
  });

  test('is refused when its range is outside the root', async () => {
    const { library, libraryId } = await emptyLibrary();
    const [a, b] = files({ 'A/a.mkv': [1, 1], 'B/b.mkv': [2, 2] });
    if (!a || !b) throw new Error('two files');

    const refused = [
      page(libraryId, [], { root: 'file:///other' }),
      page(libraryId, [], { root: 'file:///filmsextra' }),
      page(libraryId, [b, a]),
      page(libraryId, [a, a]),
      page(libraryId, [a], { after: a.uri }),
      page(libraryId, [b], { through: a.uri }),
      page(libraryId, [], { through: 'file:///zzz' }),
    ];

    for (const one of refused)
      await expect(library.reconcile(one)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('of an unknown library is refused', async () => {
    const { library } = await emptyLibrary();

    await expect(library.reconcile(page('nowhere', []))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a file that moved', () => {
  test('keeps its ids when its old place was scanned first', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    await library.reconcile(page(libraryId, files({ 'A (1990)/film.mkv': [10, 1] })));
    const [before] = await itemsOf(setting);
    const now = files({ 'Z (1991)/other name.mkv': [10, 1] });

    await library.reconcile(page(libraryId, [], { through: uriOf('B') }));
    const result = await library.reconcile(page(libraryId, now, { after: uriOf('B') }));

    const [after, ...others] = await itemsOf(setting);
    expect(result).toEqual({ ...counts, moved: 1 });
    expect(others).toEqual([]);
    expect(after).toMatchObject({
      id: before?.id,
      title: 'Z',
      metadata: { year: 1991 },
      files: [{ id: before?.files[0]?.id, filename: 'other name.mkv' }],
    });
  });

  test('keeps its ids when its new place was scanned first', async () => {
    const setting = await emptyLibrary(scanning);
    const { library, libraryId } = setting;
    await library.reconcile(page(libraryId, files({ 'Z/film.mkv': [10, 1] })));
    const [before] = await itemsOf(setting);
    await beginScan(setting);

    await library.reconcile(
      page(libraryId, files({ 'A (1990)/other.mkv': [10, 1] }), { through: uriOf('B') }),
    );
    const result = await library.reconcile(page(libraryId, [], { after: uriOf('B') }));

    const [after, ...others] = await itemsOf(setting);
    expect(result).toEqual({ ...counts, moved: 1 });
    expect(others).toEqual([]);
    expect(after).toMatchObject({
      id: before?.id,
      title: 'A',
      metadata: { year: 1990 },
      files: [{ id: before?.files[0]?.id }],
    });
    expect((await library.libraries.get(libraryId, serverViewer)).itemCount).toBe(1);
  });

  test('takes its whole item along, across all pages of its files', async () => {
    for (const [from, to] of [
      ['A', 'Z'],
      ['Z', 'A'],
    ] as const) {
      const setting = await emptyLibrary(scanning);
      const { library, libraryId } = setting;
      const parts = Array.from({ length: 6 }, (_, n) => n);
      const tree = (folder: string) =>
        files(
          Object.fromEntries(parts.map((n) => [`${folder}/${n}.mp3`, [10 + n, 100 + n] as const])),
        );
      await library.reconcile(page(libraryId, tree(from)));
      const [before] = await itemsOf(setting);
      await beginScan(setting);

      const cuts = [null, uriOf('A/2.mp3'), uriOf('M'), uriOf('Z/3.mp3'), null];
      for (const [index, after] of cuts.slice(0, -1).entries()) {
        const through = cuts[index + 1] ?? null;
        const found = tree(to).filter(
          ({ uri }) => (after === null || uri > after) && (through === null || uri <= through),
        );
        await library.reconcile(page(libraryId, found, { after, through }));
      }

      const [after, ...others] = await itemsOf(setting);
      expect(others).toEqual([]);
      expect(after).toMatchObject({ id: before?.id, title: to });
      expect(after?.files.map(({ id }) => id).sort()).toEqual(
        before?.files.map(({ id }) => id).sort(),
      );
    }
  });

  test('is a new file when it could be one of several', async () => {
    const setting = await emptyLibrary();
    const { library, libraryId } = setting;
    await library.reconcile(page(libraryId, files({ 'A/a.mkv': [10, 1], 'B/b.mkv': [10, 1] })));
    await library.reconcile(page(libraryId, []));

    const result = await library.reconcile(page(libraryId, files({ 'C/c.mkv': [10, 1] })));

    expect(result).toEqual({ ...counts, added: 1 });
  });

  test('is matched by its name when size and time are those of several', async () => {
    const { library, libraryId } = await emptyLibrary();
    await library.reconcile(page(libraryId, files({ 'A/a.mkv': [10, 1], 'B/b.mkv': [10, 1] })));
    await library.reconcile(page(libraryId, []));

    const result = await library.reconcile(page(libraryId, files({ 'C/b.mkv': [10, 1] })));

    expect(result).toEqual({ ...counts, moved: 1 });
  });

  test('that is empty is matched by its name alone', async () => {
    const { library, libraryId } = await emptyLibrary();
    await library.reconcile(page(libraryId, files({ 'A/a.mkv': [0, 1], 'B/b.mkv': [0, 2] })));
    await library.reconcile(page(libraryId, []));

    const result = await library.reconcile(
      page(libraryId, files({ 'C/a.mkv': [0, 1], 'D/other.mkv': [0, 2] })),
    );

    expect(result).toEqual({ ...counts, moved: 1, added: 1 });
  });

  test('and a copy that existed before are two: the copy keeps its own ids', async () => {
    const setting = await emptyLibrary(scanning);
    const { library, libraryId } = setting;
    await library.reconcile(page(libraryId, files({ 'A/a.mkv': [10, 1], 'B/a.mkv': [10, 1] })));
    const before = await itemsOf(setting);
    await beginScan(setting);

    const result = await library.reconcile(page(libraryId, files({ 'A/a.mkv': [10, 1] })));

    expect(result).toEqual({ ...counts, gone: 1, unchanged: 1 });
    expect((await itemsOf(setting)).map(({ id }) => id)).toEqual([before[0]?.id]);
  });
});

describe('a plugin that fails', () => {
  test('costs an item its metadata but not the item', async () => {
    const setting = await emptyLibrary({
      call: async () => {
        throw new Error('down');
      },
    });
    const { library, libraryId } = setting;

    const result = await library.reconcile(
      page(libraryId, files({ 'x/The.Film_Name.mkv': [1, 1], 'x/y.mkv': [2, 2] })),
    );

    expect(result.added).toBe(2);
    expect((await itemsOf(setting)).map(({ title }) => title)).toEqual(['The Film Name', 'y']);
  });

  test('with invalid answers counts as one without answers', async () => {
    const answers: unknown[] = [
      null,
      {},
      { results: 'x' },
      { results: [{ title: 7 }] },
      {
        results: [{ title: 'T', metadata: [], entities: { person: [{}], 5: 'x' }, partNumber: -1 }],
      },
    ];
    for (const answer of answers) {
      const setting = await emptyLibrary({
        call: async (_id, method) => (method === 'indexer.supports' ? true : answer),
      });

      const result = await setting.library.reconcile(
        page(setting.libraryId, files({ 'x/film.mkv': [1, 1] })),
      );

      expect(result.added).toBe(1);
      expect(await itemsOf(setting)).toHaveLength(1);
    }
  });
});

/** A scanner that never ends its first step, so that its scan is under way. */
const scanning = {
  scanner: { step: async () => ({ done: false as const, checkpoint: {}, progress: 0 }) },
  call: answerByFolder,
};

async function beginScan({ library, libraryId }: Setting): Promise<void> {
  const job = { id: 'job', type: 'scan', libraryId, payload: {} } as never;
  await library.scans.step(job, null, new AbortController().signal);
}
