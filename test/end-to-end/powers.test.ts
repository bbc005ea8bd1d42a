/**
 * The abuse of each power, on a server as it is: a stranger's plugin in an isolate of its own tries what
 * it was not granted, and more than it was granted. What it tried stands in its usage and in the audit log.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendJson, startHttpSource, type HttpSource } from '../support/servers/http-source.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const source = `
export default {
  hooks: {
    'pipeline.index.afterProcess': () => {
      console.log('sees an item');
      return { fields: { title: 'Stolen' } };
    },
  },
  events: { 'library.item.*': ({ data }) => console.log('hears ' + data.title) },
  methods: {
    'search.query': ({ q }) => {
      console.log('is asked ' + q);
      return { items: [], itemsTotal: 0, entities: [] };
    },
  },
  actions: {
    call: ({ service, method, input }, host) =>
      host[service][method](input).then(
        (value) => ({ ok: true, value: value instanceof Uint8Array ? 'bytes' : value }),
        (error) => ({ ok: false, code: error.code, message: error.message }),
      ),
    wasm: () => typeof WebAssembly,
    setTimes: async (_params, host) => {
      const codes = [];
      for (let n = 0; n < 101; n += 1)
        codes.push(
          await host.schedule.set({ name: 't' + n, at: Date.now() + 86400000 }).then(
            () => 'set',
            ({ code }) => code,
          ),
        );
      return codes;
    },
  },
};
`;

const everything = {
  net: ['*'],
  files: 'read',
  disk: 'read',
  library: 'write',
  viewing: 'write',
  metadata: 'write',
  kv: { quotaMb: 1 },
  textIndex: true,
  events: 'emit',
  eventLog: true,
  notifications: true,
  jobs: ['tidy'],
  calls: ['facts:year'],
  schedule: true,
  secrets: true,
  wasm: true,
};

/** What the manifest of the burglar asks for without saying so under `permissions`. */
const derived = {
  serves: ['filesystem:burglar-files', 'search', 'job:tidy'],
  hears: ['library'],
  hooks: ['pipeline.index.afterProcess'],
};

const value = 'k3y-of-the-burglar';

let data: string;
let tree: MediaTree;
let web: HttpSource;
let server: TestServer;
let libraryId: string;
const rootUri = (): string => `file://${tree.path}`;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  tree = await createMediaTree(['Winter (2001)/Winter (2001).mkv']);
  web = await startHttpSource(({ url, headers }, response) => {
    if (url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    else sendJson(response, headers, { 'set-cookie': 'session=1', 'x-echo': 'a' });
  });
  await addPlugin('poor');
  await addPlugin('burglar');
  await addPlugin('leech', {
    dependencies: { burglar: '>=1.0.0' },
    permissions: {},
    capabilities: [],
    capabilityConfig: {},
    subscriptions: {},
  });
  server = await startServer({
    data,
    args: ['--net-allow', web.host, '--library', `movies:Films:${tree.path}`],
  });
  const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
    '/api/libraries',
  );
  libraryId = libraries[0]?.id ?? '';
  await grant('poor', {});
  await grant('burglar', {
    ...everything,
    net: [web.host, '10.0.0.1', '[::1]', 'metadata.google.internal'],
    library: 'read',
    viewing: 'read',
    kv: { quotaMb: 0.01 },
    metadata: undefined,
    wasm: undefined,
    ...derived,
  });
  await grant('leech', {});
});

afterAll(async () => {
  await server.stop();
  await Promise.all([web.close(), tree.remove(), rm(data, { recursive: true })]);
});

