import { describe, expect, test } from 'vitest';
import type { DispatchViewer, Reach } from '../../../kernel/index.ts';
import {
  serverViewer,
  visibilityOfLibraries,
  type Role,
  type Viewer,
} from '../../people/viewer/index.ts';
import { createPluginReach, createPluginViewers } from './index.ts';
import { viewerRules } from './for-viewer.ts';
import { outgoingRules } from './outgoing-rules.ts';

const libraries = [
  { id: 'films', name: 'Films', roots: ['file:///media/films'] },
  { id: 'rated', name: 'Rated', roots: ['file:///media/rated'] },
  { id: 'hidden', name: 'Hidden', roots: ['file:///media/hidden'] },
];
const locations = new Map([
  ['heat', { libraryId: 'films', uris: ['file:///media/films/Heat.mkv'] }],
  ['child', { libraryId: 'rated', uris: ['file:///media/rated/Child.mkv'] }],
  ['adult', { libraryId: 'rated', uris: ['file:///media/rated/Adult.mkv'] }],
  ['secret', { libraryId: 'hidden', uris: ['file:///media/hidden/Secret.mkv'] }],
]);
/** What a limited viewer may see, of whom `rated` shows one item. */
const shown = new Set(['heat', 'child']);
/** Ids of what they may not see, of whichever kind. */
const hiddenFromKid = new Set(['adult', 'secret', 'file-of-adult', 'picture-of-adult', 'actor']);

const viewers = createPluginViewers(Buffer.alloc(32, 7));
const sees = ({ visibility }: Viewer, id: string): boolean => visibility.libraries?.has(id) ?? true;
const reach = createPluginReach({
  locations: {
    libraries: () => libraries,
    isHidden: () => false,
    ofItems: async (ids) => new Map([...locations].filter(([id]) => ids.includes(id))),
    named: async () => ({ items: [], entities: [] }),
  },
  visibility: {
    seesAll: ({ visibility }) => visibility.libraries === null,
    showsHidden: ({ visibility }) => visibility.showsHidden,
    visibilityIn: (viewer, id) => {
      if (!sees(viewer, id)) return 'nothing';
      return id === 'rated' && viewer.visibility.libraries !== null ? 'some' : 'all';
    },
    visibilityOf: async (_viewer, ids) =>
      new Map(ids.filter((id) => locations.has(id)).map((id) => [id, shown.has(id)])),
    seesNamed: async (_viewer, ids) => ids.every((id) => !hiddenFromKid.has(id)),
    seesFile: async (_viewer, uri) => uri === 'file:///media/rated/Child.mkv',
  },
  viewers,
  inspect: async () => ({ ok: true }),
  runsJobs: (pluginId, type) => pluginId === 'own' && type === 'own.tidy',
  personOf: async () => null,
  ownsSessions: async (_viewer, ids) => !ids.includes('session-of-another'),
  authors: {
    withSlug: () => [],
    runnerOf: () => undefined,
    reachOf: () => 'all',
    isOwn: () => false,
  },
});

const person = (role: Role, ids: readonly string[] | null): Viewer => ({
  ...serverViewer,
  userId: 'ada',
  profileId: 'ada-profile',
  role,
  visibility: ids === null ? serverViewer.visibility : visibilityOfLibraries(ids),
});
const kid = person('user', ['films', 'rated']);
const user = person('user', null);
const admin = person('admin', null);
/** An admin key of some libraries. */
const keyOfFilms = person('admin', ['films']);

const may = async (viewer: Viewer, call: string, input: object) =>
  reach.mayCallFor(viewers.toPlugins(viewer), { pluginId: 'own', call, input });

const file = (path: string) => ({ uri: `file:///media/${path}` });
const self = viewers.profileIn('own', 'ada-profile');

