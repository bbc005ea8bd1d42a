/** Plugins from folder to isolate and back, with the real sandbox and the real database. */
import { rmSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../kernel/store/index.ts';
import { openStorageAt } from '../support/storage/storage.ts';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';
import { testByNight } from '../support/run/test-by-night.ts';

let folder: PluginFolder;
let server: PluginServer | undefined;

beforeEach(async () => {
  folder = await createPluginFolder();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await folder.remove();
});

function has(data: object, pluginId: string): boolean {
  return 'pluginId' in data && data.pluginId === pluginId;
}

async function start(): Promise<PluginServer> {
  server = await startPluginServer(folder);
  return server;
}

const idle = 'export default {};';

/** Does something with the database as somebody would who has it. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { database: url } = folder;
  const storage = await openStorageAt(url, { isMigrating: false });
  try {
    return await work(storage.database);
  } finally {
    await storage.close();
  }
}

const settingsOf = (pluginId: string): Promise<object | undefined> =>
  withDatabase(({ read }) =>
    read('plugin_settings').where('plugin_id', pluginId).first('configuration', 'secrets'),
  );

const setSettings = (pluginId: string, row: object): Promise<number> =>
  withDatabase(({ write }) =>
    write((trx) => trx('plugin_settings').where('plugin_id', pluginId).update(row)),
  );

describe('a built-in plugin', () => {
  test('is granted what it asks for, and runs', async () => {
    await folder.add({ id: 'greeter', permissions: { kv: { quotaMb: 1 } } }, idle, 'builtins');

    const { plugins } = await start();

    expect(plugins.registry.get('greeter')).toEqual({
      id: 'greeter',
      name: 'greeter',
      version: '1.0.0',
      description: 'Written by a test.',
      author: 'A test',
      license: 'MIT',
      repository: null,
      homepage: null,
      capabilities: [],
      mediaTypes: [],
      enabled: true,
      state: 'running',
      errorMessage: null,
      type: 'builtin',
      restartAttempts: 0,
      lastCrashAt: null,
      configuration: [],
      capabilityConfig: {},
    });
    expect(plugins.grants.get('greeter')).toEqual({
      adds: null,
      asked: { kv: { quotaMb: 1 } },
      reasons: {},
      granted: { kv: { quotaMb: 1 } },
      reach: 'all',
    });
  });

  test('starts after the plugins that it depends on', async () => {
    await folder.add({ id: 'a-user', dependencies: { store: '^1.0.0' } }, idle, 'builtins');
    await folder.add({ id: 'store' }, idle, 'builtins');

    const { heard } = await start();

    const started = heard.filter(({ type }) => type === 'plugin.started');
    expect(started.map(({ data }) => data)).toMatchObject([
      { pluginId: 'store' },
      { pluginId: 'a-user' },
    ]);
  });

  test('that throws while it is evaluated fails with its own words, and others run', async () => {
    await folder.add({ id: 'broken' }, "throw new Error('no such luck')", 'builtins');
    await folder.add(
      { id: 'broken-too' },
      "export default 1; throw new Error('no luck')",
      'builtins',
    );
    await folder.add({ id: 'sound' }, idle, 'builtins');

    const { plugins } = await start();

    expect(plugins.registry.get('broken')).toMatchObject({
      state: 'failed',
      errorMessage: expect.stringContaining('no default export'),
    });
    expect(plugins.registry.get('broken-too')).toMatchObject({
      state: 'failed',
      errorMessage: expect.stringContaining('no luck'),
    });
    expect(plugins.registry.get('sound').state).toBe('running');
    expect(plugins.registry.counts()).toEqual({ total: 3, running: 1, starting: 0, failed: 2 });
  });
});

describe('a plugin of a stranger', () => {
  const asking = { id: 'notes', permissions: { kv: { quotaMb: 1 } }, actions: ['note'] };
  const taking = `export default { actions: { note: async ({ text }, host) => {
    await host.kv.set({ key: 'text', value: text });
    return host.kv.get({ key: 'text' });
  } } };`;

  test('waits among the skipped until an admin grants what it asks for, and then runs', async () => {
    await folder.add(asking, taking);
    const { plugins } = await start();
    const before = [plugins.registry.list(), plugins.registry.skipped()];

    await plugins.grants.set('notes', { kv: { quotaMb: 1 } });

    expect(before).toEqual([
      [],
      [
        {
          key: 'notes',
          id: 'notes',
          name: 'notes',
          version: '1.0.0',
          minVersion: '>=0.1.0',
          appVersion: '0.1.0',
          path: path.join(folder.data, 'plugins/notes'),
          reason: 'permissions-pending',
          message: 'It waits for an admin to grant what it asks for: kv.',
        },
      ],
    ]);
    expect(plugins.registry.skipped()).toEqual([]);
    expect(plugins.registry.list()).toMatchObject([
      { id: 'notes', type: 'local', state: 'running' },
    ]);
    expect(await plugins.actions.call('notes', 'note', { text: 'hello' })).toBe('hello');
  });

  test('is never granted more than it asks for; the refusal names what is too much', async () => {
    await folder.add(asking, taking);
    const { plugins } = await start();

    await expect(
      plugins.grants.set('notes', { kv: { quotaMb: 2 }, wasm: true }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      message:
        'Plugin notes does not ask for that much: kv.quotaMb: 2 is above 1; wasm was not asked for.',
    });
    await expect(plugins.grants.set('notes', { shell: true })).rejects.toThrow(
      'shell is not known here',
    );
    expect(plugins.grants.get('notes').granted).toBeNull();
  });

  test('loses at once what the admin takes back', async () => {
    await folder.add(asking, taking);
    const { plugins } = await start();
    await plugins.grants.set('notes', { kv: { quotaMb: 1 } });
    await plugins.actions.call('notes', 'note', { text: 'one' });

    await plugins.grants.set('notes', {});

    await expect(plugins.actions.call('notes', 'note', { text: 'two' })).rejects.toThrow(
      'The plugin was not granted kv.',
    );
    expect(plugins.usage.of('notes')).toMatchObject({ calls: 2, hostCalls: 3, refusedCalls: 1 });
  });

  testByNight('keeps its grant and its enabled flag over a restart of the server', async () => {
    await folder.add(asking, taking);
    await folder.add({ id: 'other' }, idle);
    const first = await start();
    await first.plugins.grants.set('notes', { kv: { quotaMb: 1 } });
    await first.plugins.grants.set('other', {});
    await first.plugins.lifecycle.disable('other');
    await first.stop();

    const { plugins } = await start();

    expect(plugins.registry.list()).toMatchObject([
      { id: 'notes', enabled: true, state: 'running' },
      { id: 'other', enabled: false, state: 'stopped' },
    ]);
  });

  testByNight('ends as the last of many decisions says', async () => {
    await folder.add({ id: 'pulled' }, idle);
    const { plugins } = await start();
    await plugins.grants.set('pulled', {});

    await Promise.all([
      plugins.lifecycle.disable('pulled'),
      plugins.lifecycle.enable('pulled'),
      plugins.lifecycle.restart('pulled').catch(() => undefined),
      plugins.lifecycle.disable('pulled'),
    ]);

    expect(plugins.registry.get('pulled')).toMatchObject({ enabled: false, state: 'stopped' });
  });

  testByNight('that never ends its evaluation fails with a message that says so', async () => {
    await folder.add({ id: 'endless' }, 'export default {}; for (;;);');
    const { plugins } = await start();

    await plugins.grants.set('endless', {});

    expect(plugins.registry.get('endless')).toMatchObject({
      state: 'failed',
      errorMessage: expect.stringMatching(/did not start: (Computed for \d+ ms|Went on computing)/),
    });
  });

  testByNight('waits again when it asks for more than was decided on', async () => {
    await folder.add(asking, taking);
    const first = await start();
    await first.plugins.grants.set('notes', { kv: { quotaMb: 1 } });
    await first.stop();
    await folder.add({ ...asking, permissions: { kv: { quotaMb: 1 }, textIndex: true } }, taking);

    const { plugins } = await start();

    expect(plugins.registry.skipped()).toMatchObject([
      { id: 'notes', reason: 'permissions-pending' },
    ]);
  });
});

describe('a plugin that crashes', () => {
  const bomb = `export default { actions: {
    crash: () => { const all = []; for (;;) all.push(new Array(1000).fill(Math.random())); },
    ping: () => 'pong',
  } };`;

  test('is started again, and tells when and how often', async () => {
    await folder.add({ id: 'bomb', actions: ['crash', 'ping'] }, bomb);
    const { plugins, until } = await start();
    await plugins.grants.set('bomb', {});

    await expect(plugins.actions.call('bomb', 'crash', {})).rejects.toMatchObject({
      code: 'plugin_failed',
    });
    await until(({ type }) => type === 'plugin.error');
    const between = plugins.registry.get('bomb').state;
    await until(({ type }) => type === 'plugin.restarted');

    expect(between).toBe('starting');
    expect(plugins.registry.get('bomb')).toMatchObject({
      state: 'running',
      restartAttempts: 1,
      lastCrashAt: expect.stringMatching(/^\d{4}-.*Z$/),
      errorMessage: null,
    });
    expect(await plugins.actions.call('bomb', 'ping', {})).toBe('pong');
  });

  testByNight('leaves the others running', async () => {
    await folder.add({ id: 'bomb', actions: ['crash'] }, bomb);
    await folder.add({ id: 'neighbour', actions: ['ping'] }, bomb);
    const { plugins } = await start();
    await plugins.grants.set('bomb', {});
    await plugins.grants.set('neighbour', {});

    await plugins.actions.call('bomb', 'crash', {}).catch(() => undefined);

    expect(await plugins.actions.call('neighbour', 'ping', {})).toBe('pong');
    expect(plugins.registry.get('neighbour')).toMatchObject({
      state: 'running',
      restartAttempts: 0,
    });
  });

  testByNight('gets the events that were emitted while it was away', async () => {
    const source = `export default {
      events: { 'library.item.*': async ({ data }, host) => {
        await host.kv.set({ key: data.itemId, value: data.title });
      } },
      actions: {
        crash: () => { const all = []; for (;;) all.push(new Array(1000).fill(Math.random())); },
        heard: async (_, host) => (await host.kv.list({})).keys,
      },
    };`;
    await folder.add(
      {
        id: 'listener',
        permissions: { kv: { quotaMb: 1 } },
        subscriptions: { events: ['library.item.*'] },
        actions: ['crash', 'heard'],
      },
      source,
    );
    const { plugins, events, until } = await start();
    await plugins.grants.set('listener', { kv: { quotaMb: 1 }, hears: ['library'] });
    await plugins.actions.call('listener', 'crash', {}).catch(() => undefined);
    await until(({ type }) => type === 'plugin.error');

    events.emit('library.item.added', { itemId: 'one', libraryId: 'l', title: 'One' });
    await until(({ type }) => type === 'plugin.restarted');
    await events.drain(5000);

    expect(await plugins.actions.call('listener', 'heard', {})).toEqual(['one']);
  });
});

describe('a built-in that takes the shared process down', () => {
  test('is blamed for it; the others are back at once and have lost nothing but time', async () => {
    const bomb = `export default { actions: { crash: () => {
      const map = new Map(); for (let i = 0; ; i += 1) map.set(i, { i });
    } } };`;
    const sound = "export default { actions: { ping: () => 'pong' } };";
    await folder.add({ id: 'bomb', actions: ['crash'] }, bomb, 'builtins');
    await folder.add({ id: 'neighbour', actions: ['ping'] }, sound, 'builtins');
    const { plugins, until } = await start();

    await plugins.actions.call('bomb', 'crash', {}).catch(() => undefined);
    await until(({ type, data }) => type === 'plugin.restarted' && has(data, 'neighbour'));
    const neighbour = plugins.registry.get('neighbour');
    await until(({ type, data }) => type === 'plugin.restarted' && has(data, 'bomb'));

    expect(neighbour).toMatchObject({ state: 'running', restartAttempts: 0, lastCrashAt: null });
    expect(plugins.registry.get('bomb')).toMatchObject({ state: 'running', restartAttempts: 1 });
    expect(await plugins.actions.call('neighbour', 'ping', {})).toBe('pong');
  });
});

describe('what a plugin subscribes to', () => {
  const source = `export default {
    hooks: { 'pipeline.scan.prepare': () => ({ extensions: ['xyz'] }) },
    views: { 'ui.settings.sections': () => [
      { type: 'action', slot: 'settings-panes', id: 'go', label: 'Go', rpcMethod: 'go' },
    ] },
    actions: { go: () => 1 },
  };`;
  const manifest = {
    id: 'subscriber',
    actions: ['go', 'gone'],
    subscriptions: {
      hooks: [{ name: 'pipeline.scan.prepare' }],
      views: ['ui.settings.sections'],
    },
  };
  const scan = { libraryType: 'movies', fsPlugin: 'files' };

  test('reaches it while it runs, and not while it is disabled', async () => {
    await folder.add(manifest, source);
    const { plugins, hooks, views } = await start();
    await plugins.grants.set('subscriber', { hooks: ['pipeline.scan.prepare'] });
    const running = [
      (await hooks.run('pipeline.scan.prepare', scan)).output.extensions,
      (await views.collect('ui.settings.sections', {})).length,
    ];

    await plugins.lifecycle.disable('subscriber');

    expect(running).toEqual([['xyz'], 1]);
    expect(hooks.hasSubscribers('pipeline.scan.prepare')).toBe(false);
    expect(await views.collect('ui.settings.sections', {})).toEqual([]);
  });

  test('looks on as an item hook until it has metadata: write, from the moment of the grant', async () => {
    await folder.add(
      {
        id: 'writer',
        permissions: { metadata: 'write' },
        subscriptions: { hooks: [{ name: 'pipeline.index.afterProcess' }] },
      },
      "export default { hooks: { 'pipeline.index.afterProcess': () => ({ fields: { a: 1 } }) } };",
    );
    const { plugins, hooks } = await start();
    const files = { media: [], auxiliary: [] };
    const bundle = { files, fields: {}, ids: {}, assets: [], subtitles: [], entities: {} };
    const fields = async () =>
      (await hooks.run('pipeline.index.afterProcess', { itemId: 'i', bundle })).output.bundle
        .fields;

    const item = ['pipeline.index.afterProcess'];
    await plugins.grants.set('writer', { hooks: item });
    const without = [await fields(), plugins.usage.logs('writer').at(-1)?.text];
    await plugins.grants.set('writer', { metadata: 'write', hooks: item });

    expect(without).toEqual([
      {},
      'The hook pipeline.index.afterProcess only observes: metadata: write was not granted.',
    ]);
    expect(await fields()).toEqual({ a: 1 });
  });

  test('answers an action that it lists and has no handler for as a failure that says so', async () => {
    await folder.add(manifest, source);
    const { plugins } = await start();
    await plugins.grants.set('subscriber', {});

    await expect(plugins.actions.call('subscriber', 'gone', {})).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'Plugin subscriber has no handler for gone.',
    });
    await expect(plugins.actions.call('subscriber', 'other', {})).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(plugins.usage.of('subscriber').unknownHandlers).toBe(1);
  });
});

describe('the configuration of a plugin', () => {
  const manifest = {
    id: 'configured',
    actions: ['read'],
    configuration: [
      { key: 'apiKey', label: 'API key', input: 'secret', required: true },
      { key: 'limit', label: 'Limit', input: 'number', min: 1, max: 9, default: 5 },
    ],
  };
  const source = 'export default { actions: { read: (_, host) => host.config.get({}) } };';

  testByNight('reaches it with defaults filled in, while the admin sees no secret', async () => {
    await folder.add(manifest, source);
    const { plugins } = await start();
    await plugins.grants.set('configured', {});

    await plugins.configuration.set('configured', { apiKey: 'k-123' });

    expect(await plugins.actions.call('configured', 'read', {})).toEqual({
      apiKey: 'k-123',
      limit: 5,
    });
    expect(plugins.configuration.get('configured')).toEqual({ apiKey: '***', limit: 5 });
    expect(plugins.registry.get('configured').configuration).toEqual(manifest.configuration);
  });

  testByNight(
    'keeps a secret that comes back as ***, over a restart of the server too',
    async () => {
      await folder.add(manifest, source);
      const first = await start();
      await first.plugins.grants.set('configured', {});
      await first.plugins.configuration.set('configured', { apiKey: 'k-123' });
      await first.plugins.configuration.set('configured', { apiKey: '***', limit: 7 });
      await first.stop();

      const { plugins } = await start();

      expect(await plugins.actions.call('configured', 'read', {})).toEqual({
        apiKey: 'k-123',
        limit: 7,
      });
    },
  );

  testByNight(
    'has its secrets sealed in the database, and those of older versions at the next start',
    async () => {
      await folder.add(manifest, source);
      const first = await start();
      await first.plugins.grants.set('configured', {});
      await first.plugins.configuration.set('configured', { apiKey: 'k-123-secret', limit: 7 });
      await first.stop();
      const row = {
        configuration: '{"limit":7}',
        secrets: expect.stringMatching(/"apiKey":"sealed1/),
      };
      expect(await settingsOf('configured')).toEqual(row);
      await setSettings('configured', {
        configuration: '{"apiKey":"k-old","limit":7}',
        secrets: null,
      });

      const { plugins } = await start();

      expect(await settingsOf('configured')).toEqual(row);
      expect(await plugins.actions.call('configured', 'read', {})).toEqual({
        apiKey: 'k-old',
        limit: 7,
      });
      expect(plugins.configuration.get('configured')).toEqual({ apiKey: '***', limit: 7 });
    },
  );

  testByNight(
    'asks for its secrets again when the key of the server is lost, and keeps the rest',
    async () => {
      await folder.add(manifest, source);
      const first = await start();
      await first.plugins.grants.set('configured', {});
      await first.plugins.configuration.set('configured', { apiKey: 'k-123', limit: 7 });
      await first.stop();
      rmSync(path.join(folder.data, 'server.key'));

      const { plugins } = await start();

      expect(plugins.registry.get('configured').state).toBe('running');
      expect(plugins.configuration.get('configured')).toEqual({ limit: 7 });
      expect(plugins.usage.logs('configured').map(({ text }) => text)).toContainEqual(
        "The secret apiKey does not open with this server's key: set it again.",
      );
      const withoutIt = plugins.configuration.set('configured', { apiKey: '***', limit: 7 });
      await expect(withoutIt).rejects.toMatchObject({ code: 'invalid_config' });
      await plugins.configuration.set('configured', { apiKey: 'k-new', limit: 7 });
      expect(await plugins.actions.call('configured', 'read', {})).toMatchObject({
        apiKey: 'k-new',
      });
    },
  );

  testByNight('shows no secret that a newer form makes a plain text', async () => {
    await folder.add(manifest, source);
    const first = await start();
    await first.plugins.grants.set('configured', {});
    await first.plugins.configuration.set('configured', { apiKey: 'k-123' });
    await first.stop();
    const [, limit] = manifest.configuration;
    await folder.add(
      { ...manifest, configuration: [{ key: 'apiKey', label: 'API key', input: 'text' }, limit] },
      source,
    );

    const { plugins } = await start();

    expect(plugins.configuration.get('configured')).toEqual({ limit: 5 });
  });

  test('is refused whole when any value is wrong, and the message names each', async () => {
    await folder.add(manifest, source);
    const { plugins } = await start();

    await expect(
      plugins.configuration.set('configured', { limit: 12, other: 1 }),
    ).rejects.toMatchObject({
      code: 'invalid_config',
      message:
        '"other" is not a key of the form; known are apiKey, limit. apiKey is missing; API key is required. limit: 12 is above 9.',
    });
    expect(plugins.configuration.get('configured')).toEqual({ limit: 5 });
  });
});

describe('events of a plugin', () => {
  test('are named after it, and no other name is let through', async () => {
    const source = `export default { actions: { tell: ({ type }, host) =>
      host.events.emit({ type, data: { n: 1 } }) } };`;
    await folder.add(
      { id: '@a/teller', permissions: { events: 'emit' }, actions: ['tell'] },
      source,
    );
    const { plugins, until } = await start();
    await plugins.grants.set('@a/teller', { events: 'emit' });

    await plugins.actions.call('@a/teller', 'tell', { type: 'plugin.ateller.told' });

    expect(await until(({ type }) => type === 'plugin.ateller.told')).toMatchObject({
      data: { n: 1 },
    });
    for (const type of ['library.item.added', 'plugin.other.told', 'plugin.ateller.told.twice']) {
      await expect(plugins.actions.call('@a/teller', 'tell', { type })).rejects.toThrow(
        'right is plugin.ateller.<name>',
      );
    }
  });
});

describe('the skipped list', () => {
  test('has every plugin that was left out, and why', async () => {
    await folder.add({ id: 'twin' }, idle, 'builtins');
    await folder.add({ id: 'twin' }, idle);
    await folder.add({ id: 'future', minVersion: '>=9.0.0' }, idle);
    await folder.add({ id: 'hollow', main: 'nothing.js' }, idle);
    await folder.add({ id: 'lonely', dependencies: { friend: '^1.0.0' } }, idle);
    await folder.add({ id: 'ring-a', dependencies: { 'ring-b': '*' } }, idle);
    await folder.add({ id: 'ring-b', dependencies: { 'ring-a': '*' } }, idle);
    await folder.add({ id: 'wrong', version: '1' }, idle);
    await writeFile(path.join(folder.data, 'plugins/README'), 'no plugin');
    await symlink(
      path.join(folder.data, 'builtins/twin'),
      path.join(folder.data, 'plugins/linked'),
    );

    const { plugins } = await start();

    const told = plugins.registry
      .skipped()
      .map(({ key, reason, message }) => `${key} ${reason}: ${message}`);
    expect(told.sort()).toEqual([
      'README invalid-manifest: README is not a folder; a plugin is a folder with a manifest.json.',
      'future incompatible-version: It needs a server >=9.0.0; this one is 0.1.0.',
      'hollow missing-entry: main: nothing.js is not there.',
      'linked invalid-manifest: linked is a link; copy the plugin itself there.',
      'lonely missing-dependency: It needs the plugin friend ^1.0.0, which is not installed.',
      'ring-a missing-dependency: It needs the plugin ring-b, which cannot start. It needs the plugin ring-a, which cannot start. Plugins that need each other cannot start: ring-a → ring-b → ring-a.',
      'ring-b missing-dependency: It needs the plugin ring-a, which cannot start. Plugins that need each other cannot start: ring-a → ring-b → ring-a.',
      'twin duplicate-id: The builtin plugin in twin has the id twin already.',
      'wrong invalid-manifest: version: "1" is not a strict semantic version; right is 1.4.0 or 2.0.0-beta.1.',
    ]);
    expect(plugins.registry.list()).toMatchObject([
      { id: 'twin', type: 'builtin', state: 'running' },
    ]);
  });

  testByNight('has a plugin whose dependency is disabled, until that is enabled', async () => {
    await folder.add({ id: 'base' }, idle, 'builtins');
    await folder.add({ id: 'user', dependencies: { base: '*' } }, idle);
    const first = await start();
    await first.plugins.grants.set('user', {});
    await expect(first.plugins.lifecycle.disable('base')).rejects.toThrow('is needed by user');
    await first.plugins.lifecycle.disable('user');
    await first.plugins.lifecycle.disable('base');
    await first.plugins.lifecycle.enable('user');
    const skipped = first.plugins.registry.skipped();

    await first.plugins.lifecycle.enable('base');

    expect(skipped).toMatchObject([
      {
        id: 'user',
        reason: 'missing-dependency',
        message: 'It needs the plugin base, which is not running (disabled).',
      },
    ]);
    expect(first.plugins.registry.list()).toMatchObject([
      { state: 'running' },
      { state: 'running' },
    ]);
  });
});

describe('the log of a plugin', () => {
  test('has its own lines, without characters that a terminal would obey', async () => {
    const source = `export default { actions: { say: () => { console.warn('red \\u001b[31m\\nline'); } } };`;
    await folder.add({ id: 'talker', actions: ['say'] }, source);
    const { plugins } = await start();
    await plugins.grants.set('talker', {});

    await plugins.actions.call('talker', 'say', {});

    const lines = plugins.usage.logs('talker').filter(({ level }) => level === 'warn');
    expect(lines).toMatchObject([
      { level: 'warn', text: expect.stringMatching(/^red [^\p{Cc}]*$/u) },
    ]);
  });
});