async function addPlugin(id: string, manifest: object = {}): Promise<void> {
  const folder = path.join(data, 'plugins', id);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'index.js'), source);
  await writeFile(
    path.join(folder, 'manifest.json'),
    JSON.stringify({
      manifestVersion: 1,
      id,
      name: id,
      version: '1.0.0',
      description: 'Tries what it may not.',
      author: 'A burglar',
      license: 'MIT',
      main: 'index.js',
      minVersion: '>=0.1.0',
      capabilities: ['filesystem', 'search'],
      capabilityConfig: {
        filesystem: {
          supportsWatch: false,
          supportsLocalFileAccess: true,
          supportsWrite: false,
          schemes: [`${id}-files`],
        },
      },
      mediaTypes: [],
      permissions: everything,
      subscriptions: {
        hooks: [{ name: 'pipeline.index.afterProcess' }],
        events: ['library.item.*'],
      },
      actions: ['call', 'wasm', 'setTimes'],
      ...manifest,
    }),
  );
}

async function grant(id: string, granted: object): Promise<void> {
  const reply = await server.request('PUT', `/api/plugins/${id}/permissions`, { granted });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  await until(`${id} runs`, async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>(`/api/plugins/${id}`);
    return plugin.state === 'running';
  });
}

async function act(id: string, action: string, params: object = {}): Promise<unknown> {
  const { status, body } = await server.request(
    'POST',
    `/api/plugins/${id}/actions/${action}`,
    params,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { readonly result: unknown }).result;
}

interface Tried {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly code?: string;
  readonly message?: string;
}

const attempt = async (id: string, call: string, input: object): Promise<Tried> => {
  const [service, method] = call.split('.');
  return (await act(id, 'call', { service, method, input })) as Tried;
};

/** Of each power that is used by a call: one call, and what it is given. */
const calls = (): readonly (readonly [power: string, call: string, input: object])[] => [
  ['net', 'net.fetch', { url: `${web.url}/` }],
  ['files', 'fs.list', { uri: rootUri() }],
  ['disk', 'disk.stat', { path: tree.path }],
  ['library', 'library.changes', { seq: 0, limit: 1 }],
  ['viewing', 'viewing.lists', {}],
  ['kv', 'kv.get', { key: 'a' }],
  ['textIndex', 'textIndex.size', {}],
  ['events', 'events.emit', { type: 'plugin.poor.done', data: {} }],
  ['eventLog', 'eventLog.read', {}],
  ['notifications', 'notifications.tell', { level: 'info', title: 'a' }],
  ['jobs', 'jobs.enqueue', { type: 'tidy' }],
  ['calls', 'plugins.call', { plugin: 'facts', method: 'year' }],
  ['schedule', 'schedule.list', {}],
  ['secrets', 'secrets.list', {}],
];

describe('a power that was not granted', () => {
  test('gives nothing, although the manifest asks for it', async () => {
    for (const [power, call, input] of calls()) {
      const tried = await attempt('poor', call, input);
      expect([power, tried]).toEqual([
        power,
        { ok: false, code: 'permission_denied', message: expect.stringContaining(power) },
      ]);
    }
    expect(await act('poor', 'wasm')).toBe('undefined');
    expect(web.requests).toEqual([]);
  });

  test('serves, hears, hooks: leaves a plugin unasked and untold', async () => {
    await refreshAll();
    await server.get('/api/search?q=winter');

    expect(await saidBy('poor')).toEqual([]);
  });

  test('is not had through a plugin that is needed and has it', async () => {
    for (const [power, call, input] of calls()) {
      expect([power, (await attempt('leech', call, input)).code]).toEqual([
        power,
        'permission_denied',
      ]);
    }
    const { asked, granted } = await server.get<{ asked: object; granted: object }>(
      '/api/plugins/leech/permissions',
    );
    expect({ asked, granted }).toEqual({ asked: {}, granted: {} });
  });

  test('is noted with each use of it that was refused', async () => {
    const { usage } = await server.get<{ usage: Usage }>('/api/plugins/poor/usage');

    for (const [power, call] of calls()) {
      expect(usage.powers).toContainEqual({ permission: power, uses: 1, refused: 1 });
      expect(usage.refusals).toContainEqual(
        expect.objectContaining({ call, permission: power, code: 'permission_denied', count: 1 }),
      );
    }
    expect(usage.refusals).toContainEqual(
      expect.objectContaining({ call: 'net.fetch', subject: web.host }),
    );
    expect(usage.refusedCalls).toBe(calls().length);
    expect(usage.chart.some(({ refused }) => refused > 0)).toBe(true);
  });

  test('stands in the audit log, which names the plugin and the call', async () => {
    const { entries } = await server.get<{ entries: readonly object[] }>(
      '/api/audit?action=plugin.refused&target=poor',
    );

    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ userId: 'server' }),
        target: { type: 'plugin', id: 'poor' },
        details: expect.objectContaining({ call: 'net.fetch', code: 'permission_denied' }),
      }),
    );
    // Ten at once, and the rest of the hour together.
    expect(entries).toHaveLength(10);
  });
});

