/**
 * A stranger's plugin that asks for everything and is narrowed to one of two libraries, on a server as
 * it is: every way by which it could learn of the other one, or touch it, is tried.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventNames, hookNames, viewNames } from '../../plugin-api/index.ts';
import { writePlugin } from '../faults/write-plugin.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { firstScansOver, noJobs } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const id = 'stranger';

const permissions = {
  files: 'read',
  disk: 'read',
  library: 'write',
  metadata: 'write',
  eventLog: true,
  jobs: ['refresh', 'errand', 'scan'],
  secrets: true,
};

/** It keeps all that it is told, word for word, and does as it is bidden. */
const definition = `
  events: Object.fromEntries(${JSON.stringify(eventNames)}.map((name) => [
    name, (event) => void heard.push({ way: 'event', name, told: event }),
  ])),
  hooks: Object.fromEntries(${JSON.stringify(hookNames)}.map((name) => [
    name, (input) => { heard.push({ way: 'hook', name, told: input }); return null; },
  ])),
  views: Object.fromEntries(${JSON.stringify(viewNames)}.map((name) => [
    name,
    (context) => {
      heard.push({ way: 'view', name, told: context });
      return [{ type: 'action', slot: 'detail-actions', id: 'a', label: 'Steal', rpcMethod: 'heard' }];
    },
  ])),
  methods: {
    'indexer.supports': () => true,
    'indexer.index': (input) => {
      heard.push({ way: 'call', name: 'indexer.index', told: input });
      return { results: input.files.map(() => null) };
    },
    'indexer.search': (input) => {
      heard.push({ way: 'call', name: 'indexer.search', told: input });
      return { candidates: [] };
    },
    'probe.probe': (input) => {
      heard.push({ way: 'call', name: 'probe.probe', told: input });
      return { results: input.files.map(() => ({ kind: 'unsupported' })) };
    },
    'library.describe': (input) => {
      heard.push({ way: 'call', name: 'library.describe', told: input });
      return { extensions: ['mkv'] };
    },
    'library.group': (input) => {
      heard.push({ way: 'call', name: 'library.group', told: input });
      return { keys: input.files.map(({ path }) => path) };
    },
    'job.run': (input) => {
      heard.push({ way: 'call', name: 'job.run', told: input });
      return { done: true };
    },
    'eventLog.waiting': () => null,
  },
  actions: {
    heard: () => heard,
    call: ({ service, method, disguised }, host) =>
      host[service][method](JSON.parse([...disguised].reverse().join(""))).then(
        (value) => ({ ok: true, value: value instanceof Uint8Array ? 'bytes' : value }),
        (error) => ({ ok: false, code: error.code, message: error.message }),
      ),
  },
`;

interface Heard {
  readonly way: 'event' | 'hook' | 'view' | 'call';
  readonly name: string;
  readonly told: unknown;
}

interface Tried {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly code?: string;
}

interface Shown {
  readonly libraries: 'all' | readonly { id: string; name: string | null; folders?: string[] }[];
  readonly reach: { places: string | null; sentence: string; withheld: { name: string }[] };
  readonly sentences: readonly { permission: string; sentence: string }[];
}

let data: string;
let films: MediaTree;
let shows: MediaTree;
let server: TestServer;
const libraryIds = new Map<string, string>();
const libraryId = (name: string): string => libraryIds.get(name) ?? '';
const at = `/api/plugins/${id}`;
const serves = [
  'indexer',
  'probe:mkv',
  'library:movies',
  'filesystem:stranger-files',
  'job:errand',
  'job:scan',
];
const everything = {
  ...permissions,
  serves,
  hears: ['library', 'playback', 'pipeline', 'jobs', 'plugins', 'server'],
  hooks: hookNames,
};
/** All but the scans, which would be its own then. */
const granted = {
  ...everything,
  jobs: ['refresh', 'errand'],
  serves: serves.filter((key) => key !== 'job:scan'),
};

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  films = await createMediaTree(['Heat (1995).mkv', 'Kids/Totoro (1988).mkv']);
  shows = await createMediaTree(['Pilot (2001).mkv']);
  await writePlugin(data, {
    id,
    permissions,
    subscriptions: {
      events: ['*.*', '*.*.*'],
      hooks: hookNames.map((name) => ({ name })),
      views: viewNames,
    },
    actions: ['heard', 'call'],
    capabilities: ['indexer', 'probe', 'library', 'filesystem'],
    further: { mediaTypes: ['movies'] },
    capabilityConfig: {
      jobs: { runs: ['scan'] },
      indexer: { stages: ['name', 'full'] },
      probe: { extensions: ['mkv'] },
      filesystem: {
        supportsWatch: false,
        supportsLocalFileAccess: false,
        supportsWrite: false,
        schemes: ['stranger-files'],
      },
    },
    definition: `${definition} };\nconst heard = [];\nvoid {`,
  });
  server = await startServer({
    data,
    args: ['--library', `movies:Films:${films.path}`, '--library', `movies:Shows:${shows.path}`],
  });
  await learnLibraries();
  await firstScansOver(server);
  await grant({ granted, libraries: [{ id: libraryId('Films') }] });
  await until('it runs', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>(at);
    return plugin.state === 'running';
  });
  for (const key of ['probe:mkv', 'library:movies']) await choose(key);
});

