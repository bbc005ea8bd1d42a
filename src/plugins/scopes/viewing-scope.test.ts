/** `host.viewing` over a real library: whose marks and lists a plugin reads and changes, and of which items. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DispatchViewer, HostService, Narrowed, Reach } from '../../../kernel/index.ts';
import type { MediaPage, ViewingEntry, ViewingList } from '../../../plugin-api/index.ts';
import { openTestLibrary, type TestLibrary } from '../../../test/support/library/library.ts';
import { testPluginViewers } from '../../../test/support/plugins/plugin-viewers.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../../people/viewer/index.ts';
import { createUuidV7 } from '../../platform/uuid-v7.ts';
import { Collections, createEntries } from '../../viewing/collections/index.ts';
import { createViewingService } from '../../viewing/host-viewing/index.ts';
import { createMarks, createPlayback, playbackMigrations } from '../../viewing/playback/index.ts';
import { createPluginReach } from './index.ts';

const viewers = testPluginViewers();
const ids = { Films: '', Shows: '', Secret: '' };
const items = new Map<string, string>();
let library: TestLibrary;
let service: HostService<'viewing'>;
let playback: ReturnType<typeof createPlayback>;
let nowMs = 0;

beforeAll(async () => {
  library = await openTestLibrary({}, undefined, [playbackMigrations]);
  const { mediaScopeFor } = createPluginReach({
    ...library,
    viewers,
    inspect: async () => ({ ok: true }),
    runsJobs: () => false,
    personOf: async () => null,
    ownsSessions: async () => true,
    authors: {
      withSlug: () => [],
      runnerOf: () => undefined,
      reachOf: () => 'all',
      isOwn: () => false,
    },
  });
  const parts = {
    ...library,
    database: library.storage.database,
    events: { emit: () => undefined, room: async () => undefined },
    newId: createUuidV7({ now: Date.now }),
    now: () => 1000,
  };
  playback = createPlayback(parts);
  service = createViewingService({
    playback,
    marks: createMarks(parts),
    collections: new Collections(parts),
    entries: createEntries(parts),
    hasItem: async (id, viewer) => (await library.access.filterVisible(viewer, [id])).has(id),
    scopeFor: mediaScopeFor,
    agreed: async () => [
      { profile: viewers.profileIn('example', 'ada'), level: 'write' },
      { profile: viewers.profileIn('example', 'ben'), level: 'read' },
    ],
    newId: parts.newId,
    now: () => nowMs,
  });
  await fill('Films', ['Alien', 'Brazil', 'Kids/Cars', 'Kids/Up']);
  await fill('Shows', ['Yes']);
  await fill('Secret', ['Vault']);
  for (const { id, title } of (await library.items.list(serverViewer, {})).items)
    items.set(title, id);
  await library.libraries.update(ids.Secret, { hidden: true }, serverViewer);
});

afterAll(() => library.close());

async function fill(name: keyof typeof ids, folders: readonly string[]): Promise<void> {
  const root = `file:///${name}`;
  const made = await library.libraries.create({ name, type: 'movies', roots: [root] });
  ids[name] = made.id;
  const files = folders
    .map((folder) => ({ uri: `${root}/${folder}/a.mkv`, size: 100, modifiedAt: 1 }))
    .toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
  await library.reconcile({
    ...{ libraryId: made.id, root, files },
    ...{ after: null, through: null, unreadable: [] },
  });
}

const personOf = (profileId: string, libraries: readonly string[] | null = null): Viewer => ({
  ...serverViewer,
  userId: `user of ${profileId}`,
  profileId,
  role: 'user',
  ...(libraries && { visibility: visibilityOfLibraries(libraries) }),
});
const ada = viewers.toPlugins(personOf('ada'));

interface Caller {
  readonly reach?: Reach;
  readonly viewer?: DispatchViewer | null;
}

/** Calls a method as the gate does once it has judged the call. */
async function call<Answer>(
  method: keyof HostService<'viewing'>['methods'],
  input: object,
  caller: Caller = {},
): Promise<Answer> {
  const { signal } = new AbortController();
  const run = service.methods[method].run as (input: object, caller: object) => Promise<unknown>;
  const usual = { pluginId: 'example', granted: {}, reach: 'all', viewer: ada, signal };
  return (await run(input, { ...usual, ...caller })) as Answer;
}

