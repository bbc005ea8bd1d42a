import { describe, expect, onTestFinished, test } from 'vitest';
import type { IndexedItem, LibraryChange } from '../../../../plugin-api/index.ts';
import { callService } from '../../../../test/support/plugins/call-service.ts';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { testPluginViewers } from '../../../../test/support/plugins/plugin-viewers.ts';
import { createBackgroundScheduler } from '../../../platform/background-scheduler.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';

const root = 'file:///films';

interface Feed {
  readonly changes: readonly LibraryChange[];
  readonly seq: number;
  readonly done: boolean;
}

async function open(): Promise<{
  readonly library: TestLibrary;
  readonly libraryId: string;
  readonly call: (method: string, input: unknown) => Promise<unknown>;
  readonly changes: (seq: number, limit?: number) => Promise<Feed>;
  readonly scan: (names: readonly string[]) => Promise<unknown>;
}> {
  const library = await openTestLibrary();
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  const call = callService(library.service, { library: 'write' });
  return {
    library,
    libraryId: id,
    call,
    changes: async (seq, limit = 500) =>
      JSON.parse(String(await call('changes', { seq, limit }))) as Feed,
    scan: (names) => call('reconcile', pageOf(id, names)),
  };
}

const pageOf = (libraryId: string, names: readonly string[]) => ({
  libraryId,
  root,
  after: null as string | null,
  through: null as string | null,
  files: names.map((name) => ({
    uri: `${root}/${name}`,
    size: name.charCodeAt(0),
    modifiedAt: 1.25,
  })),
  unreadable: [] as string[],
});

describe('host.library', () => {
  test('needs the permission to read, and for reconcile the permission to write', async () => {
    const { library } = await open();

    const powers = Object.entries(library.service.methods).map(([name, { permission }]) => [
      name,
      permission?.name,
      permission?.level,
    ]);

    expect(powers).toEqual([
      ['get', 'library', 'read'],
      ['item', 'library', 'read'],
      ['changes', 'library', 'read'],
      ['pages', 'library', 'write'],
      ['reconcile', 'library', 'write'],
    ]);
  });

  test('get gives a plugin what it needs of a library', async () => {
    const { call, libraryId } = await open();

    expect(await call('get', { libraryId })).toEqual({
      id: libraryId,
      name: 'Films',
      type: 'movies',
      roots: [root],
    });
    await expect(call('get', { libraryId: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('item gives one item in the form for an index', async () => {
    const { call, scan, library, libraryId } = await open();
    await scan(['Alien%20(1979)/a.mkv']);
    const [item] = (await library.items.list(serverViewer, {})).items;

    const found = JSON.parse(String(await call('item', { itemId: item?.id }))) as IndexedItem;

    expect(found).toEqual({
      id: item?.id,
      libraryId,
      scope: `${libraryId}:`,
      title: 'Alien',
      metadata: { path: 'Alien (1979)/a.mkv', year: 1979 },
      entities: [{ id: item?.linkedEntities[0]?.id, type: 'genre', name: 'A', role: 'genre' }],
    });
    await expect(call('item', { itemId: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('reconcile rounds the times of a file system to whole milliseconds', async () => {
    const { scan } = await open();
    await scan(['A/a.mkv']);

    expect(await scan(['A/a.mkv'])).toMatchObject({ unchanged: 1 });
  });

  test.each([
    ['a URI that is not ASCII', { files: [{ uri: `${root}/é`, size: 1, modifiedAt: 1 }] }],
    ['a size below zero', { files: [{ uri: `${root}/a`, size: -1, modifiedAt: 1 }] }],
    ['a time that is not a number', { files: [{ uri: `${root}/a`, size: 1, modifiedAt: null }] }],
    [
      'more than 1000 files',
      {
        files: Array.from({ length: 1001 }, (_, n) => ({
          uri: `${root}/${n}`,
          size: 1,
          modifiedAt: 1,
        })),
      },
    ],
    ['an unknown key', { force: true }],
  ])('reconcile refuses %s', async (_what, part) => {
    const { call, libraryId } = await open();

    await expect(call('reconcile', { ...pageOf(libraryId, []), ...part })).rejects.toThrow(
      /schema/,
    );
  });
});

describe('host.library while requests are in flight', () => {
  test('reads changes at once for a person, and behind the requests for nobody', async () => {
    const clock = createFakeClock();
    const background = createBackgroundScheduler(clock, (run) => run());
    const library = await openTestLibrary({ background });
    onTestFinished(library.close);
    const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
    await library.reconcile(pageOf(id, ['A/a.mkv']));
    const viewer = testPluginViewers().toPlugins(serverViewer);
    const changesFor = async (caller: Parameters<typeof callService>[2]): Promise<Feed> => {
      const call = callService(library.service, { library: 'read' }, caller);
      return JSON.parse(String(await call('changes', { seq: 0, limit: 500 }))) as Feed;
    };
    for (let asked = 0; asked < 5; asked += 1) background.request();

    await changesFor({ pluginId: 'example', viewer });
    let isRead = false;
    const behind = changesFor('example').then(() => (isRead = true));
    await new Promise(setImmediate);
    expect(isRead).toBe(false);
    await clock.advance(250);
    await behind;
  });
});

describe('host.library.changes', () => {
  test('gives everything from 0, each item once, page by page', async () => {
    const { changes, scan } = await open();
    await scan(['A/a.mkv', 'B/b.mkv', 'C/c.mkv']);

    const first = await changes(0, 2);
    const second = await changes(first.seq, 2);

    const all = [...first.changes, ...second.changes];
    expect(all.map((change) => change.kind === 'present' && change.item.title)).toEqual([
      'A',
      'B',
      'C',
    ]);
    expect([first.done, second.done]).toEqual([false, true]);
    expect((await changes(second.seq)).changes).toEqual([]);
  });

  test('gives a missing item as removed, and as present when it returns', async () => {
    const { changes, scan } = await open();
    await scan(['A/a.mkv', 'B/b.mkv']);
    const { seq } = await changes(0);

    await scan(['B/b.mkv']);
    const gone = await changes(seq);
    await scan(['A/a.mkv', 'B/b.mkv']);
    const back = await changes(gone.seq);

    expect(gone.changes).toEqual([
      { kind: 'removed', itemId: expect.any(String), seq: expect.any(Number) },
    ]);
    expect(back.changes).toMatchObject([{ kind: 'present', item: { title: 'A' } }]);
    expect((await changes(0)).changes).toHaveLength(2);
  });

  test('includes edits, and every item of a library that was deleted', async () => {
    const { changes, scan, library, libraryId } = await open();
    await scan(['A/a.mkv', 'B/b.mkv']);
    const { seq } = await changes(0);
    const [item] = (await library.items.list(serverViewer, {})).items;

    await library.items.update(item?.id ?? '', { title: 'Z' }, serverViewer);
    const edited = await changes(seq);
    await library.libraries.remove(libraryId, serverViewer);
    const deleted = await changes(edited.seq);

    expect(edited.changes).toMatchObject([{ kind: 'present', item: { id: item?.id, title: 'Z' } }]);
    expect(deleted.changes.map(({ kind }) => kind).sort()).toEqual([
      'entity-left',
      'entity-left',
      'removed',
      'removed',
    ]);
  });
});