interface Usage {
  readonly powers: readonly object[];
  readonly refusals: readonly object[];
  readonly quotas: readonly { readonly quota: string; readonly limit: number | null }[];
  readonly refusedCalls: number;
  readonly chart: readonly { readonly refused: number }[];
}

const saidBy = async (id: string): Promise<readonly string[]> => {
  const { lines } = await server.get<{ lines: readonly { text: string }[] }>(
    `/api/plugins/${id}/logs`,
  );
  return lines.map(({ text }) => text).filter((text) => /^(sees|hears|is asked)/.test(text));
};

interface Film {
  readonly id: string;
  readonly title: string;
}
const films = async () => (await server.get<{ items: readonly Film[] }>('/api/items')).items;

/** Reads the film in again, through all hooks. */
async function refreshAll(): Promise<void> {
  const [film] = await films();
  await server.request('POST', `/api/items/${film?.id ?? ''}/refresh`, {});
  await until('it is refreshed', async () => {
    const { jobs } = await server.get<{ jobs: readonly { type: string; status: string }[] }>(
      '/api/jobs',
    );
    return (
      jobs.some(({ type }) => type === 'refresh') &&
      jobs.every(({ status }) => status === 'completed')
    );
  });
}

describe('a power that was granted', () => {
  test('hears: gives the events of its group, and no others', async () => {
    const [film] = await films();
    const rename = (title: string) =>
      server.request('PATCH', `/api/items/${film?.id ?? ''}`, { title });

    await rename('Summer');
    await until('it heard', async () => (await saidBy('burglar')).includes('hears Summer'));
    await rename('Winter');

    expect(await saidBy('poor')).toEqual([]);
  });

  test('serves: is not asked while a part of the server answers for the key', async () => {
    await server.get('/api/search?q=winter');

    expect(await saidBy('burglar')).not.toContain('is asked winter');
    const { providers } = await server.get<{ providers: readonly object[] }>(
      '/api/plugins/providers',
    );
    expect(providers).toContainEqual(
      expect.objectContaining({ key: 'search', pluginId: 'search', chosen: false }),
    );
  });

  test('metadata: what a hook answers without it changes nothing', async () => {
    await refreshAll();

    expect((await films()).map(({ title }) => title)).toEqual(['Winter']);
  });

  test.each<[power: string, call: string, input: () => object, code: string]>([
    ['net', 'net.fetch', () => ({ url: 'https://example.org/' }), 'permission_denied'],
    ['net', 'net.fetch', () => ({ url: 'https://10.0.0.1/' }), 'net_refused'],
    ['net', 'net.fetch', () => ({ url: 'https://[::1]/' }), 'net_refused'],
    ['net', 'net.fetch', () => ({ url: `${web.url}/away` }), 'permission_denied'],
    ['files', 'fs.read', () => range('file:///etc/passwd'), 'permission_denied'],
    ['files', 'fs.read', () => range(`${rootUri()}/%2e%2e/%2e%2e/etc/passwd`), 'invalid_argument'],
    ['disk', 'disk.stat', () => ({ path: '/etc/passwd' }), 'outside_root'],
    ['disk', 'disk.stat', () => ({ path: `${tree.path}/../..` }), 'invalid_argument'],
    ['library', 'library.reconcile', () => page(), 'permission_denied'],
    ['viewing', 'viewing.watched', () => ({ id: 'a', watched: true }), 'permission_denied'],
    ['kv', 'kv.set', () => ({ key: 'a', value: 'x'.repeat(20_000) }), 'quota_exceeded'],
    ['textIndex', 'textIndex.put', () => ({ documents: [text(100_001)] }), 'invalid_argument'],
    ['events', 'events.emit', () => event('library.item.added'), 'invalid_argument'],
    ['events', 'events.emit', () => event('plugin.poor.done'), 'invalid_argument'],
    ['eventLog', 'eventLog.read', () => ({ limit: 501 }), 'invalid_argument'],
    ['notifications', 'notifications.tell', () => notice(301), 'invalid_argument'],
    ['jobs', 'jobs.enqueue', () => ({ type: 'scan', libraryId }), 'permission_denied'],
    ['calls', 'plugins.call', () => ({ plugin: 'facts', method: 'all' }), 'permission_denied'],
    ['schedule', 'schedule.set', () => ({ name: 'a', at: 1e15 }), 'invalid_argument'],
    ['secrets', 'secrets.sign', () => ({ name: 'others', messages: ['a'] }), 'not_found'],
  ])('%s: host.%s gives no more than that', async (_power, call, input, code) => {
    expect(await attempt('burglar', call, input())).toMatchObject({ ok: false, code });
  });

  const range = (uri: string) => ({ uri, offset: 0, length: 10 });
  const page = () => ({
    libraryId,
    root: rootUri(),
    after: null,
    through: null,
    files: [],
    unreadable: [],
  });
  const text = (length: number) => ({
    id: 'a',
    scope: 'a',
    kind: 'a',
    title: 'a',
    body: 'x'.repeat(length),
  });
  const notice = (length: number) => ({ level: 'info', title: 'x'.repeat(length) });
  const event = (type: string) => ({ type, data: {} });

  test('net: shares no cookie between two requests', async () => {
    await attempt('burglar', 'net.fetch', { url: `${web.url}/one`, maxAge: 0 });
    const { value: reply } = await attempt('burglar', 'net.fetch', {
      url: `${web.url}/two`,
      maxAge: 0,
    });

    expect(web.requests.at(-1)?.headers).not.toHaveProperty('cookie');
    expect((reply as { readonly headers: object }).headers).not.toHaveProperty('set-cookie');
  });

  test('schedule: holds no more times than a plugin may have', async () => {
    const codes = (await act('burglar', 'setTimes')) as readonly string[];

    expect(codes.filter((code) => code === 'set')).toHaveLength(100);
    expect(codes.at(-1)).toBe('quota_exceeded');
  });

  test('has its limits, and what is used of each, in the usage', async () => {
    const { usage } = await server.get<{ usage: Usage }>('/api/plugins/burglar/usage');

    const limits = Object.fromEntries(usage.quotas.map(({ quota, limit }) => [quota, limit]));
    expect(limits).toEqual({
      memory: 64 * 1_048_576,
      processMemory: (160 + 4 * 64) * 1_048_576,
      cpu: 500,
      hostCalls: 60_000,
      hostBytes: 2048 * 1_048_576,
      eventQueue: 1000,
      kv: 10_000,
      textIndex: 512_000_000,
      package: 50 * 1_048_576,
      disk: 10_000 + 512_000_000 + 50 * 1_048_576,
      log: 1000,
    });
    expect(usage.chart).toHaveLength(60);
  });
});