afterAll(async () => {
  await server.stop();
  await Promise.all([films.remove(), shows.remove(), rm(data, { recursive: true })]);
});

async function learnLibraries(): Promise<void> {
  const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
    '/api/libraries',
  );
  for (const one of libraries) libraryIds.set(one.name, one.id);
}

async function grant(body: object): Promise<Shown> {
  const reply = await server.request('PUT', `${at}/permissions`, body);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return reply.body as Shown;
}

async function choose(key: string): Promise<void> {
  const route = `/api/plugins/providers/${encodeURIComponent(key)}`;
  const reply = await server.request('PUT', route, { pluginId: id });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
}

const quiet = (): Promise<void> => noJobs(server);

async function itemsOf(name: string): Promise<readonly { id: string; title: string }[]> {
  const { items } = await server.get<{ items: readonly { id: string; title: string }[] }>(
    `/api/items?libraryId=${libraryId(name)}`,
  );
  return items;
}

const itemOf = async (name: string, title: string): Promise<string> =>
  (await itemsOf(name)).find((item) => item.title === title)?.id ?? '';

async function act(method: string, params: object = {}): Promise<unknown> {
  const { body } = await server.request('POST', `${at}/actions/${method}`, params);
  return (body as { result: unknown }).result;
}

const disguise = (input: object): string => Array.from(JSON.stringify(input)).reverse().join('');

async function attempt(call: string, input: object): Promise<Tried> {
  const [service, method] = call.split('.');
  return (await act('call', { service, method, disguised: disguise(input) })) as Tried;
}

const refused = { ok: false, code: 'permission_denied' };
const uri = (tree: MediaTree, name = ''): string =>
  `file://${tree.path}${name === '' ? '' : `/${name.split('/').map(encodeURIComponent).join('/')}`}`;

/** Each call with what it is about in each of the libraries. */
const calls = async (): Promise<readonly (readonly [string, object, object])[]> => {
  const [heat, pilot] = [await itemOf('Films', 'Heat'), await itemOf('Shows', 'Pilot')];
  const [film, show] = [uri(films, 'Heat (1995).mkv'), uri(shows, 'Pilot (2001).mkv')];
  const range = { offset: 0, length: 4 };
  const page = { after: null, through: null, files: [], unreadable: [] };
  return [
    ['fs.list', { uri: uri(films) }, { uri: uri(shows) }],
    ['fs.list', { uri: uri(films) }, { uri: uri(films), ignoreFilesFrom: uri(shows) }],
    ['fs.stat', { uri: film }, { uri: show }],
    ['fs.stat', { uri: film }, { uri: `${uri(films)}/../${path.basename(shows.path)}` }],
    ['fs.read', { uri: film, ...range }, { uri: show, ...range }],
    [
      'fs.readRanges',
      { ranges: [{ uri: film, ...range }] },
      { ranges: [film, show].map((one) => ({ uri: one, ...range })) },
    ],
    ['disk.stat', { path: films.path }, { path: shows.path }],
    ['library.get', { libraryId: libraryId('Films') }, { libraryId: libraryId('Shows') }],
    ['library.item', { itemId: heat }, { itemId: pilot }],
    [
      'library.pages',
      { libraryId: libraryId('Films'), root: uri(films), after: null },
      { libraryId: libraryId('Shows'), root: uri(shows), after: null },
    ],
    [
      'library.reconcile',
      { libraryId: libraryId('Films'), root: `${uri(films)}/Nothing`, ...page },
      { libraryId: libraryId('Shows'), root: uri(shows), ...page },
    ],
    ['jobs.enqueue', { type: 'errand' }, { type: 'errand', libraryId: libraryId('Shows') }],
    ['jobs.enqueue', { type: 'errand' }, { type: 'refresh' }],
    [
      'secrets.create',
      { name: 'a', scope: { libraryId: libraryId('Films') } },
      { name: 'a', scope: { libraryId: libraryId('Shows') } },
    ],
  ];
};

