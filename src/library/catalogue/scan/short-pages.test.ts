import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../kernel/store/index.ts';
import type { ReconcileInput, ReconcileResult, ScannedFile } from '../../../../plugin-api/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { knownPages, marksOf, shortened } from '../../../../test/support/library/short-pages.ts';
import { settleWaiting } from '../../../../test/support/library/settle-waiting.ts';
import { serverViewer } from '../../../people/viewer/index.ts';

const root = 'file:///films';

/** Names in the order of their URIs, with the moment of their last change. */
type Tree = Readonly<Record<string, number>>;

interface Setting {
  readonly library: TestLibrary;
  /** The page of the whole root, with all of these. */
  readonly pageOf: (tree: Tree) => ReconcileInput;
  /** The same without unchanged files. */
  readonly shortOf: (tree: Tree) => Promise<ReconcileInput>;
  /** Statements since the last call, and the rows that they read. */
  readonly spent: () => { readonly statements: number; readonly rows: number };
}

async function open(): Promise<Setting> {
  let statements = 0;
  let rows = 0;
  const listen = (db: Database['read']): void => {
    db.on('query-response', (read: unknown) => {
      statements += 1;
      rows += Array.isArray(read) ? read.length : 0;
    });
  };
  const library = await openTestLibrary({}, (database) => {
    listen(database.read);
    return {
      ...database,
      write: (work, committed) =>
        database.write((trx) => {
          listen(trx);
          return work(trx);
        }, committed),
    };
  });
  onTestFinished(library.close);
  const { id: libraryId } = await library.libraries.create({
    name: 'Films',
    type: 'movies',
    roots: [root],
  });
  const place = { libraryId, root, after: null, through: null, unreadable: [] };
  const pageOf = (tree: Tree): ReconcileInput => {
    const files = Object.entries(tree).map(([name, modifiedAt]): ScannedFile => {
      const isBeside = name.endsWith('.srt');
      return {
        uri: `${root}/${name}`,
        size: 7,
        modifiedAt,
        ...(isBeside && { type: 'auxiliary' }),
      };
    });
    return { ...place, files, ...marksOf(files) };
  };
  return {
    library,
    pageOf,
    shortOf: async (tree) => {
      const [known] = await knownPages(library, place);
      if (known === undefined) throw new Error('The library knows no page.');
      return shortened(pageOf(tree), known);
    },
    spent: () => {
      const since = { statements, rows };
      statements = 0;
      rows = 0;
      return since;
    },
  };
}

async function titlesOf({ library }: Setting): Promise<readonly string[]> {
  await settleWaiting(library);
  const { items } = await library.items.list(serverViewer, { limit: 500 });
  return items.map(({ title, files }) => `${title}: ${files.length}`).sort();
}

const none: ReconcileResult = { added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 };
const tree: Tree = { 'A/a.mkv': 1, 'A/a.srt': 1, 'B/b.mkv': 1, 'C/c.mkv': 1, 'D/d.mkv': 1 };

const without = (all: Tree, name: string): Tree =>
  Object.fromEntries(Object.entries(all).filter(([one]) => one !== name));