describe('a dry run', () => {
  const dryRun = async (query: Readonly<Record<string, string>>) =>
    server.request(
      'GET',
      `/api/plugins/burglar/permissions/dry-run?${new URLSearchParams(query).toString()}`,
    );

  test('says which calls of the last run a narrower grant would have refused', async () => {
    const granted = JSON.stringify({ net: ['10.0.0.1'], kv: { quotaMb: 0.01 } });

    const { status, body } = await dryRun({ granted });

    expect(status).toBe(200);
    const { entries, wouldBeRefused } = (body as { dryRun: DryRun }).dryRun;
    expect(wouldBeRefused).toBeGreaterThan(0);
    expect(entries).toContainEqual(
      expect.objectContaining({
        call: 'net.fetch',
        subject: web.host,
        wouldBeRefused: true,
        sentence: expect.stringContaining(`${web.host} is not one of the hosts 10.0.0.1`),
      }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ call: 'schedule.set', wouldBeRefused: true }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ call: 'kv.set', wouldBeRefused: false }),
    );
  });

  test('changes nothing', async () => {
    const before = await server.get('/api/plugins/burglar/permissions');
    await dryRun({ granted: '{}' });

    expect(await server.get('/api/plugins/burglar/permissions')).toEqual(before);
    expect(await attempt('burglar', 'kv.get', { key: 'a' })).toMatchObject({ ok: true });
  });

  test.each([
    [{ granted: '{' }, 400, 'is not JSON'],
    [{ granted: '{"root":true}' }, 400, 'root'],
    [{ version: '9.9.9' }, 404, 'No source offers burglar 9.9.9'],
  ])('refuses %j', async (query, status, message) => {
    expect(await dryRun(query)).toEqual({
      status,
      body: expect.objectContaining({ error: expect.stringContaining(message) }),
    });
  });
});

