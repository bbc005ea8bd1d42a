import { describe, expect, test } from 'vitest';
import { testPluginViewers } from '../../../test/support/plugins/plugin-viewers.ts';
import type { IncomingCall, Narrowed } from '../../../kernel/index.ts';
import { eventNames, hookNames, viewNames } from '../../../plugin-api/index.ts';
import { createPluginReach } from './index.ts';
import { eventRules, hookRules, methodRules, viewRules } from './incoming-rules.ts';
import { outgoingRules } from './outgoing-rules.ts';

const libraries = [
  { id: 'films', name: 'Films', roots: ['file:///media/films'] },
  { id: 'shows', name: 'Shows', roots: ['file:///media/shows', 'file:///old/shows'] },
];

const items = new Map([
  ['heat', { libraryId: 'films', uris: ['file:///media/films/Heat.mkv'] }],
  ['totoro', { libraryId: 'films', uris: ['file:///media/films/Kids/Totoro.mkv'] }],
  [
    'torn',
    {
      libraryId: 'films',
      uris: ['file:///media/films/Kids/Torn.mkv', 'file:///media/films/Torn.srt'],
    },
  ],
  ['fileless', { libraryId: 'films', uris: [] }],
  ['pilot', { libraryId: 'shows', uris: ['file:///media/shows/Pilot.mkv'] }],
]);

/** Entities with the libraries in which they have an item. */
const entities = new Map([
  ['actor', ['films', 'shows']],
  ['host', ['shows']],
  ['nobody', []],
]);

/** A folder on a disk that is not mounted, and a missing folder on a mounted disk. */
const away = 'file:///old/shows';
const noFolders = new Map([
  ['file:///media/films/Kidz', 'The file or folder does not exist.'],
  ['file:///media/films/Heat.mkv', 'The path is a file.'],
]);

const reach = createPluginReach({
  inspect: async (uri) => {
    if (uri.startsWith(away)) throw new Error('Its filesystem does not run.');
    const message = noFolders.get(uri);
    return message === undefined ? { ok: true } : { ok: false, message };
  },
  locations: {
    libraries: () => libraries,
    isHidden: () => false,
    ofItems: async (ids) => new Map([...items].filter(([id]) => ids.includes(id))),
    named: async (ids) => ({
      items: [...items].flatMap(([id, place]) => (ids.includes(id) ? [place] : [])),
      entities: [...entities].flatMap(([id, libraryIds]) => (ids.includes(id) ? [libraryIds] : [])),
    }),
  },
  visibility: {
    seesAll: ({ visibility }) => visibility.libraries === null,
    showsHidden: ({ visibility }) => visibility.showsHidden,
    visibilityIn: ({ visibility }, id) =>
      (visibility.libraries?.has(id) ?? true) ? 'all' : 'nothing',
    visibilityOf: async () => new Map(),
    seesNamed: async () => true,
    seesFile: async () => false,
  },
  viewers: testPluginViewers(),
  runsJobs: (pluginId, type) => pluginId === 'own' && type === 'tidy',
  personOf: async () => null,
  ownsSessions: async () => true,
  authors: {
    withSlug: () => [],
    runnerOf: () => undefined,
    reachOf: () => 'all',
    isOwn: () => false,
  },
});

const films: Narrowed = [{ id: 'films' }];
const kids: Narrowed = [{ id: 'films', folders: ['file:///media/films/Kids'] }];
const nothing: Narrowed = [];
/** Of libraries that were removed. */
const stale: Narrowed = [{ id: 'gone', folders: ['file:///media/films/Kids'] }, { id: 'gone-too' }];

const may = async (granted: Narrowed, call: string, input: object) =>
  reach.mayCall(granted, { pluginId: 'own', call, input });

const uri = (path: string) => ({ uri: `file:///media/${path}` });
const file = uri('films/Heat.mkv');
const child = uri('films/Kids/Totoro.mkv');
const other = uri('shows/Pilot.mkv');
const page = { root: 'file:///media/films', after: null, through: null, files: [] };

