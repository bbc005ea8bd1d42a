import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import { KernelError } from '../../../../kernel/index.ts';
import type { Plugin } from '../../../../kernel/run/index.ts';
import { createPluginDirectory } from '../../../plugins/admin/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { pluginRoutes, type PluginRouteParts } from './plugins.ts';

const scanner: Plugin = {
  id: '@somebody/scanner',
  name: 'Scanner',
  version: '1.2.3',
  description: 'Scans.',
  author: 'Somebody',
  license: 'MIT',
  repository: null,
  homepage: null,
  capabilities: ['filesystem'],
  mediaTypes: ['movies', 'tv'],
  enabled: true,
  state: 'failed',
  errorMessage: 'It could not read /secret/path.',
  type: 'local',
  restartAttempts: 5,
  lastCrashAt: '2026-11-21T07:44:53.000Z',
  configuration: [
    { key: 'depth', label: 'Depth', required: false, input: 'number', default: 3, min: 0, max: 9 },
  ],
  capabilityConfig: {
    filesystem: {
      supportsWatch: true,
      supportsLocalFileAccess: true,
      supportsWrite: false,
      schemes: ['file'],
    },
  },
  suspended: [
    {
      handler: 'action refresh',
      until: '2026-11-21T07:45:53.000Z',
      reason: 'It gave no answer in time, three times in a row.',
    },
  ],
};

const skipped = {
  key: 'broken',
  id: '',
  name: '',
  version: '',
  minVersion: '',
  appVersion: '0.1.0',
  path: '/data/plugins/broken',
  reason: 'invalid-manifest',
  message: 'manifest.json: id is missing.',
} as const;

const point = {
  at: '2026-11-21T07:44:00.000Z',
  calls: 1,
  hostCalls: 2,
  refused: 3,
  cpuMs: 4.5,
  pausedMs: 5.5,
  bytesIn: 6,
  bytesOut: 7,
  eventsDropped: 8,
  restarts: 9,
  memoryPeakBytes: 10,
  queuePeak: 11,
};

const refusal = {
  call: 'net.fetch',
  subject: 'api.example.org:443',
  permission: 'net',
  code: 'permission_denied',
  message: 'The plugin was not granted net: api.example.org:443.',
  count: 2,
  firstAt: '2026-11-21T07:44:00.000Z',
  lastAt: '2026-11-21T07:45:00.000Z',
} as const;

const quota = { quota: 'cpu', unit: 'ms/s', used: 12, limit: 500 } as const;

const more = {
  pausedMs: 10,
  processBytes: 11,
  bytesIn: 12,
  bytesOut: 13,
  restarts: 14,
  queuedEvents: 15,
  failures: {
    total: 1,
    kinds: { threw: 1 },
    handlers: [
      {
        handler: 'action refresh',
        count: 1,
        kind: 'threw',
        message: 'No luck.',
        lastAt: '2026-11-21T07:45:00.000Z',
      },
    ],
  },
  powers: [{ permission: 'net', uses: 3, refused: 2 }],
  refusals: [refusal],
  chart: [point],
} as const;

const dryRun = {
  since: null,
  calls: 3,
  wouldBeRefused: 2,
  entries: [
    {
      call: 'net.fetch',
      subject: 'api.example.org:443',
      permission: 'net',
      count: 2,
      refused: 0,
      wouldBeRefused: true,
      sentence:
        'It asked a host on the network (api.example.org:443) 2 times, and would have been refused.',
    },
  ],
  effects: ['It would run without WebAssembly.'],
} as const;

/** The calls of the plugins, and their prepared answers. */
let asked: unknown[];

const note =
  <Answer>(name: string, answer: Answer) =>
  (...parameters: readonly unknown[]): Answer => {
    asked.push([name, ...parameters]);
    return answer;
  };

