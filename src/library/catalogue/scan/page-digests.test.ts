import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReconcileInput } from '../../../../plugin-api/index.ts';
import { callService } from '../../../../test/support/plugins/call-service.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import { createPageDigests } from './page-digests.ts';

const root = 'file:///films';

interface Setting {
  readonly library: TestLibrary;
  readonly page: (digest: string, names: readonly string[] | null) => Promise<unknown>;
  readonly part: (after: string, names: readonly string[]) => Promise<unknown>;
  readonly pages: () => Promise<unknown>;
}

async function open(): Promise<Setting> {
  const library = await openTestLibrary();
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  const call = callService(library.service, { library: 'write' });
  const base = { libraryId: id, root, after: null, through: null, unreadable: [] };
  const filesOf = (names: readonly string[]): ReconcileInput['files'] =>
    names.map((name) => ({ uri: `${root}/${name}`, size: 7, modifiedAt: 1 }));
  return {
    library,
    // No names: the page says that it is the one with this digest.
    page: (digest, names) =>
      names === null
        ? call('reconcile', { ...base, files: [], digest, isKnown: true })
        : call('reconcile', { ...base, files: filesOf(names), digest }),
    part: (folder, names) =>
      call('reconcile', { ...base, root: `${root}/${folder}`, files: filesOf(names) }),
    pages: async () => call('pages', { libraryId: id, root, after: null }),
  };
}

describe('a page of a scan that came with a digest', () => {
  test('is accepted by it, without its files', async () => {
    const { page, pages } = await open();
    await page('one', ['A/a.mkv', 'B/b.mkv']);

    expect(await pages()).toEqual({ pages: [{ after: null, through: null, digest: 'one' }] });
    expect(await page('one', null)).toMatchObject({ unchanged: 2, gone: 0, added: 0 });
  });

  test('is refused as known with another digest, or with a file in it', async () => {
    const { page, library } = await open();
    await page('one', ['A/a.mkv']);

    await expect(page('other', null)).rejects.toMatchObject({ code: 'conflict' });
    expect((await library.items.list(serverViewer, {})).items).toHaveLength(1);
  });

  test('is accepted together with those that follow it, if all are known and unchanged', async () => {
    const { library } = await open();
    const [{ id } = { id: '' }] = await library.libraries.list(serverViewer);
    const range = (after: string | null, through: string | null) => {
      return { libraryId: id, root, after, through, files: [], unreadable: [] };
    };
    const middle = `${root}/M`;
    const file = (name: string) => ({ uri: `${root}/${name}`, size: 7, modifiedAt: 1 });
    const second = { ...range(middle, null), files: [file('N.mkv'), file('O.mkv')] };
    await library.reconcile({ ...range(null, middle), files: [file('A.mkv')], digest: 'one' });
    await library.reconcile({ ...second, digest: 'two' });
    const known = (digests: readonly string[]) =>
      library.reconcile({ ...range(null, null), isKnown: true, digests });

    expect(await known(['one', 'two'])).toMatchObject({ unchanged: 3, files: 3, gone: 0 });
    for (const others of [['one'], ['two', 'one'], ['one', 'two', 'three']])
      await expect(known(others)).rejects.toMatchObject({ code: 'conflict' });
    await library.reconcile({ ...second, files: [file('N.mkv')], digest: 'three' });
    await expect(known(['one', 'two'])).rejects.toMatchObject({ code: 'conflict' });
    expect(await known(['one', 'three'])).toMatchObject({ unchanged: 2, files: 2 });
  });

  test('has no successor when it ends where it begins, or before that', async () => {
    const { library } = await open();
    const [row] = await library.storage.database.read('libraries').select('no');
    const digests = createPageDigests(library.storage.database);
    await digests.add(row.no, { after: 'a', through: 'm', digest: 'd', files: 1 });
    await digests.add(row.no, { after: 'm', through: 'a', digest: 'd', files: 1 });

    expect(await digests.find(row.no, { after: 'a', through: 'm' })).toHaveLength(1);
    expect(await digests.find(row.no, { after: 'a', through: 'z' })).toEqual([]);
  });

  test('is no longer known when a part of it was brought in and differed', async () => {
    const { page, pages, part } = await open();
    await page('one', ['A/a.mkv', 'B/b.mkv']);
    await part('B', ['B/b.mkv']);
    expect(await pages()).toEqual({ pages: [{ after: null, through: null, digest: 'one' }] });

    await part('B', ['B/b.mkv', 'B/c.mkv']);

    expect(await pages()).toEqual({ pages: [] });
    await expect(page('one', null)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is not stored while something in it could not be read', async () => {
    const { library, pages } = await open();
    const [{ id } = { id: '' }] = await library.libraries.list(serverViewer);
    const unreadable = [`${root}/B`];
    const files = [{ uri: `${root}/A/a.mkv`, size: 7, modifiedAt: 1 }];
    const page = { libraryId: id, root, after: null, through: null, files, unreadable };

    await library.reconcile({ ...page, digest: 'one' });

    expect(await pages()).toEqual({ pages: [] });
  });

  test('is still known after a restart', async () => {
    const { page, pages, library } = await open();
    await page('one', ['A/a.mkv']);
    await pages();

    const reopened = createPageDigests(library.storage.database);
    const [row] = await library.storage.database.read('libraries').select('no');
    const stored = await reopened.list(row.no, { after: `${root}/`, through: `${root}0` });

    expect(stored).toEqual([{ after: `${root}/`, through: `${root}0`, digest: 'one', files: 1 }]);
  });
});

test('a digest is removed by exactly the changes that overlap its range, in memory and in the database', async () => {
  const library = await openTestLibrary();
  onTestFinished(library.close);
  const { database } = library.storage;
  const name = fc.nat(30).map((at) => String.fromCharCode(64 + at));
  const range = fc
    .tuple(name, name)
    .filter(([a, b]) => a < b)
    .map(([after, through]) => ({ after, through }));
  let libraryNo = 0;

  await fc.assert(
    fc.asyncProperty(
      fc.array(range, { maxLength: 6 }),
      range,
      fc.boolean(),
      async (ranges, change, isWritten) => {
        libraryNo += 1;
        const digests = createPageDigests(database);
        // Pages of one library do not overlap.
        const pages = ranges
          .filter((one, at) => !ranges.slice(0, at).some((other) => overlap(one, other)))
          .map((one) => ({ ...one, digest: 'd', files: 1 }));
        for (const page of pages) await digests.add(libraryNo, page);
        if (isWritten) await digests.list(libraryNo, { after: '', through: '~' });
        await database.write((trx) => digests.invalidateRange(trx, libraryNo, change));

        const left = pages
          .filter((page) => !overlap(page, change))
          .sort((a, b) => (a.after < b.after ? -1 : 1));
        const everything = { after: '', through: '~' };
        expect(await digests.list(libraryNo, everything)).toEqual(left);
        expect(await createPageDigests(database).list(libraryNo, everything)).toEqual(left);
      },
    ),
    { numRuns: 60 },
  );
});

const overlap = (
  a: { readonly after: string; readonly through: string },
  b: { readonly after: string; readonly through: string },
): boolean => a.after < b.through && b.after < a.through;