interface DryRun {
  readonly entries: readonly object[];
  readonly wouldBeRefused: number;
}

describe('a secret', () => {
  const at = (id: string, name: string) => `/api/plugins/${id}/secrets/${name}`;

  test('is set by an admin, used by the plugin, and never shown', async () => {
    const put = await server.request('PUT', at('burglar', 'apiKey'), { value, hosts: [web.host] });
    await server.request('PUT', at('poor', 'others'), { value });
    const headers = { authorization: 'Bearer {secret:apiKey}' };

    const tried = await attempt('burglar', 'net.fetch', { url: `${web.url}/echo`, headers });

    expect(put.status).toBe(200);
    expect(web.requests.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${value}` });
    expect(tried).toMatchObject({ ok: true, value: { status: 200 } });
    const seen = await Promise.all([
      attempt('burglar', 'secrets.list', {}),
      attempt('burglar', 'secrets.sign', { name: 'apiKey', messages: ['a'] }),
      ...['secrets', 'usage', 'logs', 'configuration'].map((what) =>
        server.get(`/api/plugins/burglar/${what}`),
      ),
      server.get('/api/audit'),
    ]);
    expect(JSON.stringify([put, tried, seen])).not.toContain(value);
    expect(server.output()).not.toContain(value);
  });

  test('leaves an entry in the audit log when it is set and when it is removed', async () => {
    const removed = await server.request('DELETE', at('burglar', 'apiKey'));
    const again = await server.request('DELETE', at('burglar', 'apiKey'));

    expect([removed.status, again.status]).toEqual([204, 404]);
    const { entries } = await server.get<{ entries: readonly object[] }>(
      '/api/audit?action=plugin.secret_set,plugin.secret_removed&target=burglar',
    );
    expect(entries).toMatchObject([
      { action: 'plugin.secret_removed', details: { name: 'apiKey', scope: 'plugin' } },
      {
        action: 'plugin.secret_set',
        details: { name: 'apiKey', scope: 'plugin', hosts: [web.host] },
      },
    ]);
  });

  test('of a library goes with it, and one of a library that is none is refused', async () => {
    const kept = await server.request('PUT', `${at('burglar', 'own')}?libraryId=${libraryId}`, {
      value,
    });
    const refused = await server.request('PUT', `${at('burglar', 'own')}?libraryId=gone`, {
      value,
    });
    const listed = () => server.get<{ secrets: readonly object[] }>('/api/plugins/burglar/secrets');
    expect([kept.status, refused.status]).toEqual([200, 404]);
    expect((await listed()).secrets).toMatchObject([{ name: 'own', scope: { libraryId } }]);

    await server.request('DELETE', `/api/libraries/${libraryId}`);

    expect((await listed()).secrets).toEqual([]);
  });
});