/** Each call with an input, and whether it is for the kid, for a user who sees all, and for an admin. */
const calls: readonly (readonly [string, object, boolean, boolean, boolean])[] = [
  ['fs.read', file('films/Heat.mkv'), true, true, true],
  ['fs.list', file('films'), true, true, true],
  ['fs.list', { ...file('films'), ignoreFilesFrom: 'file:///media/hidden' }, false, true, true],
  ['fs.read', file('hidden/Secret.mkv'), false, true, true],
  ['fs.read', file('films/../hidden/Secret.mkv'), false, true, true],
  ['fs.stat', file('rated/Child.mkv'), true, true, true],
  ['fs.stat', file('rated/Adult.mkv'), false, true, true],
  ['fs.list', file('rated'), false, true, true],
  [
    'fs.readRanges',
    { ranges: [file('films/Heat.mkv'), file('hidden/Secret.mkv')] },
    false,
    true,
    true,
  ],
  ['disk.read', { path: '/media/hidden/Secret.mkv' }, false, true, true],
  ['disk.read', { path: '/media/films/Heat.mkv' }, false, true, true],
  ['disk.list', { paths: ['/media/films'] }, false, true, true],
  ['library.item', { itemId: 'heat' }, true, true, true],
  ['library.item', { itemId: 'child' }, true, true, true],
  ['library.item', { itemId: 'adult' }, false, true, true],
  ['library.item', { itemId: 'secret' }, false, true, true],
  ['library.item', { itemId: 'unknown' }, false, true, true],
  ['media.get', { itemId: 'heat' }, true, true, true],
  ['media.get', { itemId: 'adult' }, false, true, true],
  ['media.list', { libraryId: 'hidden' }, true, true, true],
  ['viewing.resume', {}, true, true, true],
  ['viewing.watched', { id: 'heat' }, true, true, true],
  ['library.get', { libraryId: 'rated' }, true, true, true],
  ['library.get', { libraryId: 'hidden' }, false, true, true],
  ['library.get', { libraryId: 'unknown' }, false, true, true],
  ['library.pages', { libraryId: 'films' }, false, false, true],
  ['library.reconcile', { libraryId: 'films' }, false, false, true],
  ['eventLog.read', {}, false, false, true],
  ['eventLog.follow', {}, false, false, true],
  ['jobs.enqueue', { type: 'scan', libraryId: 'films' }, false, false, true],
  ['jobs.enqueue', { type: 'scan' }, false, false, true],
  ['jobs.enqueue', { type: 'own.tidy' }, true, true, true],
  ['jobs.enqueue', { type: 'own.tidy', libraryId: 'films' }, true, true, true],
  ['jobs.enqueue', { type: 'own.tidy', libraryId: 'hidden' }, false, true, true],
  ['secrets.digest', { parts: ['a', { name: 'a', scope: { userId: 'ada' } }] }, true, true, true],
  ['secrets.digest', { parts: [{ name: 'a', scope: { userId: 'bob' } }] }, false, false, false],
  ['net.fetch', { formSecrets: { k: '{secret:a;user=bob}' } }, false, false, false],
  ['secrets.sign', { name: 'a' }, true, true, true],
  ['secrets.sign', { name: 'a', scope: 'plugin' }, true, true, true],
  ['secrets.sign', { name: 'a', scope: { userId: 'ada' } }, true, true, true],
  ['secrets.sign', { name: 'a', scope: { userId: 'bob' } }, false, false, false],
  ['secrets.create', { name: 'a', scope: { profile: self } }, true, true, true],
  ['secrets.create', { name: 'a', scope: { profile: 'of-another' } }, false, false, false],
  ['secrets.remove', { name: 'a', scope: { libraryId: 'hidden' } }, false, true, true],
  ['secrets.sign', { name: 'a', scope: { profile: self } }, true, true, true],
  ['secrets.sign', { name: 'a', scope: { profile: 'of-another' } }, false, false, false],
  ['secrets.remove', { name: 'a', scope: { profile: 'of-another' } }, false, false, false],
  ['net.fetch', { url: 'https://a.example', headers: { a: '{secret:k}' } }, true, true, true],
  ['net.fetch', { headers: { a: `x {secret:k;profile=${self}}` } }, true, true, true],
  [
    'net.fetch',
    { headers: { a: `{secret:k;profile=${self}}{secret:k;profile=b}` } },
    false,
    false,
    false,
  ],
  [
    'net.fetch',
    { headers: { a: '{secret:k;user=ada}', b: '{secret:k;user=bob}' } },
    false,
    false,
    false,
  ],
  ['net.fetch', { headers: { a: '{secret:k;library=hidden}' } }, false, true, true],
  ['constructor', {}, false, false, false],
  ['fs.toString', file('films/Heat.mkv'), false, false, false],
];

describe('a call of a plugin that works for a viewer', () => {
  test.each(calls)('%s %j', async (call, input, forKid, forUser, forAdmin) => {
    const told = [
      await may(kid, call, input),
      await may(user, call, input),
      await may(admin, call, input),
    ];

    expect(told).toEqual([forKid, forUser, forAdmin]);
  });

  test.each(['library.pages', 'library.reconcile', 'eventLog.read', 'jobs.enqueue'])(
    '%s is not for an admin key that is limited to some libraries',
    async (call) => {
      expect(await may(keyOfFilms, call, { libraryId: 'films', type: 'scan' })).toBe(false);
    },
  );

  test.each(
    Object.keys(outgoingRules).filter((call) =>
      /^(config|crypto|events|kv|notifications|plugins|schedule|textIndex)\./.test(call),
    ),
  )('%s accesses only the plugin’s own state, so every viewer may use it', async (call) => {
    expect(await may(kid, call, {})).toBe(true);
  });

  test.each([
    ['a guest', { ...kid, role: 'guest' as const }],
    ['a credential that only reads', { ...admin, isReadOnly: true }],
  ])('changes nothing of what is theirs for %s', async (_, viewer) => {
    const writes = Object.entries(viewerRules).filter(
      ([, rule]) => rule === viewerRules['viewing.rate'],
    );

    expect(await may(viewer, 'viewing.lists', {})).toBe(true);
    expect(writes.map(([call]) => call)).toContain('viewing.changeList');
    for (const [call] of writes) expect(await may(viewer, call, { id: 'heat' })).toBe(false);
  });

  test('for an unknown viewer sees nothing', async () => {
    const stranger: DispatchViewer = {
      identity: admin,
      shownTo: () => ({ role: 'admin', profile: self, locale: null }),
    };

    expect(reach.mayCallFor(stranger, { pluginId: 'own', call: 'kv.get', input: {} })).toBe(false);
    expect(await reach.feedFor({ reach: 'all', viewer: stranger })?.items(['heat'])).toEqual([
      false,
    ]);
  });
});