describe('a plugin that was narrowed to one library', () => {
  test('may do there what it was granted, and the same nowhere else', async () => {
    for (const [call, granted, other] of await calls()) {
      const [own, foreign] = [await attempt(call, granted), await attempt(call, other)];
      expect([call, own.code !== 'permission_denied', foreign]).toMatchObject([
        call,
        true,
        refused,
      ]);
    }
    expect(await itemsOf('Shows')).toHaveLength(1);
  });

  test('receives nothing about the other: no event, hook, call or view', async () => {
    const followed = await attempt('eventLog.follow', { patterns: ['*.*', '*.*.*'] });
    await films.write('Ronin (1998).mkv');
    await shows.write('Finale (2009).mkv');
    for (const name of ['Films', 'Shows'])
      await server.request('POST', '/api/jobs', { type: 'scan', libraryId: libraryId(name) });
    await until('the new items are there', async () => {
      const all = [...(await itemsOf('Films')), ...(await itemsOf('Shows'))];
      return ['Ronin', 'Finale'].every((title) => all.some((item) => item.title === title));
    });
    await quiet();
    const [heat, pilot] = [await itemOf('Films', 'Heat'), await itemOf('Shows', 'Pilot')];
    for (const itemId of [heat, pilot]) {
      await server.request('PUT', `/api/items/${itemId}/playback`, { position: 1, duration: 9 });
      await server.request('PATCH', `/api/items/${itemId}`, { title: `${itemId} again` });
      await server.request('GET', `/api/items/${itemId}/matches?query=x`);
    }

    const views = await Promise.all(
      [heat, pilot].map(async (itemId) => {
        const context = encodeURIComponent(JSON.stringify({ itemId, libraryType: 'movies' }));
        const { body } = await server.request(
          'GET',
          `/api/plugins/views/ui.item.detail.actions?context=${context}`,
        );
        return JSON.stringify(body).includes('Steal');
      }),
    );
    await until('it has heard of the last change', async () =>
      JSON.stringify(await act('heard')).includes(`${heat} again`),
    );
    const heard = (await act('heard')) as readonly Heard[];
    const kept = await attempt('eventLog.read', { limit: 500 });
    const changes = await attempt('library.changes', { seq: 0, limit: 500 });

    expect(followed.ok).toBe(true);
    expect(views).toEqual([true, false]);
    const foreign = [libraryId('Shows'), shows.path, pilot, await itemOf('Shows', 'Finale')];
    for (const told of [heard, kept, changes])
      for (const word of [...foreign, 'Pilot', 'Finale'])
        expect(JSON.stringify(told)).not.toContain(word);
    expect(new Set(heard.map(({ way }) => way))).toEqual(
      new Set(['event', 'hook', 'call', 'view']),
    );
    for (const told of [heard, kept, changes])
      expect(JSON.stringify(told)).toContain(libraryId('Films'));
    const asked = new Set(heard.filter(({ way }) => way === 'call').map(({ name }) => name));
    expect([...asked]).toEqual(
      expect.arrayContaining(['indexer.index', 'probe.probe', 'library.describe', 'library.group']),
    );
  });

  test('runs the jobs of its library, and those of the other are left to who ran them before', async () => {
    await grant({ granted: everything });
    await choose('job:scan');
    await shows.write('Reunion (2020).mkv');
    for (const name of ['Films', 'Shows'])
      await server.request('POST', '/api/jobs', { type: 'scan', libraryId: libraryId(name) });
    await until('the other library is scanned', async () =>
      (await itemsOf('Shows')).some(({ title }) => title === 'Reunion'),
    );
    await quiet();
    await grant({ granted });

    const heard = (await act('heard')) as readonly Heard[];
    const run = heard.flatMap(({ name, told }) => (name === 'job.run' ? [told] : []));
    expect(run.filter((job) => (job as { type: string }).type === 'scan')).toMatchObject([
      { libraryId: libraryId('Films') },
    ]);
  });

  test('has its actions refused about an item of the other', async () => {
    const about = async (params: object) =>
      (await server.request('POST', `${at}/actions/heard`, params)).status;
    const [own] = await itemsOf('Films');
    const [other] = await itemsOf('Shows');

    for (const name of [(id = '') => ({ itemId: id }), (id = '') => ({ all: [{ one: id }] })])
      expect([await about(name(own?.id)), await about(name(other?.id))]).toEqual([200, 403]);
    expect(await about({ from: [uri(shows, 'Pilot (2001).mkv')] })).toBe(403);
  });

  test('has its refusals in its usage and in the audit log, and its grant as well', async () => {
    const { usage } = await server.get<{ usage: { refusals: readonly { call: string }[] } }>(
      `${at}/usage`,
    );
    const { entries } = await server.get<{ entries: readonly { details: object }[] }>(
      `/api/audit?action=plugin.granted&target=${id}`,
    );

    expect(usage.refusals.map(({ call }) => call)).toEqual(
      expect.arrayContaining(['fs.read', 'library.reconcile', 'jobs.enqueue']),
    );
    expect(entries[0]?.details).toMatchObject({ libraries: [{ id: libraryId('Films') }] });
  });

  test('would have been refused more, as a dry run tells, by a grant of a folder alone', async () => {
    const libraries = JSON.stringify([{ id: libraryId('Films'), folders: ['Kids'] }]);
    const { dryRun } = await server.get<{ dryRun: { entries: readonly { sentence: string }[] } }>(
      `${at}/permissions/dry-run?${new URLSearchParams({ libraries }).toString()}`,
    );

    expect(dryRun.entries.map(({ sentence }) => sentence).join(' ')).toContain(
      'would have been refused: only Films (only the folder Kids) is granted',
    );
  });
});

