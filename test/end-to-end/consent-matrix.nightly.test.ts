/**
 * One plugin that declares every capability, every subscription and every permission, on a server as it
 * is. What it learns is looked at in five states: before consent, with nothing granted, with everything
 * granted, narrowed to one library, and for a person who may see one library.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventNames,
  hookNames,
  viewNames,
  type Permissions,
  type ViewName,
} from '../../plugin-api/index.ts';
import { outgoingRules } from '../../src/plugins/scopes/outgoing-rules.ts';
import { writePlugin } from '../faults/write-plugin.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { firstScansOver, noJobs } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const id = 'everything';
const at = `/api/plugins/${id}`;
const hostMethods = Object.keys(outgoingRules);
/** Methods that need no power: they give what is the plugin's own. */
const powerless = new Set(['config.get', 'config.ofProfile']);
/** Services that compute from their input alone; here they are given nothing. */
const computing = /^crypto\./;

const definition = `
  events: Object.fromEntries(${JSON.stringify([...eventNames, 'plugin.teller.told'])}.map((name) => [
    name, (event) => void heard.push({ way: 'event', name, told: event }),
  ])),
  hooks: Object.fromEntries(${JSON.stringify(hookNames)}.map((name) => [
    name, (input) => { heard.push({ way: 'hook', name, told: input }); return null; },
  ])),
  views: Object.fromEntries(${JSON.stringify(viewNames)}.map((name) => [
    name, (context) => { heard.push({ way: 'view', name, told: context }); return []; },
  ])),
  methods: Object.fromEntries([
    'indexer.supports', 'indexer.index', 'probe.probe', 'library.describe', 'library.group',
    'search.query', 'search.index', 'license.status', 'job.run', 'filesystem.list',
  ].map((name) => [name, (input) => {
    heard.push({ way: 'call', name, told: input });
    if (name === 'job.run') return { done: true };
    throw new Error('It has nothing to say.');
  }])),
  actions: {
    heard: () => heard.splice(0),
    // The input is disguised, so that nothing stops it before the host does.
    call: ({ service, method, disguised }, host) =>
      host[service][method](JSON.parse([...disguised].reverse().join(""))).then(
        (value) => ({ ok: true, value: value instanceof Uint8Array ? 'bytes' : value }),
        (error) => ({ ok: false, code: error.code }),
      ),
    viewer: (_, host) => host.viewer,
  },
};
const heard = [];
console.log('top level');
void {`;

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
interface Item {
  readonly id: string;
  readonly title: string;
}

const names = ['Films', 'Shows', 'Vault'] as const;
type Name = (typeof names)[number];

let data: string;
let server: TestServer;
let asked: Permissions;
let childToken: string;
const trees = new Map<Name, MediaTree>();
const libraryIds = new Map<string, string>();
/** They are looked up while no library is hidden. */
const firstItems = new Map<Name, Item>();
const libraryId = (name: Name): string => libraryIds.get(name) ?? '';
let round = 0;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  for (const name of names) trees.set(name, await createMediaTree([`First ${name} (2001).mkv`]));
  await writePlugin(data, {
    id,
    permissions: {
      ...{ net: ['a.example'], files: 'read', disk: 'read', library: 'write', metadata: 'write' },
      ...{ kv: { quotaMb: 1 }, textIndex: true, events: 'emit', eventLog: true, secrets: true },
      ...{ notifications: true, jobs: ['scan', 'everything.run'], schedule: true, wasm: true },
      calls: ['facts:year'],
      viewing: 'write',
    },
    subscriptions: {
      events: ['*.*', '*.*.*'],
      hooks: hookNames.map((name) => ({ name })),
      views: viewNames,
    },
    actions: ['heard', 'call', 'viewer'],
    capabilities: ['filesystem', 'library', 'probe', 'indexer', 'search', 'license', 'transcode'],
    capabilityConfig: {
      filesystem: {
        supportsWatch: false,
        supportsLocalFileAccess: false,
        supportsWrite: false,
        schemes: ['file', 'everything'],
      },
      probe: { extensions: ['mkv'] },
      indexer: { stages: ['name', 'full'] },
      jobs: { runs: ['scan'] },
    },
    further: {
      mediaTypes: ['movies'],
      actions: [
        { name: 'heard', access: 'admin' },
        { name: 'call', access: 'user' },
        { name: 'viewer', access: 'user' },
      ],
    },
    definition,
  });
  await writePlugin(data, {
    id: 'teller',
    permissions: { events: 'emit' },
    actions: ['tell'],
    definition: `
      actions: {
        tell: ({ text }, host) => host.events.emit({
          type: 'plugin.teller.told', data: { said: [...text].reverse().join(' ') },
        }),
      },
    `,
  });
  server = await startServer({
    data,
    args: names.flatMap((name) => ['--library', `movies:${name}:${trees.get(name)?.path ?? ''}`]),
  });
  const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
    '/api/libraries',
  );
  for (const one of libraries) libraryIds.set(one.name, one.id);
  await firstScansOver(server);
  for (const name of names) firstItems.set(name, await findItem(name));
  await server.request('POST', '/api/users', {
    name: 'kid',
    password: 'correct horse battery',
    libraryAccess: [{ libraryId: libraryId('Films') }],
  });
  const login = await server.request('POST', '/api/auth/login', {
    name: 'kid',
    password: 'correct horse battery',
  });
  childToken = (login.body as { sessionToken: string }).sessionToken;
});