describe('the change feed', () => {
  test('is unfiltered for a plugin that works without a viewer', () => {
    expect(reach.feedFor({ reach: 'all', viewer: null })).toBeNull();
  });

  test('has only what both the plugin and the viewer may see', async () => {
    const viewer = viewers.toPlugins(kid);
    const ids = ['heat', 'child', 'adult', 'secret', 'unknown'];
    const wide = reach.feedFor({ reach: 'all', viewer });
    const narrow = reach.feedFor({ reach: [{ id: 'rated' }, { id: 'hidden' }], viewer });

    expect(await wide?.items(ids)).toEqual([true, true, false, false, false]);
    expect(await narrow?.items(ids)).toEqual([false, true, false, false, false]);
    expect(libraries.map(({ id }) => wide?.isWhole(id))).toEqual([true, false, false]);
    expect(libraries.map(({ id }) => narrow?.isWhole(id))).toEqual([false, false, false]);
    expect([wide?.showsHidden, reach.feedFor({ reach: [], viewer: null })?.showsHidden]).toEqual([
      false,
      true,
    ]);
  });
});

describe('the parameters that a viewer sends to a plugin', () => {
  test.each([
    [{}, true],
    [{ itemId: 'heat', note: 'any words' }, true],
    [{ itemId: 'adult' }, false],
    [{ itemId: 'unknown' }, false],
    [{ itemId: 7 }, false],
    [{ libraryId: 'rated' }, true],
    [{ libraryId: 'hidden' }, false],
    [{ libraryId: 'unknown' }, false],
    [{ deep: [{ er: ['secret'] }] }, false],
    [{ secret: true }, false],
    [{ any: 'hidden' }, false],
    [{ fileId: 'file-of-adult' }, false],
    [{ deep: [{ picture: 'picture-of-adult' }] }, false],
    [{ actor: true }, false],
    [{ sessionId: 'session-of-another' }, false],
    [{ sessionId: 'session-of-their-own' }, true],
    [{ file: 'file:///media/hidden/Secret.mkv' }, false],
    [{ file: '/media/hidden/Secret.mkv' }, false],
    [{ file: '/media/rated/Adult.mkv' }, false],
    [{ file: '/media/rated/Child.mkv' }, true],
    [{ file: '/etc/passwd' }, true],
    [{ many: Array.from({ length: 2001 }, (_, index) => `t${index}`) }, false],
  ])('%j', async (params, isSent) => {
    expect(await reach.maySend(kid, params)).toBe(isSent);
  });
});

describe('what stands for a person in a plugin', () => {
  const shownTo = (pluginId: string, viewer: Viewer) => viewers.toPlugins(viewer).shownTo(pluginId);

  test('is the same each time, another one in each plugin and for each profile, and no id', () => {
    const words = [
      shownTo('one', kid).profile,
      shownTo('one', { ...kid, userId: 'another', role: 'guest' }).profile,
      shownTo('two', kid).profile,
      shownTo('one', { ...kid, profileId: 'bob' }).profile,
      createPluginViewers(Buffer.alloc(32, 8)).toPlugins(kid).shownTo('one').profile,
    ];

    expect(words[0]).toBe(words[1]);
    expect(new Set(words).size).toBe(4);
    expect(words.join()).not.toMatch(/ada|bob/);
    for (const word of words) expect(word).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  test('has the role admin only for an admin of the whole server', () => {
    const rolesOf = [admin, keyOfFilms, user, person('guest', null)].map(
      (viewer) => shownTo('one', viewer).role,
    );

    expect(rolesOf).toEqual(['admin', 'user', 'user', 'guest']);
  });
});

describe('the roots below which links may lead', () => {
  const rootsFor = (viewer: DispatchViewer | null, granted: Reach = 'all') =>
    reach.rootsOf({ reach: granted, viewer });

  test('are those of libraries that both the plugin and the viewer may access in part', () => {
    const films = ['file:///media/films'];
    const forKid = viewers.toPlugins(person('user', ['films']));

    expect([rootsFor(null), rootsFor(viewers.toPlugins(admin))]).toEqual([null, null]);
    expect(rootsFor(forKid)).toEqual(films);
    expect(rootsFor(forKid, [{ id: 'films' }, { id: 'hidden' }])).toEqual(films);
    expect(rootsFor(forKid, [{ id: 'hidden' }])).toEqual([]);
    expect(rootsFor(null, [{ id: 'hidden' }])).toEqual(['file:///media/hidden']);
  });

  test('do not exist for an unknown viewer', () => {
    const stranger: DispatchViewer = {
      identity: admin,
      shownTo: () => ({ role: 'admin', profile: 'p', locale: null }),
    };

    expect(rootsFor(stranger)).toEqual([]);
  });
});