describe('a grant that is narrowed', () => {
  test.each([
    [[{ id: 'music' }], 'there is no library \\"music\\"'],
    [[{ id: 'Films', folders: ['../Shows'] }], 'is not a folder'],
    [[{ id: 'Films', folders: ['/etc'] }], 'is in no root of Films'],
    [[{ id: 'Films', folders: ['Kids', 'Kidz'] }], 'Kidz is not a folder of Films'],
    [[{ id: 'Films', folders: ['Heat (1995).mkv'] }], 'The path is a file'],
    ['none', 'libraries'],
  ])('to %j is refused, and stays as it was', async (picked, why) => {
    const before = await server.get(`${at}/permissions`);
    const libraries =
      typeof picked === 'string'
        ? picked
        : picked.map((one) => ({ ...one, id: libraryIds.get(one.id) ?? one.id }));

    const reply = await server.request('PUT', `${at}/permissions`, { granted: {}, libraries });

    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain(why);
    expect(await server.get(`${at}/permissions`)).toEqual(before);
  });

  test('is not to be had of a part of the server', async () => {
    const builtin = '/api/plugins/filesystem-local/permissions';
    const { asked } = await server.get<{ asked: object }>(builtin);

    const reply = await server.request('PUT', builtin, { granted: asked, libraries: [] });

    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain('part of the server');
  });

  test('to a folder gives that folder and says so', async () => {
    const shown = await grant({
      granted,
      libraries: [{ id: libraryId('Films'), folders: ['Kids/'] }],
    });
    const stat = (name: string) => attempt('fs.stat', { uri: uri(films, name) });

    expect(shown.reach).toMatchObject({
      places: 'Films (only the folder Kids)',
      withheld: [{ name: 'Shows' }],
    });
    expect(shown.sentences.find(({ permission }) => permission === 'files')?.sentence).toBe(
      'It can read the files of Films (only the folder Kids), and no others.',
    );
    expect(await stat('Kids/Totoro (1988).mkv')).toMatchObject({ ok: true });
    expect(await stat('Heat (1995).mkv')).toMatchObject(refused);
    expect(await attempt('fs.list', { uri: uri(films) })).toMatchObject(refused);
    expect(await attempt('library.get', { libraryId: libraryId('Films') })).toMatchObject({
      value: { roots: [uri(films, 'Kids')] },
    });
    const { value } = await attempt('library.changes', { seq: 0, limit: 500 });
    const { changes } = value as { changes: readonly { item: { title: string } }[] };
    expect(changes.map(({ item }) => item.title)).toEqual(['Totoro']);
  });

  test('never widens by itself: not by another grant, a new library, or a removed one', async () => {
    const again = await grant({ granted: { ...granted, jobs: undefined } });
    expect(again.reach.places).toBe('Films (only the folder Kids)');

    const roots = [path.join(films.path, 'Kids')];
    const made = await server.request('POST', '/api/libraries', {
      name: 'Children',
      type: 'movies',
      roots,
    });
    expect(made.status).toBe(201);
    await learnLibraries();
    const shown = await server.get<Shown>(`${at}/permissions`);
    expect(shown.reach.withheld.map(({ name }) => name).sort()).toEqual(['Children', 'Shows']);
    expect(await attempt('library.get', { libraryId: libraryId('Children') })).toMatchObject(
      refused,
    );

    await server.request('DELETE', `/api/libraries/${libraryId('Films')}`);
    const after = await server.get<Shown>(`${at}/permissions`);
    expect(after.libraries).toMatchObject([{ id: libraryId('Films'), name: null }]);
    // The folder is in another library now, which was not granted.
    expect(await attempt('fs.stat', { uri: uri(films, 'Kids/Totoro (1988).mkv') })).toMatchObject(
      refused,
    );
  });

  test('is all again when an admin says so', async () => {
    const shown = await grant({ granted, libraries: 'all' });

    expect(shown.libraries).toBe('all');
    expect(await attempt('fs.stat', { uri: uri(shows, 'Pilot (2001).mkv') })).toMatchObject({
      ok: true,
    });
  });
});