afterAll(async () => {
  await server.stop();
  await Promise.all([...trees.values()].map((tree) => tree.remove()));
  await rm(data, { recursive: true });
});

const quiet = (): Promise<void> => noJobs(server);

function itemOf(name: Name): Item {
  const item = firstItems.get(name);
  if (!item) throw new Error(`${name} is empty.`);
  return item;
}

async function findItem(name: Name): Promise<Item> {
  const { items } = await server.get<{ items: readonly Item[] }>(
    `/api/items?libraryId=${libraryId(name)}`,
  );
  const [item] = items;
  if (!item) throw new Error(`${name} is empty.`);
  return item;
}

/** The events that it has heard when it hears of a playback: each plugin hears them in their order. */
async function whatItHearsUpToAPlayback(): Promise<readonly string[]> {
  const watched = { completed: false, position: 1, duration: 10 };
  await server.request('PUT', `/api/items/${itemOf('Films').id}/playback`, watched);
  const heard: string[] = [];
  await until('it hears of the playback', async () => {
    heard.push(...(await whatItHeard()).map(({ told }) => JSON.stringify(told)));
    return heard.some((event) => event.includes('playback.progress'));
  });
  return heard;
}

/** What people and the server do with libraries: new files, scans, a search, playbacks, views. */
async function live(...lived: readonly Name[]): Promise<void> {
  round += 1;
  for (const name of lived) {
    await trees.get(name)?.write(`Round ${round} of ${name} (2010).mkv`);
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: libraryId(name) });
  }
  await quiet();
  await server.get(`/api/search?q=round`);
  for (const name of lived) {
    const { id: itemId } = itemOf(name);
    const watched = { completed: false, position: 1, duration: 10 };
    await server.request('PUT', `/api/items/${itemId}/playback`, watched);
    const contexts: Readonly<Record<ViewName, object>> = {
      'ui.item.detail.actions': { itemId, libraryType: 'movies' },
      'ui.item.detail.panels': { itemId, libraryType: 'movies' },
      'ui.library.header.actions': { libraryId: libraryId(name) },
      'ui.player.overlays': { itemId, sessionId: 's' },
      'ui.home.sections': {},
      'ui.shell': {},
      'ui.settings.sections': {},
    };
    for (const [slot, context] of Object.entries(contexts)) {
      const given = encodeURIComponent(JSON.stringify(context));
      // Of a hidden item there is no view.
      await server.request('GET', `/api/plugins/views/${slot}?context=${given}`);
    }
  }
}

async function grant(granted: object, libraries?: readonly Name[]): Promise<void> {
  const picked = libraries?.map((name) => ({ id: libraryId(name) }));
  const reply = await server.request('PUT', `${at}/permissions`, {
    granted,
    libraries: picked ?? 'all',
  });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  await until('it runs', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>(at);
    return plugin.state === 'running';
  });
  await act('heard');
}

