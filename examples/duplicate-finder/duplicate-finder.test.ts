import type { UISchema } from '@vitrine/plugin-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlugin, type MadeViewer, type PluginUnderTest } from 'vitrine/plugin-test';

const hostile = '<img src=x onerror=alert(1)>\u202E\n[evil](javascript:alert(1))';
const film = (title: string, folder: string, size: number, metadata: object = {}) => ({
  title,
  metadata: { year: 1995, resolution: '1080p', ...metadata },
  files: [{ path: `${folder}/film.mkv`, size }],
});

let plugin: PluginUnderTest;

/** Opening one takes most of the time of a test, so all of them share it. */
beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, {
    clock: Date.UTC(2026, 0, 2),
    library: {
      movies: 130,
      items: [
        film('Heat', 'a', 8e9),
        film('HEAT', 'b', 4e9),
        film('Heat', 'c', 20e9, { resolution: '2160p' }),
        film(hostile, 'd', 3e9),
        film(hostile, 'e', 2e9),
        { ...film('Secret', 'f', 3e9), libraryType: 'photos' },
        { ...film('Secret', 'g', 2e9), libraryType: 'photos' },
      ],
    },
  });
});

afterAll(() => plugin.close());

/** Runs a job as the queue does. `between` happens after each step, and may repeat it. */
async function run(jobId: string, between?: (repeat: () => Promise<unknown>) => Promise<unknown>) {
  let checkpoint: unknown = null;
  for (;;) {
    const job = {
      jobId,
      type: 'duplicate-finder.search',
      libraryId: null,
      payload: {},
      checkpoint,
    };
    const step = await plugin.call('job.run', job);
    if (step.done) return step.result;
    await between?.(() => plugin.call('job.run', job));
    ({ checkpoint } = step);
  }
}

const idOf = (folder: string): string => {
  const found = plugin.library
    .items()
    .find(({ files }) => files.some(({ uri }) => uri.endsWith(`/${folder}/film.mkv`)));
  if (!found) throw new Error(`There is no film in the folder ${folder}.`);
  return found.id;
};

const settings = (viewer?: MadeViewer) =>
  plugin.view('ui.settings.sections', {}, viewer && { viewer });

/** The items of a list, by the id of its piece. */
const itemsOf = (pieces: readonly UISchema[], id = 'duplicate-finder-found') =>
  pieces
    .flatMap((piece) => (piece.type === 'metadata' && piece.id === id ? piece.fields : []))
    .map(({ itemId }) => itemId);

const libraryNames = () => plugin.library.libraries().map(({ name }) => name);

const onPage = (folder: string) => ({ itemId: idOf(folder), libraryType: 'movies' });

test('a search is started by hand, or once when scans are over', async () => {
  const scan = { libraryId: plugin.library.libraries()[0]!.id, jobId: 'scan', found: 9 };
  const changes = { added: 0, changed: 0, moved: 0, gone: 0 };
  await plugin.action('searchNow');
  expect(plugin.jobs()).toMatchObject([{ type: 'duplicate-finder.search' }]);

  await plugin.event('library.scan.completed', { ...scan, ...changes });
  await plugin.clock.advance(60 * 60_000);
  expect(plugin.jobs()).toHaveLength(1);

  await plugin.event('library.scan.completed', { ...scan, ...changes, added: 1 });
  await plugin.clock.advance(20 * 60_000);
  await plugin.event('library.scan.completed', { ...scan, ...changes, added: 2 });
  await plugin.clock.advance(20 * 60_000);
  expect(plugin.jobs()).toHaveLength(1);
  await plugin.clock.advance(20 * 60_000);
  expect(plugin.jobs()).toHaveLength(2);
});

test('the list has the worse copies; another quality is shown on request', async () => {
  expect(await run('first')).toEqual({ pairs: 4 });

  const pieces = await settings();
  expect(itemsOf(pieces).toSorted()).toEqual([idOf('b'), idOf('e'), idOf('g')].toSorted());
  expect(JSON.stringify(pieces)).toContain('The better copy: 1080p, 8.00 GB, ');

  await plugin.configure({ showVersions: true });
  const all = await settings();
  expect(itemsOf(all)).toContain(idOf('a'));
  expect(JSON.stringify(all)).toContain('Another version: 2160p HDR, 20.00 GB, ');
  await plugin.configure({ showVersions: false });
});