/** Each call with an input, and whether it is within Films, and within the folder Kids of it. */
const outgoing: readonly (readonly [call: string, input: object, films: boolean, kids: boolean])[] =
  [
    ['fs.stat', file, true, false],
    ['fs.stat', child, true, true],
    ['fs.stat', other, false, false],
    ['fs.stat', uri('films'), true, false],
    ['fs.stat', uri('films/Kids'), true, true],
    ['fs.stat', uri('films/Kidsman'), true, false],
    ['fs.stat', uri('films/kids'), true, false],
    ['fs.stat', uri('films2/x.mkv'), false, false],
    ['fs.stat', uri('films/Kids/../Heat.mkv'), false, false],
    ['fs.stat', uri('films/Kids/%2E%2E/Heat.mkv'), false, false],
    ['fs.stat', uri('films/%4Bids/Totoro.mkv'), false, false],
    ['fs.stat', uri('films/Kids%2FTotoro.mkv'), false, false],
    ['fs.stat', uri('films/Kids/'), false, false],
    ['fs.stat', { uri: 'FILE:///media/films/Heat.mkv' }, false, false],
    ['fs.stat', { uri: 7 }, false, false],
    ['fs.list', { ...child, recursive: true }, true, true],
    ['fs.list', { ...child, ignoreFilesFrom: 'file:///media/films' }, true, false],
    ['fs.list', { ...child, ignoreFilesFrom: 'file:///media/shows' }, false, false],
    ['fs.read', { ...other, offset: 0, length: 1 }, false, false],
    ['fs.readRanges', { ranges: [file, child] }, true, false],
    ['fs.readRanges', { ranges: [child, other] }, false, false],
    ['fs.readRanges', { ranges: [child] }, true, true],
    ['disk.stat', { path: '/media/films/Kids' }, true, true],
    ['disk.read', { path: '/media/shows/Pilot.mkv' }, false, false],
    ['disk.list', { paths: ['/media/films', '/media/shows'] }, false, false],
    ['disk.list', { paths: ['/media/films/Kids'] }, true, true],
    ['disk.digest', { path: '/media/films', naming: 'x' }, true, false],
    ['disk.resolve', { path: '/etc/passwd' }, false, false],
    ['disk.changes', { path: '/media/shows' }, false, false],
    ['disk.unwatch', { path: '/media/shows' }, false, false],
    ['library.get', { libraryId: 'films' }, true, true],
    ['library.get', { libraryId: 'shows' }, false, false],
    ['library.item', { itemId: 'heat' }, true, false],
    ['library.item', { itemId: 'totoro' }, true, true],
    ['library.item', { itemId: 'torn' }, true, false],
    ['library.item', { itemId: 'fileless' }, true, false],
    ['library.item', { itemId: 'pilot' }, false, false],
    ['library.item', { itemId: 'unknown' }, false, false],
    ['library.pages', { libraryId: 'films', root: page.root }, true, false],
    ['library.pages', { libraryId: 'shows' }, false, false],
    ['library.reconcile', { libraryId: 'films', ...page }, true, false],
    ['library.reconcile', { libraryId: 'shows', ...page }, false, false],
    ['media.get', { itemId: 'heat' }, true, false],
    ['media.get', { itemId: 'totoro' }, true, true],
    ['media.get', { itemId: 'pilot' }, false, false],
    ['viewing.report', { itemId: 'heat' }, true, false],
    ['viewing.report', { itemId: 'totoro' }, true, true],
    ['viewing.report', { itemId: 'pilot' }, false, false],
    ['jobs.enqueue', { type: 'scan', libraryId: 'films' }, true, false],
    ['jobs.enqueue', { type: 'scan', libraryId: 'shows' }, false, false],
    ['jobs.enqueue', { type: 'scan' }, false, false],
    ['jobs.enqueue', { type: 'tidy' }, true, true],
    ['secrets.digest', { parts: ['a', { name: 'a' }] }, true, true],
    ['secrets.digest', { parts: [{ name: 'a', scope: { libraryId: 'shows' } }] }, false, false],
    ['secrets.sign', { name: 'a' }, true, true],
    ['secrets.sign', { name: 'a', scope: { userId: 'ada' } }, true, true],
    ['secrets.sign', { name: 'a', scope: { libraryId: 'films' } }, true, true],
    ['secrets.sign', { name: 'a', scope: { libraryId: 'shows' } }, false, false],
    ['secrets.create', { name: 'a', scope: { libraryId: 'shows' } }, false, false],
    ['secrets.remove', { name: 'a', scope: { libraryId: 'shows' } }, false, false],
    ['constructor', {}, false, false],
    ['fs.toString', file, false, false],
  ];

/** What touches nothing in a library, or leaves out of its answer what is beyond. */
const open = Object.keys(outgoingRules).filter((call) =>
  /^(config|crypto|events|eventLog|kv|net|notifications|plugins|schedule|textIndex)\.|^(library\.changes|media\.(counts|list|search)|secrets\.list|viewing\.(?!report).*)$/.test(
    call,
  ),
);