async function grantTeller(places: readonly Name[] | 'all'): Promise<void> {
  const { asked } = await server.get<{ asked: object }>('/api/plugins/teller/permissions');
  const libraries = places === 'all' ? 'all' : places.map((name) => ({ id: libraryId(name) }));
  const body = { granted: asked, libraries };
  const reply = await server.request('PUT', '/api/plugins/teller/permissions', body);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  await until('it runs', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>('/api/plugins/teller');
    return plugin.state === 'running';
  });
}

async function act(action: string, params: object = {}): Promise<unknown> {
  const reply = await server.request('POST', `${at}/actions/${action}`, params);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return (reply.body as { result: unknown }).result;
}

const whatItHeard = async (): Promise<readonly Heard[]> => (await act('heard')) as Heard[];

const disguise = (input: object): string => Array.from(JSON.stringify(input)).reverse().join('');

const attempt = async (name: string, input: object = {}): Promise<Tried> => {
  const [service, method] = name.split('.');
  return (await act('call', { service, method, disguised: disguise(input) })) as Tried;
};

/** The same as the child, who sees Films alone. */
async function asChild(action: string, params: object) {
  const response = await fetch(`${server.url}${at}/actions/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${childToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  const body = (await response.json()) as { readonly result?: Tried };
  return { status: response.status, result: body.result };
}

const ways = (heard: readonly Heard[]) => new Set(heard.map(({ way }) => way));

describe('before consent', () => {
  test('the plugin learns nothing: nothing of it runs, not even its top level', async () => {
    await live(...names);

    const { skipped } = await server.get<{ skipped: readonly object[] }>('/api/plugins');
    const { lines } = await server.get<{ lines: readonly object[] }>(`${at}/logs`);
    const { usage } = await server.get<{ usage: { calls: number; hostCalls: number } }>(
      `${at}/usage`,
    );
    const action = await server.request('POST', `${at}/actions/heard`, {});

    expect(skipped).toContainEqual(expect.objectContaining({ id, reason: 'permissions-pending' }));
    expect(lines).toEqual([]);
    expect(usage).toMatchObject({ calls: 0, hostCalls: 0 });
    expect(action.status).not.toBe(200);
  });

  test('an admin reads a sentence for each power that it asks for', async () => {
    const shown = await server.get<{
      asked: Permissions;
      granted: null;
      sentences: readonly { permission: string; sentence: string }[];
      interface: string;
    }>(`${at}/permissions`);
    asked = shown.asked;

    expect(shown.granted).toBeNull();
    expect(shown.sentences.map(({ permission }) => permission).sort()).toEqual(
      Object.keys(asked).sort(),
    );
    expect(Object.keys(asked)).toEqual(expect.arrayContaining(['serves', 'hears', 'hooks']));
    expect(shown.interface).toMatch(/^It adds .*It offers 3 actions/);
  });
});

describe('with nothing granted', () => {
  test('it hears no event and no hook, and is asked for nothing that it could serve', async () => {
    await grant({});
    await live(...names);

    expect([...ways(await whatItHeard())]).toEqual(['view']);
  });

  test.each(hostMethods)('host.%s is denied, or gives what is its own', async (name) => {
    const tried = await attempt(name);

    if (computing.test(name)) expect(tried).toEqual({ ok: false, code: 'invalid_argument' });
    else
      expect(tried).toEqual(powerless.has(name) ? expect.objectContaining({ ok: true }) : denied);
  });
});

const denied = { ok: false, code: 'permission_denied' };

describe('with everything granted', () => {
  test('it hears what happens, but nothing of a hidden library', async () => {
    await server.request('PATCH', `/api/libraries/${libraryId('Vault')}`, { hidden: true });
    await grant(asked);
    await live(...names);

    const events = (await whatItHeard()).filter(({ way }) => way === 'event');
    const text = JSON.stringify(events);
    expect(text).toContain(libraryId('Films'));
    expect(text).toContain(libraryId('Shows'));
    expect(text).toContain(itemOf('Films').id);
    for (const secret of [libraryId('Vault'), itemOf('Vault').id, 'of Vault'])
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
  });

  test('pages of changes and the event log hold nothing of a hidden library', async () => {
    for (const [name, input] of [
      ['library.changes', { seq: 0, limit: 500 }],
      ['eventLog.read', { limit: 500 }],
    ] as const) {
      const text = JSON.stringify(await attempt(name, input));
      expect(text).toContain('"ok":true');
      expect([name, text.includes(libraryId('Vault')), text.includes('of Vault')]).toEqual([
        name,
        false,
        false,
      ]);
    }
  });

  test.each<readonly [readonly Name[] | 'all', boolean]>([
    ['all', false],
    [['Films', 'Vault'], false],
    [['Films', 'Shows'], true],
  ])(
    'an event of a plugin of %j reaches one that may not know a hidden library: %j',
    async (places, isHeard) => {
      await grantTeller(places);
      await act('heard');

      const told = await server.request('POST', '/api/plugins/teller/actions/tell', {
        text: 'of a library that is kept secret',
      });
      const heard = await whatItHearsUpToAPlayback();

      expect(told.status).toBe(200);
      expect(heard.filter((event) => event.includes('plugin.teller.told'))).toHaveLength(
        isHeard ? 1 : 0,
      );
    },
  );

  test('it serves nothing that a part of the server serves', async () => {
    const { providers } = await server.get<{
      providers: readonly { key: string; pluginId: string }[];
    }>('/api/plugins/providers');
    const servedByIt = providers.filter(({ pluginId }) => pluginId === id).map(({ key }) => key);

    expect(servedByIt.sort()).toEqual(['filesystem:everything', 'job:everything.run']);
  });

  test.each(hostMethods)('host.%s is not denied for want of a power', async (name) => {
    const tried = await attempt(name);

    // An empty input names no file and no library, which is beyond every reach.
    expect(tried.code === 'permission_denied' && tried.ok).toBe(false);
    expect(['invalid_argument', 'not_found', 'permission_denied', undefined]).toContain(tried.code);
  });
});

describe('narrowed to one library', () => {
  test('it hears of that library alone, and may touch that alone', async () => {
    await grant(asked, ['Films']);
    await live(...names);
    const heard = await whatItHeard();
    const text = JSON.stringify(heard);

    expect(text).toContain(libraryId('Films'));
    for (const other of ['Shows', 'Vault'] as const) {
      expect([other, text.includes(libraryId(other))]).toEqual([other, false]);
      const { id: itemId } = itemOf(other);
      expect(await attempt('library.item', { itemId })).toEqual(denied);
      expect(await attempt('library.get', { libraryId: libraryId(other) })).toEqual(denied);
    }
    expect(await attempt('library.get', { libraryId: libraryId('Films') })).toMatchObject({
      ok: true,
    });
  });

  test('it hears of a hidden library that its grant names', async () => {
    await grant(asked, ['Vault']);
    await live('Vault');

    expect(JSON.stringify(await whatItHeard())).toContain(libraryId('Vault'));
  });
});

describe('for a person who may see one library', () => {
  test('the handler acts with what that person may see, and is told no name or id', async () => {
    await grant(asked);
    const [own, other] = [itemOf('Films'), itemOf('Shows')];
    const item = (itemId: string) => ({
      service: 'library',
      method: 'item',
      disguised: disguise({ itemId }),
    });

    expect(await asChild('call', item(own.id))).toMatchObject({
      status: 200,
      result: { ok: true },
    });
    expect((await asChild('call', item(other.id))).result).toEqual(denied);
    expect((await asChild('call', { ...item(other.id), itemId: other.id })).status).toBe(404);
    expect((await asChild('heard', {})).status).toBe(403);
    const { result } = await asChild('viewer', {});
    expect(Object.keys(result ?? {}).sort()).toEqual(['locale', 'profile', 'role']);
    expect(JSON.stringify(result)).not.toContain('kid');
  });
});