const idOf = (title: string): string => items.get(title) ?? '';
const films = (): Narrowed => [{ id: ids.Films }];
const kids = (): Narrowed => [{ id: ids.Films, folders: ['file:///Films/Kids'] }];
const isWatched = async (title: string, profileId: string): Promise<boolean> =>
  (await playback.get(idOf(title), personOf(profileId))).completed;
const watch = (title: string, caller?: Caller) =>
  call('watched', { id: idOf(title), watched: true }, caller);

describe('host.viewing', () => {
  test('is for a person: without one it says how to act for one that agreed', async () => {
    for (const method of ['resume', 'lists'] as const)
      await expect(call(method, {}, { viewer: null })).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('host.as(profile)') as string,
      });
  });

  test('changes what is of the person of the call, and nothing of another one', async () => {
    await watch('Alien');

    expect([await isWatched('Alien', 'ada'), await isWatched('Alien', 'ben')]).toEqual([
      true,
      false,
    ]);
  });

  test.each<[string, () => Caller]>([
    ['a library that was not granted', () => ({ reach: [{ id: ids.Shows }] })],
    ['a folder that was not granted', () => ({ reach: kids() })],
    [
      'a library that the person does not see',
      () => ({ viewer: viewers.toPlugins(personOf('ada', [ids.Shows])) }),
    ],
  ])('finds nothing in %s', async (_, caller) => {
    const id = idOf('Brazil');
    const { id: listId } = await call<ViewingList>('createList', { kind: 'playlist', name: 'P' });

    for (const [method, input] of [
      ['watched', { id, watched: true }],
      ['favourite', { id, on: true }],
      ['rate', { id, stars: 3 }],
      ['changeList', { listId, add: [id] }],
      ['changeList', { listId, replace: [id] }],
      ['createList', { kind: 'playlist', name: 'Q', itemIds: [id] }],
    ] as const)
      expect([method, await call(method, input, caller()).catch(codeOf)]).toEqual([
        method,
        'not_found',
      ]);
    expect(await isWatched('Brazil', 'ada')).toBe(false);
    await call('removeList', { listId });
    expect((await call<{ lists: readonly object[] }>('lists', {})).lists).toEqual([]);
  });

  const codeOf = (error: { readonly code: string }): string => error.code;

  test('finds a hidden library only where the grant names it and the person asked for it', async () => {
    const withHidden = personOf('ada');
    const viewer = viewers.toPlugins({
      ...withHidden,
      visibility: { ...withHidden.visibility, showsHidden: true },
    });

    await expect(watch('Vault')).rejects.toMatchObject({ code: 'not_found' });
    await expect(watch('Vault', { viewer, reach: films() })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await watch('Vault', { viewer, reach: [{ id: ids.Secret }] })).toBeNull();
  });

  test('shows what was begun in granted places only', async () => {
    for (const title of ['Brazil', 'Kids/Cars', 'Yes'])
      await call('report', { itemId: idOf(title), position: 60, duration: 6000 });
    const begun = async (caller?: Caller) =>
      (await call<MediaPage>('resume', {}, caller)).items.map(({ title }) => title).toSorted();

    expect(await begun()).toEqual(['Brazil', 'Kids/Cars', 'Yes']);
    expect(await begun({ reach: films() })).toEqual(['Brazil', 'Kids/Cars']);
    expect(await begun({ reach: kids() })).toEqual(['Kids/Cars']);
    expect(await begun({ viewer: viewers.toPlugins(personOf('ben')) })).toEqual([]);
  });

  test('says who agreed; in the call of a person only whether that person did', async () => {
    const agreed = async (caller: Caller) =>
      (await call<{ profiles: readonly { level: string }[] }>('profiles', {}, caller)).profiles;

    expect((await agreed({ viewer: null })).map(({ level }) => level)).toEqual(['write', 'read']);
    expect((await agreed({})).map(({ level }) => level)).toEqual(['write']);
  });

  test('takes 600 changes a minute for a profile, and further ones of another profile', async () => {
    nowMs += 60_000;
    const viewer = viewers.toPlugins(personOf('eve'));
    const itemIds = ['Alien', 'Brazil', 'Yes'].map(idOf);
    await call('createList', { kind: 'collection', name: 'C', itemIds }, { viewer });
    for (let writes = 3; writes < 600; writes += 1)
      await call('favourite', { id: idOf('Up'), on: false }, { viewer }).catch(() => null);

    await expect(watch('Alien', { viewer })).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await watch('Alien')).toBeNull();
    nowMs += 1000;
    expect(await watch('Alien', { viewer })).toBeNull();
  });
});

