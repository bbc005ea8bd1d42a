import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../test/support/library/library.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import { playbackMigrations } from '../playback/index.ts';
import { createMovedItems, type MovedItems } from './index.ts';

const day = 86_400_000;
let library: TestLibrary;
let moved: MovedItems;
let nowMs: number;
let libraries: Readonly<Record<string, string>>;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  library = await openTestLibrary({ now: () => nowMs }, undefined, [playbackMigrations]);
  onTestFinished(library.close);
  const made = [];
  for (const name of ['movies:Films', 'movies:Kids', 'movies:Old', 'tv:Shows']) {
    const [type = '', called = ''] = name.split(':');
    const { id } = await library.libraries.create({ name: called, type, roots: [`/${called}`] });
    made.push([called, id] as const);
  }
  libraries = Object.fromEntries(made);
  moved = createMovedItems({
    ...{ database: library.storage.database, now: () => nowMs, log: silentLog },
  });
});

/** What a scan finds in a library, by the content of each file. */
async function has(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const root = `file:///${name}`;
  const found = Object.entries(files)
    .map(([title, content]) => ({ uri: `${root}/${title}/f.mkv`, content }))
    .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  await library.reconcile({
    ...{ libraryId: libraries[name] ?? '', root, after: null, through: null, unreadable: [] },
    files: found.map(({ uri, content }) => ({ uri, size: content.length, modifiedAt: 1 })),
  });
  await library.storage.database.write(async (trx) => {
    for (const { uri, content } of found)
      await trx('files').where({ uri }).update({ fingerprint: content });
  });
}

async function idOf(name: string, title: string): Promise<string> {
  const { items } = await library.items.list(serverViewer, {
    ...{ limit: 500, libraryId: libraries[name] },
  });
  return items.find((item) => item.title === title)?.id ?? '';
}

/** The profile has watched the item so far. */
async function watched(itemId: string, position: number, profileId = 'ada'): Promise<void> {
  await library.storage.database.write(async (trx) => {
    await trx('playback').insert({
      ...{ profile_id: profileId, user_id: 'u', item_id: itemId, completed: 0, position },
      ...{ duration: 9, updated_at: 1, started: 1, play_count: 2, counted: 0, last_played_at: 1 },
    });
  });
}

const states = async (): Promise<readonly object[]> =>
  library.storage.database
    .read('playback')
    .orderBy(['profile_id', 'item_id'])
    .select('profile_id', 'item_id', 'position', 'play_count');

const state = (item_id: string, position: number, profile_id = 'ada') => ({
  ...{ profile_id, item_id, position, play_count: 2 },
});

test('a state goes to the item with the same content in another library, and stays there', async () => {
  await has('Films', { Alpha: 'alpha', Beta: 'beta' });
  const before = await idOf('Films', 'Alpha');
  await watched(before, 5);
  await has('Kids', { 'Alpha again': 'alpha' });
  // It is in both: nothing moved.
  expect(await moved.look()).toBe(0);

  await has('Films', { Beta: 'beta' });

  expect(await moved.look()).toBe(1);
  expect(await states()).toEqual([state(await idOf('Kids', 'Alpha again'), 5)]);
  expect(await moved.look()).toBe(0);
});

test('what a profile said of the other item stays', async () => {
  await has('Films', { Alpha: 'alpha', Beta: 'beta' });
  await has('Kids', { Alpha: 'alpha' });
  const [before, after] = [await idOf('Films', 'Alpha'), await idOf('Kids', 'Alpha')];
  await watched(before, 5, 'ada');
  await watched(before, 6, 'bob');
  await watched(after, 7, 'bob');

  await has('Films', { Beta: 'beta' });
  await moved.look();

  expect(await states()).toEqual([state(after, 5, 'ada'), state(after, 7, 'bob')]);
});

test.each([
  ['in a library of another type', { Shows: { Alpha: 'alpha' } }],
  ['in two items', { Kids: { Alpha: 'alpha' }, Old: { Alpha: 'alpha' } }],
  ['with another content', { Kids: { Alpha: 'omega' } }],
  ['without content', { Kids: { Empty: '' } }],
] as const)('a film that is %s now keeps its state to itself', async (_, others) => {
  await has('Films', { Alpha: 'alpha', Beta: 'beta', Empty: '' });
  const ids = [await idOf('Films', 'Alpha'), await idOf('Films', 'Empty')].toSorted();
  for (const id of ids) await watched(id, 5);
  for (const [name, files] of Object.entries(others)) await has(name, files);

  await has('Films', { Beta: 'beta' });

  expect(await moved.look()).toBe(0);
  expect(await states()).toEqual(ids.map((id) => state(id, 5)));
});

test('a film that went missing more than thirty days ago gives nothing', async () => {
  await has('Films', { Alpha: 'alpha', Beta: 'beta' });
  await watched(await idOf('Films', 'Alpha'), 5);
  await has('Films', { Beta: 'beta' });
  await has('Kids', { Alpha: 'alpha' });

  nowMs += 31 * day;

  expect(await moved.look()).toBe(0);
});

test('a collection that has both keeps one, and a cover follows', async () => {
  await has('Films', { Alpha: 'alpha', Beta: 'beta' });
  await has('Kids', { Alpha: 'alpha' });
  const [before, after] = [await idOf('Films', 'Alpha'), await idOf('Kids', 'Alpha')];
  const { database } = library.storage;
  await database.write(async (trx) => {
    await trx('collections').insert({
      ...{ id: 'c', user_id: 'u', profile_id: 'p', distributed_id: 'd', kind: 'collection' },
      ...{ name: 'N', sort_name: 'n', description: '', media_type: '', hidden: false },
      ...{ sort_by: 'manual', sort_order: 'asc', created_at: 1, updated_at: 1 },
      cover_item_id: before,
    });
    const { no } = await trx('collections').first<{ no: number }>('no');
    await trx('collection_items').insert(
      [before, after].map((item_id, position) => ({ collection_no: no, item_id, position })),
    );
  });

  await has('Films', { Beta: 'beta' });
  expect(await moved.look()).toBe(1);

  expect(await database.read('collection_items').pluck('item_id')).toEqual([after]);
  expect(await database.read('collections').pluck('cover_item_id')).toEqual([after]);
});
