import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPlugin, type PluginUnderTest } from 'vitrine/plugin-test';

let plugin: PluginUnderTest;

/** Opening one takes most of the time of a test, so all of them share it. */
beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, { clock: Date.UTC(2026, 0, 2) });
});

beforeEach(async () => {
  await plugin.action('forget');
  await plugin.configure({ longest: 20 });
});

afterAll(() => plugin.close());

const added = (itemId: string, title: string) =>
  plugin.event('library.item.added', { itemId, libraryId: 'films', title });

/** The shown titles, in order. */
async function shown(): Promise<readonly unknown[]> {
  const [list] = await plugin.view('ui.settings.sections', {});
  return list?.type === 'metadata' ? list.fields.map(({ key }) => key) : [];
}

test('shows the newest items first, as many as the configuration says', async () => {
  await added('1', 'Heat');
  await plugin.clock.advance(1000);
  await added('2', 'Alien');
  await plugin.clock.advance(1000);
  await added('3', 'Brazil');

  const [list, button] = await plugin.view('ui.settings.sections', {});
  expect(list).toMatchObject({ layout: 'key-value', title: 'Added last: 3 items' });
  expect(button).toMatchObject({ type: 'action', rpcMethod: 'forget' });
  expect(await shown()).toEqual(['Brazil', 'Alien', 'Heat']);
  await plugin.configure({ longest: 2 });
  expect(await shown()).toEqual(['Brazil', 'Alien']);
});

test('is in the language of its reader', async () => {
  await added('1', 'Heat');

  const [list, button] = await plugin.view(
    'ui.settings.sections',
    {},
    { viewer: { locale: 'de' } },
  );
  expect(list).toMatchObject({ title: 'Zuletzt hinzugefügt: ein Eintrag' });
  expect(button).toMatchObject({ label: 'Liste leeren' });
});

test('shows nothing without added items', async () => {
  expect(await plugin.view('ui.settings.sections', {})).toEqual([]);
});

test('lists an item once for repeated events, and loses none of two at once', async () => {
  await Promise.all([added('1', 'Heat'), added('1', 'Heat'), added('2', 'Alien')]);

  expect([...(await shown())].sort()).toEqual(['Alien', 'Heat']);
});

test('drops an item that was removed', async () => {
  await added('1', 'Heat');

  await plugin.event('library.item.removed', { itemId: '1', libraryId: 'films', title: 'Heat' });

  expect(await shown()).toEqual([]);
});

test('stores no more than it can show', async () => {
  for (let at = 0; at < 102; at += 1) await added(String(at), `Film ${at}`);

  expect(await plugin.action('forget')).toEqual({ forgotten: 100 });
});

test('keeps the list over a restart, and clears it on request', async () => {
  await added('1', 'Heat');
  await plugin.restart();

  expect(await shown()).toEqual(['Heat']);
  expect(await plugin.action('forget')).toEqual({ forgotten: 1 });
  expect(await shown()).toEqual([]);
});

test('reports that it may not store anything', async () => {
  await plugin.grant({ hears: ['library'] });

  await expect(added('1', 'Heat')).rejects.toMatchObject({ code: 'permission_denied' });
});