describe('a call of a plugin that was narrowed', () => {
  test.each(outgoing)('%s %j', async (call, input, isInFilms, isInKids) => {
    expect([await may(films, call, input), await may(kids, call, input)]).toEqual([
      isInFilms,
      isInKids,
    ]);
  });

  test.each(
    outgoing.filter(
      ([call, input]) => call !== 'secrets.sign' && call !== 'secrets.digest' && !('type' in input),
    ),
  )(
    '%s %j touches nothing with a grant of no library, or of a removed one',
    async (call, input) => {
      expect([await may(nothing, call, input), await may(stale, call, input)]).toEqual([
        false,
        false,
      ]);
    },
  );

  test('is judged for every method: each of them is in this table', () => {
    const judged = new Set([...outgoing.map(([call]) => call), ...open]);

    expect(Object.keys(outgoingRules).filter((call) => !judged.has(call))).toEqual([]);
  });
});

const hears = async (granted: Narrowed, call: Partial<IncomingCall> & { readonly input: object }) =>
  reach.canReceive(granted, { method: '', name: null, subject: undefined, ...call });

const job = { libraryId: 'films', type: 'scan' };
const detail = { libraryId: 'films' };

/** By event: data within Films, and whether the folder Kids is enough for it. */
const heard: Readonly<Record<string, readonly [data: object, kids: boolean]>> = {
  ...events('library.scan.started library.scan.progress library.scan.completed', detail, false),
  ...events('library.created library.updated library.deleted', detail, true),
  ...events(
    'library.item.added library.item.updated library.item.removed library.item.enriched pipeline.item.discovered pipeline.item.stateChanged pipeline.item.completed pipeline.step.started pipeline.step.completed',
    { libraryId: 'films', itemId: 'heat' },
    false,
  ),
  ...events('job.started job.progress job.completed job.failed', job, false),
  ...events(
    'admin.pipeline.jobCreated admin.pipeline.jobUpdated admin.pipeline.jobCompleted admin.pipeline.jobFailed',
    job,
    false,
  ),
  ...events('admin.pipeline.taskUpdated admin.pipeline.jobDetailUpdated', { detail }, false),
  ...events(
    'transcode.started transcode.progress transcode.stopped playback.progress playback.completed playback.removed playback.marked',
    { itemId: 'totoro' },
    true,
  ),
  ...events(
    'plugin.discovered plugin.started plugin.stopped plugin.restarted plugin.error',
    { pluginId: 'p', errorMessage: null },
    true,
  ),
  ...events('playback.entityMarked', { entityId: 'actor' }, true),
  ...events('collection.created collection.updated collection.deleted', { kind: 'playlist' }, true),
  ...events('scheduler.started server.shutdown user.changed backup.changed', {}, true),
};

function events(names: string, data: object, isForKids: boolean) {
  return Object.fromEntries(names.split(' ').map((name) => [name, [data, isForKids] as const]));
}

/** The same data of another library, or of none. */
const elsewhere: readonly object[] = [
  { libraryId: 'shows', itemId: 'pilot', detail: { libraryId: 'shows' }, errorMessage: 'Shows!' },
  { libraryId: null, itemId: 'unknown', detail: {}, errorMessage: '' },
  { libraryId: 'gone', itemId: 'pilot', detail: null },
];

const withoutLibrary = new Set([
  ...['collection.created', 'collection.updated', 'collection.deleted'],
  ...['scheduler.started', 'server.shutdown', 'user.changed', 'backup.changed'],
]);

describe('an event', () => {
  test.each(eventNames)('%s is received only for what is within the scope', async (name) => {
    const tell = (granted: Narrowed, data: object) =>
      hears(granted, { method: 'event.dispatch', name, input: { type: name, data } });
    const [data, isForKids] = heard[name] ?? [{ title: 'Films' }, false];

    const isHeard = [await tell(films, data), await tell(kids, data)];
    const others = await Promise.all(elsewhere.map((one) => tell(films, one)));

    expect(isHeard).toEqual([name in heard, isForKids]);
    expect(others.every((one) => one === withoutLibrary.has(name))).toBe(true);
  });

  test('of a plugin is not received by a narrowed plugin, since it cannot be traced', async () => {
    const input = { data: { libraryId: 'films' } };

    expect(await hears(films, { method: 'event.dispatch', name: 'plugin.a.b', input })).toBe(false);
    expect(await hears(films, { method: 'event.dispatch', name: 'toString', input })).toBe(false);
  });
});