function plugins(): PluginRouteParts {
  const list = note('list', [scanner]);
  const get = (id: string): Plugin => {
    if (id !== scanner.id) throw new KernelError('not_found', `Plugin ${id}`);
    return scanner;
  };
  const usage = note('usage', {
    calls: 1,
    timeouts: 2,
    unknownHandlers: 3,
    viewerCalls: 14,
    cpuMs: 4.5,
    memoryBytes: 6,
    droppedEvents: 7,
    hostCalls: 8,
    refusedCalls: 9,
    ...more,
  });
  const net = { requests: 10, failures: 11, cached: 12, receivedBytes: 13 };
  return {
    directory: createPluginDirectory(
      {
        registry: { list, get, skipped: () => [skipped] },
        usage: { of: usage, quotasOf: async () => [quota] },
      },
      () => net,
      { turnedAway: () => 15, whyRevoked: () => null },
    ),
    dryRun: note('dryRun', Promise.resolve(dryRun)),
    plugins: {
      configuration: { get: note('configuration', { depth: 3, password: '***' }) },
      usage: {
        logs: note('logs', [
          { time: '2026-11-21T07:44:53.000Z', level: 'warn', text: 'Hm.' } as const,
        ]),
      },
      grants: {
        get: note('permissions', {
          asked: {
            library: 'read',
            net: ['*.example.org'],
            wasm: true,
            reasons: { net: 'Covers' },
          },
          granted: null,
          reach: 'all',
          adds: 'It adds panels to item pages.',
        } as const),
      },
    },
    reach: {
      show: (reach) =>
        reach === 'all'
          ? { libraries: 'all', withheld: [], places: null }
          : {
              libraries: [{ id: 'films', name: 'Films', folders: ['file:///films/Kids'] }],
              withheld: [{ id: 'shows', name: 'Shows' }],
              places: 'Films (only the folder Kids)',
            },
    },
    admin: {
      enable: note('enable', Promise.resolve(scanner)),
      disable: note('disable', Promise.resolve({ ...scanner, enabled: false })),
      restart: note('restart', Promise.resolve(scanner)),
      rescan: note(
        'rescan',
        Promise.resolve({ found: [scanner], changed: [], removed: ['gone'], skipped: [] }),
      ),
      configure: note('configure', Promise.resolve(scanner)),
      grant: note(
        'grant',
        Promise.resolve({
          asked: { library: 'read' },
          granted: { library: 'read' },
          reach: [{ id: 'films' }],
          adds: null,
        } as const),
      ),
      callAction: async (id, rpcMethod, params, viewer) => {
        asked.push(['callAction', id, rpcMethod, params, viewer]);
        if (rpcMethod !== 'refresh') throw new KernelError('not_found', `Action "${rpcMethod}"`);
        return '{"refreshed": 3, "__proto__": 1e2}';
      },
    },
  };
}

const viewer = testViewers['admin'];

let app: HttpApp;
beforeEach(async () => {
  asked = [];
  app = await createTestApp([mount(pluginRoutes, plugins())]);
  onTestFinished(() => app.close());
});

const headers = bearer('admin');
const at = '/api/plugins/%40somebody%2Fscanner';

describe('GET /api/plugins', () => {
  test('answers every field of a plugin and of what was skipped', async () => {
    const reply = await app.inject({ url: '/api/plugins', headers });

    expect(reply.json()).toEqual({ plugins: [scanner], skipped: [skipped], nextCursor: null });
  });

  test('filters by a capability and several media types, and passes the language on', async () => {
    const url = '/api/plugins?capability=filesystem&mediaTypes=movies,tv';
    await app.inject({ url, headers: { ...headers, 'accept-language': 'de-AT, en;q=0.5' } });

    const filter = { capability: 'filesystem', mediaTypes: ['movies', 'tv'] };
    expect(asked).toEqual([['list', filter, 'de-AT']]);
  });

  test('gives error texts and skipped entries only to admins', async () => {
    const shown = { ...scanner, errorMessage: null, suspended: [] };
    const seen = { plugins: [shown], skipped: [], nextCursor: null };

    for (const who of ['guest', 'user', 'admin-of-films']) {
      const reply = await app.inject({ url: '/api/plugins', headers: bearer(who) });
      expect(reply.json()).toEqual(seen);
    }
  });
});