describe('a page that comes without its unchanged files', () => {
  test('changes what it names, keeps everything else, and is known by its new digest', async () => {
    const setting = await open();
    const { library, pageOf, shortOf } = setting;
    await library.reconcile(pageOf(tree));
    const others: Tree = { ...without(tree, 'C/c.mkv'), 'B/b.mkv': 2, 'E/e.mkv': 9 };

    const short = await shortOf(others);
    const result = await library.reconcile(short);

    expect(short.files.map(({ uri }) => uri.slice(root.length))).toEqual([
      '/B/b.mkv',
      '/D/d.mkv',
      '/E/e.mkv',
    ]);
    expect(result).toEqual({ ...none, added: 1, changed: 1, gone: 1, unchanged: 2, files: 4 });
    expect(await titlesOf(setting)).toEqual(['A: 2', 'B: 1', 'D: 1', 'E: 1']);
    expect(await library.reconcile(await shortOf(others))).toEqual({
      ...none,
      unchanged: 4,
      files: 4,
    });
  });

  test('keeps the ids of a file that was renamed within it', async () => {
    const setting = await open();
    const { library, pageOf, shortOf } = setting;
    await library.reconcile(pageOf({ 'A/a.mkv': 5, 'B/b.mkv': 6, 'C/c.mkv': 7 }));
    const before = await library.items.list(serverViewer, {});

    const result = await library.reconcile(
      await shortOf({ 'A/a.mkv': 5, 'B/b2.mkv': 6, 'C/c.mkv': 7 }),
    );

    expect(result).toMatchObject({ moved: 1, added: 0, gone: 0, unchanged: 2 });
    const ids = ({ items }: typeof before) => items.map(({ id, files }) => [id, files[0]?.id]);
    expect(ids(await library.items.list(serverViewer, {}))).toEqual(ids(before));
  });

  test('assigns a new sidecar to a file that the page does not name', async () => {
    const setting = await open();
    const { library, pageOf, shortOf } = setting;
    await library.reconcile(pageOf({ 'A/a.mkv': 1 }));

    const short = await shortOf({ 'A/a.mkv': 1, 'A/a.srt': 1 });
    await library.reconcile(short);

    expect(short.files).toHaveLength(1);
    expect(await titlesOf(setting)).toEqual(['A: 2']);
  });

  test('is refused, and loses nothing, when the library has another page', async () => {
    const setting = await open();
    const { library, pageOf, shortOf } = setting;
    await library.reconcile(pageOf(tree));
    const short = await shortOf({ 'A/a.mkv': 1 });
    await library.reconcile(pageOf({ ...tree, 'F/f.mkv': 1 }));
    const before = await titlesOf(setting);

    await expect(library.reconcile(short)).rejects.toMatchObject({ code: 'conflict' });

    expect(await titlesOf(setting)).toEqual(before);
  });

  const stretch = { after: `${root}/A/a.mkv`, through: `${root}/B/b.mkv` };
  const file = { uri: `${root}/B/b.mkv`, size: 7, modifiedAt: 2 };
  test.each<readonly [string, Partial<ReconcileInput>]>([
    ['a file outside its stretches', { files: [{ ...file, uri: `${root}/D/d.mkv` }] }],
    [
      'a stretch that ends before it begins',
      { stretches: [{ after: file.uri, through: `${root}/A` }] },
    ],
    ['stretches that overlap', { stretches: [stretch, stretch] }],
    ['a stretch outside the page', { stretches: [{ after: 'file:///else/a', through: null }] }],
    ['folders that could not be read', { unreadable: [`${root}/C`] }],
    ['the claim that it is known', { isKnown: true }],
  ])('is refused with %s', async (_, wrong) => {
    const { library, pageOf } = await open();
    const { digest = '', ...page } = pageOf(tree);
    await library.reconcile({ ...page, digest });

    const short = { ...page, files: [file], stretches: [stretch], known: digest, ...wrong };

    await expect(library.reconcile(short)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('costs what has changed, not what it contains', async () => {
    const costs: unknown[] = [];
    for (const count of [12, 960]) {
      const { library, pageOf, shortOf, spent } = await open();
      const names = Array.from({ length: count }, (_, at) => String(at).padStart(4, '0'));
      const films: Tree = Object.fromEntries(names.map((name) => [`${name}/film.mkv`, 1]));
      await library.reconcile(pageOf(films));
      const short = await shortOf({ ...films, '0003/film.mkv': 2, '0007/film.mkv': 2 });
      spent();

      const result = await library.reconcile(short);

      expect(result).toMatchObject({ changed: 2, unchanged: count - 2 });
      costs.push(spent());
    }

    expect(costs[1]).toEqual(costs[0]);
  });
});