describe('a playlist', () => {
  const entriesOf = async (listId: string, caller?: Caller) =>
    (await call<{ entries: readonly ViewingEntry[] }>('entries', { listId }, caller)).entries.map(
      ({ item }) => item.title,
    );
  const make = (titles: readonly string[]) =>
    call<ViewingList>('createList', {
      kind: 'playlist',
      name: 'Mix',
      itemIds: titles.map(idOf),
    });

  test('is replaced in one step, but for what the plugin may not see', async () => {
    const { id: listId } = await make(['Yes', 'Alien', 'Kids/Up']);
    await call('changeList', { listId, replace: [idOf('Brazil')] }, { reach: films() });
    expect(await entriesOf(listId)).toEqual(['Yes', 'Brazil']);

    await call('changeList', { listId, replace: [idOf('Kids/Cars')] }, { reach: kids() });
    expect(await entriesOf(listId)).toEqual(['Yes', 'Brazil', 'Kids/Cars']);
    expect(await entriesOf(listId, { reach: kids() })).toEqual(['Kids/Cars']);

    await call('changeList', { listId, replace: [] });
    expect(await entriesOf(listId)).toEqual([]);
  });

  test('changes by its entries, and is of its profile alone', async () => {
    const { id: listId } = await make(['Alien', 'Brazil', 'Alien']);
    const { entries } = await call<{ entries: readonly ViewingEntry[] }>('entries', { listId });
    const changed = await call<ViewingList>('changeList', {
      listId,
      name: 'Mixed',
      remove: [entries[0]?.id],
      add: [idOf('Yes')],
      at: 0,
    });

    expect(changed).toMatchObject({ name: 'Mixed', itemCount: 3, isAutomatic: false });
    expect(await entriesOf(listId)).toEqual(['Yes', 'Brazil', 'Alien']);
    const viewer = viewers.toPlugins(personOf('ben'));
    await expect(entriesOf(listId, { viewer })).rejects.toMatchObject({ code: 'not_found' });
    await expect(call('removeList', { listId }, { viewer })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('with items of other libraries is not removed by a limited plugin', async () => {
    const { id: listId } = await make(['Alien', 'Yes']);
    for (const reach of [films(), kids()])
      await expect(call('removeList', { listId }, { reach })).rejects.toMatchObject({
        code: 'permission_denied',
      });

    expect(await call('removeList', { listId }, { reach: [...films(), { id: ids.Shows }] })).toBe(
      null,
    );
  });
});

test('a collection holds each item once, and is changed by ids of items', async () => {
  const list = await call<ViewingList>('createList', {
    kind: 'collection',
    name: 'Best',
    itemIds: [idOf('Alien'), idOf('Brazil'), idOf('Alien')],
  });
  const left = await call<ViewingList>('changeList', { listId: list.id, remove: [idOf('Alien')] });

  expect([list.itemCount, left.itemCount]).toEqual([2, 1]);
  await expect(
    call('changeList', { listId: list.id, replace: [idOf('Yes')] }),
  ).rejects.toMatchObject({ code: 'conflict' });
});