const bundle = (...uris: readonly string[]) => ({
  files: { media: uris.map((one) => ({ uri: one })), auxiliary: [] },
});

describe('a hook and a view', () => {
  const ask = (granted: Narrowed, name: string, input: object, subject?: object) =>
    hears(granted, { method: 'hook.dispatch', name, input: { name, input }, subject });
  const show = (granted: Narrowed, name: string, context: object) =>
    hears(granted, { method: 'view.dispatch', name, input: { slot: name, context } });

  test.each(hookNames.filter((name) => name !== 'pipeline.scan.prepare'))(
    '%s is asked about items within, with all that their bundles show',
    async (name) => {
      const heat = { itemId: 'heat', bundle: bundle(file.uri) };
      const totoro = { itemId: 'totoro', bundle: bundle(child.uri) };
      const shared = { itemId: 'totoro', bundle: bundle(child.uri, file.uri) };
      const pilot = { itemId: 'pilot', bundle: bundle(other.uri) };
      const lying = { itemId: 'pilot', bundle: bundle(child.uri) };
      const bare = { itemId: 'pilot', bundle: null };
      const all = [heat, totoro, shared, pilot, lying, bare];

      expect(await Promise.all(all.map((one) => ask(films, name, one)))).toEqual([
        ...[true, true, true, false, false, false],
      ]);
      expect(await Promise.all(all.map((one) => ask(kids, name, one)))).toEqual([
        ...[false, true, false, false, false, false],
      ]);
    },
  );

  test('pipeline.scan.prepare is called only for a library that is granted as a whole', async () => {
    const name = 'pipeline.scan.prepare';
    const input = { libraryType: 'movies', fsPlugin: 'files' };

    expect(await ask(films, name, input, { libraryId: 'films' })).toBe(true);
    expect(await ask(kids, name, input, { libraryId: 'films' })).toBe(false);
    expect(await ask(films, name, input, { libraryId: 'shows' })).toBe(false);
    expect(await ask(films, name, input)).toBe(false);
  });

  test.each(viewNames)('%s is called only for what is within the scope', async (name) => {
    const context = (libraryId: string, itemId: string) => ({ libraryId, itemId });
    const isApart = ['ui.settings.sections', 'ui.home.sections', 'ui.shell'].includes(name);

    expect(await show(films, name, context('films', 'heat'))).toBe(true);
    expect(await show(films, name, context('shows', 'pilot'))).toBe(isApart);
    expect(await show(films, name, {})).toBe(isApart);
    expect(await show(kids, name, context('films', 'totoro'))).toBe(true);
  });

  test('an action is called for what is within the scope, or without a subject', async () => {
    const act = (params: unknown) => hears(kids, { method: 'action.run', input: { params } });

    expect(await act({})).toBe(true);
    expect(await act({ itemId: 'totoro', libraryId: 'films' })).toBe(true);
    expect(await act({ itemId: 'heat' })).toBe(false);
    expect(await act({ itemId: 'totoro', libraryId: 'shows' })).toBe(false);
    expect(await act({ itemId: ['totoro'] })).toBe(false);
    expect(await act(null)).toBe(false);
  });

  test.each<readonly [unknown, boolean]>([
    [{ picked: [{ item: 'totoro' }, 'films', 7, null] }, true],
    [{ picked: [{ item: 'heat' }] }, false],
    [{ picked: { pilot: true } }, false],
    [{ a: { b: [[{ c: 'shows' }]] } }, false],
    [{ entity: 'actor' }, true],
    [{ entity: 'host' }, false],
    [{ entity: 'nobody' }, false],
    [{ from: child.uri, to: '/media/films/Kids/Totoro (1988).mkv' }, true],
    [{ from: 'file:///media/films' }, false],
    [{ from: ['/media/shows/Pilot.mkv'] }, false],
    [{ text: 'what happens in shows, and in /media/shows?' }, true],
    [{ text: '/somewhere/else', page: 'https://example.org/heat' }, true],
  ])('an action with %j may name only what is within the scope', async (params, isWithin) => {
    expect(await hears(kids, { method: 'action.run', input: { params } })).toBe(isWithin);
  });

  test.each([
    [2000, true],
    [2001, false],
  ])('an action with %i different texts is delivered: %j', async (count, isHeard) => {
    const list = Array.from({ length: count - 1 }, (_, at) => `text ${at}`);

    expect(await hears(kids, { method: 'action.run', input: { params: { list } } })).toBe(isHeard);
  });
});