describe('one plugin', () => {
  test('is found by its id, also when that has a scope, encoded or not', async () => {
    const reply = await app.inject({ url: at, headers });
    const strict = await app.inject({ url: '/api/plugins/%40somebody%2fscanner', headers });

    expect(reply.json()).toEqual({ plugin: scanner });
    expect(strict.json()).toEqual({ plugin: scanner });
  });

  test('is 404 when its id is unknown', async () => {
    const reply = await app.inject({ url: '/api/plugins/nothing', headers });

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ error: 'Plugin nothing does not exist.' });
  });

  test.each(['enable', 'disable', 'restart'])('can be told to %s', async (verb) => {
    const reply = await app.inject({ method: 'POST', url: `${at}/${verb}`, headers });

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ plugin: { id: scanner.id, enabled: verb !== 'disable' } });
    expect(asked).toEqual([[verb, scanner.id, viewer]]);
  });

  test('takes its configuration as the bare map of key to value', async () => {
    const payload = { depth: 5, password: 'new' };

    const reply = await app.inject({ method: 'PUT', url: `${at}/configuration`, headers, payload });
    const values = await app.inject({ url: `${at}/configuration`, headers });

    expect(reply.json()).toEqual({ plugin: scanner });
    expect(asked[0]).toEqual(['configure', scanner.id, payload, viewer]);
    expect(values.json()).toEqual({ depth: 3, password: '***' });
  });

  test('shows its log', async () => {
    const reply = await app.inject({ url: `${at}/logs`, headers });

    expect(reply.json()).toEqual({
      lines: [{ time: '2026-11-21T07:44:53.000Z', level: 'warn', text: 'Hm.' }],
      nextCursor: null,
    });
  });

  test('shows its usage', async () => {
    const reply = await app.inject({ url: `${at}/usage`, headers });

    expect(reply.json()).toEqual({
      usage: {
        calls: 1,
        timeouts: 2,
        unknownHandlers: 3,
        viewerCalls: 14,
        turnedAway: 15,
        cpuMs: 4.5,
        memoryBytes: 6,
        droppedEvents: 7,
        hostCalls: 8,
        refusedCalls: 9,
        ...more,
        quotas: [quota],
        net: { requests: 10, failures: 11, cached: 12, receivedBytes: 13 },
      },
    });
  });

  test('shows what it asks for, and that no admin has decided yet', async () => {
    const reply = await app.inject({ url: `${at}/permissions`, headers });

    expect(reply.json()).toEqual({
      asked: { library: 'read', net: ['*.example.org'], wasm: true, reasons: { net: 'Covers' } },
      granted: null,
      sentences: [
        { permission: 'library', sentence: 'It can see what is in your libraries.', reason: null },
        {
          permission: 'net',
          sentence: 'It can send to and read from every host below example.org.',
          reason: 'Covers',
        },
        {
          permission: 'wasm',
          sentence: 'It can run WebAssembly, in a process of its own that may take more memory.',
          reason: null,
        },
      ],
      interface: 'It adds panels to item pages.',
      libraries: 'all',
      reach: {
        sentence: 'It may touch all libraries, also future ones.',
        places: null,
        withheld: [],
      },
    });
    const german = await app.inject({
      url: `${at}/permissions`,
      headers: { ...headers, 'accept-language': 'de' },
    });
    expect(german.json()).toMatchObject({
      sentences: [{ sentence: 'Es kann sehen, was in Ihren Bibliotheken ist.' }, {}, {}],
      reach: { sentence: 'Es darf an alle Bibliotheken, auch an künftige.' },
    });
  });

  test('says what another grant would have refused, for any version, in the language of the reader', async () => {
    const granted = JSON.stringify({ net: ['a.example'] });
    const query = new URLSearchParams({ granted, version: '2.0.0' });

    const reply = await app.inject({
      url: `${at}/permissions/dry-run?${query.toString()}`,
      headers: { ...headers, 'accept-language': 'de' },
    });

    expect(reply.json()).toEqual({ dryRun });
    expect(asked).toEqual([['dryRun', scanner.id, { granted, version: '2.0.0' }, 'de']]);
  });

  test('is granted permissions in the form {granted, libraries}, and no other key', async () => {
    const put = (payload: object) =>
      app.inject({ method: 'PUT', url: `${at}/permissions`, headers, payload });

    const libraries = [{ id: 'films', folders: ['Kids'] }];
    const reply = await put({ granted: { library: 'read' }, libraries });
    const wrong = await put({ granted: {}, everything: true });
    const odd = await put({ granted: {}, libraries: [{ id: 'films', folder: 'Kids' }] });

    expect(reply.json()).toMatchObject({
      asked: { library: 'read' },
      granted: { library: 'read' },
      sentences: [
        {
          permission: 'library',
          sentence: 'It can see what is in Films (only the folder Kids), and in no other library.',
        },
      ],
      libraries: [{ id: 'films', name: 'Films', folders: ['file:///films/Kids'] }],
      reach: {
        sentence:
          'It may touch Films (only the folder Kids) and no other library; it receives nothing about other libraries.',
        withheld: [{ id: 'shows', name: 'Shows' }],
      },
    });
    const given = { granted: { library: 'read' }, reach: libraries };
    expect(asked).toEqual([['grant', scanner.id, given, viewer]]);
    expect([wrong.statusCode, odd.statusCode]).toEqual([400, 400]);
    expect(wrong.json()).toEqual({ error: 'body.everything is not a known key.' });
  });
});

describe('POST /api/plugins/:id/actions/:rpcMethod', () => {
  const act = (rpcMethod: string, payload?: unknown) =>
    app.inject({
      method: 'POST',
      url: `${at}/actions/${rpcMethod}`,
      headers: bearer('user'),
      ...(payload !== undefined && { payload: payload as object }),
    });

  test('answers {result} with the exact text of the action, and takes the parameters as a JSON object', async () => {
    const reply = await act('refresh', { force: true, depth: [1, { a: null }] });

    expect(reply.body).toBe('{"result":{"refreshed": 3, "__proto__": 1e2}}');
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(asked).toEqual([
      [
        'callAction',
        scanner.id,
        'refresh',
        { force: true, depth: [1, { a: null }] },
        testViewers['user'],
      ],
    ]);
  });

  test('needs no body', async () => {
    expect((await act('refresh')).statusCode).toBe(200);
    expect(asked).toEqual([['callAction', scanner.id, 'refresh', {}, testViewers['user']]]);
  });

  test('answers 404 for a method that the manifest does not list', async () => {
    const reply = await act('destroy', {});

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ error: 'Action "destroy" does not exist.' });
  });

  test('answers 400 to parameters that are not an object', async () => {
    expect((await act('refresh', [1])).statusCode).toBe(400);
  });
});