test('its titles and buttons are in the language of the reader', async () => {
  const titles = async (locale: string) =>
    (await settings({ role: 'admin', locale })).map((piece) =>
      piece.type === 'action' ? piece.label : piece.type === 'metadata' ? piece.title : '',
    );

  expect(await titles('en')).toEqual([
    expect.stringMatching(/^Probably here twice: 3 \(\d+ items, [\d-]+\)$/),
    'Search for duplicates',
  ]);
  expect(await titles('de')).toEqual([
    expect.stringMatching(/^Wahrscheinlich zweimal da: 3 \(\d+ Einträge, [\d-]+\)$/),
    'Duplikate suchen',
  ]);
});

test('a hostile title stays one line of text', async () => {
  const [list] = await settings();
  const names = list?.type === 'metadata' ? list.fields.map(({ key }) => key) : [];

  expect(names).toContain('<img src=x onerror=alert(1)> [evil](javascript:alert(1)) (1995)');
});

test('only admins of the whole server see it', async () => {
  expect(await settings({ role: 'user' })).toEqual([]);
  expect(await settings({ libraries: [libraryNames()[0]!] })).toEqual([]);
  const page = onPage('e');
  const viewer: MadeViewer = { role: 'guest' };
  expect(await plugin.view('ui.item.detail.panels', page, { viewer })).toEqual([]);
});

test('items of a library that is no longer granted are not shown, without a new search', async () => {
  const films = plugin.library.libraries().find(({ type }) => type === 'movies')!.name;

  await plugin.grant(plugin.asked, [films]);

  expect(itemsOf(await settings()).toSorted()).toEqual([idOf('b'), idOf('e')].toSorted());
  await plugin.grant(plugin.asked, libraryNames());
  expect(itemsOf(await settings())).toHaveLength(3);
});

test('the page of either copy leads to the other one, and keeps both; undo takes it back', async () => {
  const [panel] = await plugin.view('ui.item.detail.panels', onPage('e'));
  expect(panel).toMatchObject({ fields: [{ itemId: idOf('d') }] });
  expect(await plugin.view('ui.item.detail.actions', onPage('d'))).toMatchObject([
    { rpcMethod: 'keepBoth' },
  ]);

  await plugin.action('keepBoth', onPage('d'));
  await run('again');
  await plugin.restart();

  const pieces = await settings();
  expect(itemsOf(pieces)).not.toContain(idOf('e'));
  expect(itemsOf(pieces, 'duplicate-finder-kept')).toEqual([idOf('e')]);
  expect(await plugin.view('ui.item.detail.actions', onPage('e'))).toMatchObject([
    { rpcMethod: 'undo' },
  ]);

  expect(await plugin.action('undo', onPage('e'))).toEqual({ pairs: 1 });
  expect(itemsOf(await settings())).toContain(idOf('e'));
});

test('an item without a duplicate has no button, and the action says why it does nothing', async () => {
  const [first] = plugin.library.items();
  const page = { itemId: first!.id, libraryType: 'movies' };

  expect(await plugin.view('ui.item.detail.actions', page)).toEqual([]);
  await expect(plugin.action('keepBoth', page)).rejects.toThrow('Search again');
});

test('a search whose steps all run twice, around a crash, finds the same', async () => {
  const before = await settings();
  let steps = 0;

  await run('twice', async (repeat) => {
    steps += 1;
    if (steps === 2) await plugin.restart();
    await repeat();
  });

  expect(steps).toBeGreaterThan(3);
  expect(itemsOf(await settings())).toEqual(itemsOf(before));
});

test('a newer search replaces one that still runs', async () => {
  let steps = 0;
  const old = await run('old', async () => {
    steps += 1;
    if (steps === 1) await run('new');
  });

  expect(old).toEqual({ replaced: true });
  expect(itemsOf(await settings())).toHaveLength(3);
});

test('a copy that is gone is in no list', async () => {
  plugin.library.remove(idOf('b'));

  expect(itemsOf(await settings())).not.toContain(undefined);
  expect(itemsOf(await settings())).toHaveLength(2);
});