/** A row for each method of filesystem plugins that takes one URI. */
const overUris = (verbs: string) =>
  verbs.split(' ').flatMap((verb): (readonly [string, object, boolean, boolean])[] => [
    [`filesystem.${verb}`, child, true, true],
    [`filesystem.${verb}`, other, false, false],
    [`filesystem.${verb}`, { uri: 'file:///a/new/library' }, false, false],
  ]);

describe('a capability', () => {
  const call = (granted: Narrowed, method: string, input: object, subject?: object) =>
    hears(granted, { method, input, subject });
  const paths = (...all: readonly string[]) => all.map((path) => ({ path }));

  const rows: readonly (readonly [string, object, boolean, boolean, object?])[] = [
    ...overUris('list read stat watch unwatch validate getLocalPath'),
    ['filesystem.getLocalPaths', { uris: [child.uri] }, true, true],
    ['filesystem.getLocalPaths', { uris: [child.uri, other.uri] }, false, false],
    ['indexer.index', { libraryId: 'films', files: paths('Heat.mkv') }, true, false],
    ['indexer.index', { libraryId: 'films', files: paths('Kids/Totoro.mkv') }, true, true],
    ['indexer.index', { libraryId: 'films', files: paths('Kids/../Heat.mkv') }, true, false],
    ['indexer.index', { libraryId: 'shows', files: paths('Kids/x.mkv') }, false, false],
    ['library.group', { libraryId: 'shows', files: [] }, false, false],
    ['library.group', { libraryId: 'films', files: paths('Kids/a', 'b') }, true, false],
    ['library.describe', { libraryType: 'movies' }, true, false, { libraryId: 'films' }],
    ['library.describe', { libraryType: 'movies' }, false, false, { libraryId: 'shows' }],
    ['library.describe', { libraryType: 'movies' }, false, false],
    ['indexer.search', { query: 'Heat' }, true, false, { itemId: 'heat' }],
    ['indexer.search', { query: 'Pilot' }, false, false, { itemId: 'pilot' }],
    ['probe.probe', { libraryId: 'films', files: [file, child] }, true, false],
    ['probe.probe', { libraryId: 'films', files: [other] }, false, false],
    ['probe.probe', { libraryId: '', files: [] }, true, true],
    ['probe.artwork', { file: child, index: 0 }, true, true],
    ['probe.artwork', { file: other, index: 0 }, false, false],
    ['notifier.deliver', { notification: { title: 'Films is full.' } }, false, false],
    ['job.run', { libraryId: 'films' }, true, false],
    ['job.run', { libraryId: 'shows' }, false, false],
    ['job.run', { libraryId: null }, true, true],
    ['no.method', {}, false, false],
    ['constructor', {}, false, false],
  ];

  test.each(rows.map(([method, input, ...verdicts]) => ({ method, input, verdicts })))(
    '$method $input',
    async ({ method, input, verdicts: [isInFilms, isInKids, subject] }) => {
      expect([
        await call(films, method, input, subject),
        await call(kids, method, input, subject),
      ]).toEqual([isInFilms, isInKids]);
    },
  );

  test('is not called about files with a grant of no library, or of a removed one', async () => {
    for (const granted of [nothing, stale]) {
      expect(await call(granted, 'filesystem.read', child)).toBe(false);
      expect(await call(granted, 'probe.artwork', { file: child })).toBe(false);
      expect(await call(granted, 'indexer.index', { libraryId: 'films', files: [] })).toBe(false);
      expect(await call(granted, 'job.run', { libraryId: 'films' })).toBe(false);
    }
  });
});

test('each rule belongs to a method, an event, a hook or a view', () => {
  expect(Object.keys(eventRules).sort()).toEqual([...eventNames].sort());
  expect(Object.keys(hookRules).sort()).toEqual([...hookNames].sort());
  expect(Object.keys(viewRules).sort()).toEqual([...viewNames].sort());
  expect(Object.keys(methodRules)).toContain('shutdown');
});

describe('a grant of libraries', () => {
  test.each<readonly [unknown, unknown]>([
    ['all', 'all'],
    [[], []],
    [[{ id: 'films' }], films],
    [[{ id: 'films', folders: ['/media/films/Kids'] }], kids],
    [[{ id: 'films', folders: ['/media//films/./Kids/'] }], kids],
    [[{ id: 'films', folders: ['file:///media/films/%4bids'] }], kids],
    [[{ id: 'films', folders: ['Kids', 'Kids/'] }], kids],
    // A path is not a URI: its text is the name of the folder.
    [
      [{ id: 'films', folders: ['%2E%2E'] }],
      [{ id: 'films', folders: ['file:///media/films/%252E%252E'] }],
    ],
    [
      [{ id: 'shows', folders: ['/old/shows/Für uns'] }],
      [{ id: 'shows', folders: ['file:///old/shows/F%C3%BCr%20uns'] }],
    ],
  ])('%j is accepted', async (picked, parsed) => {
    expect(await reach.parse(picked)).toEqual(parsed);
  });

  test.each<readonly [unknown, string]>([
    ['none', 'libraries must be "all" or a list'],
    [{ id: 'films' }, 'libraries must be "all" or a list'],
    [['films'], 'libraries[0] must be an object'],
    [[{ id: 'music' }], 'libraries[0].id: there is no library "music".'],
    [[{ id: '__proto__' }], 'there is no library "__proto__"'],
    [[{}], 'there is no library undefined'],
    [[{ id: 'films', folder: 'Kids' }], 'libraries[0] has "folder", which is neither'],
    [[{ id: 'films' }, { id: 'films', folders: ['Kids'] }], 'libraries names films twice'],
    [[{ id: 'films', folders: [] }], 'libraries[0].folders must name 1 to 100 folders'],
    [[{ id: 'films', folders: 'Kids' }], 'folders must name 1 to 100'],
    [[{ id: 'films', folders: [7] }], 'libraries[0].folders[0] must be a text'],
    [[{ id: 'films', folders: ['/media/films/../shows'] }], 'is not a folder; give its path'],
    [[{ id: 'films', folders: ['../shows'] }], 'is not a folder; give its path'],
    [[{ id: 'films', folders: ['file:///media/films/%2e%2e/shows'] }], 'is not a folder'],
    [[{ id: 'films', folders: ['/media/shows/Kids'] }], 'is in no root of Films; its roots are'],
    [[{ id: 'films', folders: ['/media/films2'] }], 'is in no root of Films'],
    [[{ id: 'films', folders: ['/MEDIA/films/Kids'] }], 'is in no root of Films'],
    [[{ id: 'shows', folders: ['Kids'] }], 'could be in several roots'],
    [
      [{ id: 'shows' }, { id: 'films', folders: ['Kids', 'Kidz'] }],
      'libraries[1].folders: file:///media/films/Kidz is not a folder of Films that can be granted. The file or folder does not exist.',
    ],
    [[{ id: 'films', folders: ['Heat.mkv'] }], 'The path is a file.'],
  ])('%j is refused, and the error says what is wrong', async (picked, why) => {
    await expect(reach.parse(picked)).rejects.toThrow(why);
  });

  test('is shown with the names that libraries have now, and with what is withheld', () => {
    expect(reach.show('all')).toEqual({ libraries: 'all', withheld: [], places: null });
    expect(reach.show([...kids, { id: 'gone' }])).toEqual({
      libraries: [
        { ...kids[0], name: 'Films' },
        { id: 'gone', name: null },
      ],
      withheld: [{ id: 'shows', name: 'Shows' }],
      places: 'Films (only the folder Kids) and a library that was removed',
    });
    expect(reach.show([]).places).toBe('no library');
  });
});

test('a dry run names the library that is missing, and the folders that are not enough', () => {
  const lack = (granted: Narrowed, call: string, subject: string | null) =>
    reach.lack(granted, { call, subject });

  expect(lack(films, 'fs.read', 'file:///media/films')).toBeNull();
  expect(lack(films, 'fs.read', 'file:///media/shows')).toBe('the library Shows is not granted');
  expect(lack(kids, 'fs.read', 'file:///media/films')).toBe(
    'only Films (only the folder Kids) is granted',
  );
  expect(lack(films, 'disk.read', '/media/shows')).toBe('the library Shows is not granted');
  expect(lack(films, 'library.reconcile', 'shows')).toBe('the library Shows is not granted');
  expect(lack(kids, 'library.get', 'films')).toBeNull();
  expect(lack(films, 'jobs.enqueue', 'scan')).toBeNull();
});

test('the roots on the disk are those of granted libraries, or folders of them', () => {
  const roots = libraries.flatMap((one) => one.roots);

  expect(reach.rootsWithin('all', roots)).toEqual(roots);
  expect(reach.rootsWithin(films, roots)).toEqual(['file:///media/films']);
  expect(reach.rootsWithin(kids, roots)).toEqual(['file:///media/films/Kids']);
  expect(reach.rootsWithin(stale, roots)).toEqual([]);
});
