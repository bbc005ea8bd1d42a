import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createAuthorFolder,
  type AuthorFolder,
} from '../../../../test/support/plugins/author-plugin.ts';
import { powersAsked } from '../../../../kernel/run/powers/index.ts';
import { openPlugin, type OpenPluginOptions, type PluginUnderTest } from '../plugin-test.ts';

const startMs = Date.UTC(2026, 0, 2, 12);

const manifest = {
  permissions: {
    kv: { quotaMb: 1 },
    schedule: true,
    net: ['films.example.org', '*.films.example.org'],
    files: 'read',
    library: 'read',
    metadata: 'write',
    events: 'emit',
    jobs: ['tidy'],
    secrets: true,
    notifications: true,
    eventLog: true,
    calls: ['facts:stars', 'facts:gone'],
  },
  profileConfiguration: [
    { key: 'key', label: 'Key', input: 'secret' },
    { key: 'loud', label: 'Loud', input: 'toggle', default: false },
  ],
  configuration: [{ key: 'word', label: 'Word', input: 'text', default: 'usual' }],
  subscriptions: {
    events: ['library.item.added'],
    hooks: [{ name: 'pipeline.index.afterProcess' }],
    views: ['ui.settings.sections'],
  },
  actions: ['run'],
  exports: [
    {
      name: 'double',
      description: 'Twice the number.',
      input: { type: 'object', required: ['of'], properties: { of: { type: 'number' } } },
      output: { type: 'number', maximum: 100 },
    },
  ],
};

const source = `
import { definePlugin, type Host } from '@vitrine/plugin-api';

const actions: Record<string, (host: Host, input: never) => unknown> = {
  now: () => ({ now: Date.now(), text: new Date().toISOString(), isDate: new Date() instanceof Date }),
  read: async (host) => host.kv.get({ key: 'title' }),
  word: async (host) => (await host.config.get({})).word,
  fetch: async (host, input: { url: string }) => host.net.fetch(input),
  wake: async (host, input: { at: number; everyMs?: number }) => host.schedule.set({ name: 'w', ...input }),
  wakes: async (host) => host.kv.get({ key: 'wakes' }),
  changes: async (host) => host.library.changes({ seq: 0, limit: 500 }),
  list: async (host, input: object) => host.fs.list(input as never),
  bytes: async (host, input: object) => [...(await host.fs.read(input as never))],
  tell: async (host) => host.events.emit({ type: 'plugin.triedout.told', data: { a: 1 } }),
  enqueue: async (host) => host.jobs.enqueue({ type: 'tidy', payload: { deep: true } }),
  warn: async (host) => host.notifications.tell({ level: 'warning', title: 'Odd.' }),
  follow: async (host) => host.eventLog.follow({ patterns: ['library.deleted'] }),
  kept: async (host) => host.kv.get({ key: 'kept' }),
  sign: async (host) => host.secrets.sign({ name: 'key', messages: ['a'], encoding: 'hex' }),
  mine: async (host) => host.config.ofProfile({}),
  ask: async (host, input: { method: string }) => host.plugins.call({ plugin: 'facts', ...input }),
  fail: () => {
    throw new Error('This is the line.');
  },
};

export default definePlugin({
  exports: { double: ({ input }) => Number(input.of) * 2 },
  events: {
    'library.item.added': async ({ data }, host) => {
      console.log('new:', data.title);
      await host.kv.set({ key: 'title', value: data.title });
    },
  },
  hooks: {
    'pipeline.index.afterProcess': async ({ bundle }, host) => {
      await host.kv.set({ key: 'hooked', value: bundle.fields['title'] });
      if (bundle.fields['title'] === 'Nothing') return null;
      return { fields: { 'tried-out': { length: String(bundle.fields['title']).length } } };
    },
  },
  views: {
    'ui.settings.sections': async (_, host) => {
      const title = String(await host.kv.get({ key: 'title' }));
      const piece = { type: 'metadata', slot: 'settings-panes', id: 'a', title, fields: [] } as const;
      return [{ ...piece, layout: title === 'Odd' ? ('sideways' as never) : 'list' }];
    },
  },
  actions: {
    run: async ({ what, ...input }, host) => actions[String(what)]?.(host, input as never),
  },
  methods: {
    'eventLog.waiting': async (_, host) => {
      const { events } = await host.eventLog.read({ limit: 10 });
      await host.kv.set({ key: 'kept', value: events.map(({ event }) => event.type) });
      await host.eventLog.release({ ids: events.map(({ id }) => id) });
    },
    'schedule.wake': async (_, host) => {
      const wakes = Number((await host.kv.get({ key: 'wakes' })) ?? 0) + 1;
      await host.kv.set({ key: 'wakes', value: wakes });
    },
  },
});
`;

/** As a server has them, but in the test that is about them. */
const deadlines: { action?: number } = {};

let author: AuthorFolder;
let plugin: PluginUnderTest;

beforeAll(async () => {
  author = createAuthorFolder(manifest, source);
  plugin = await openPlugin(author.folder, {
    clock: startMs,
    deadlines,
    hosts: { 'films.example.org': (request) => ({ body: { asked: request.url } }) },
    others: { facts: { stars: () => ({ stars: 7 }) } },
  });
});

afterAll(async () => {
  await plugin.close();
  author.remove();
});

afterEach(() => plugin.faults.clear());

const run = (what: string, input: object = {}): Promise<unknown> =>
  plugin.action('run', { what, ...input });

const added = (title: string) =>
  plugin.event('library.item.added', { itemId: '1', libraryId: '2', title });

const filmInput = () => plugin.library.hookInput(plugin.library.items()[0]?.id ?? '');

describe('a plugin under test', () => {
  test('receives events, and has handled them when the call returns', async () => {
    await added('Heat');

    expect(await run('read')).toBe('Heat');
    expect(plugin.logs()).toContainEqual(expect.objectContaining({ text: 'new: Heat' }));
    expect(plugin.dispatches().at(-2)).toMatchObject({
      method: 'event.dispatch',
      name: 'library.item.added',
      outcome: 'returned',
    });
  });

  test('gives the delta of a hook, and null where it changes nothing', async () => {
    const { itemId, bundle } = filmInput();

    const delta = await plugin.hook('pipeline.index.afterProcess', { itemId, bundle });
    const fields = { ...bundle.fields, title: 'Nothing' };
    const nothing = await plugin.hook('pipeline.index.afterProcess', {
      itemId,
      bundle: { ...bundle, fields },
    });

    expect(delta).toEqual({ fields: { 'tried-out': { length: 'Silent Harbour'.length } } });
    expect(nothing).toBeNull();
  });

  test('shows its views, and rejects for a piece that a server drops', async () => {
    await added('Heat');
    expect(await plugin.view('ui.settings.sections', {})).toMatchObject([{ title: 'Heat' }]);
    await added('Odd');

    const shown = plugin.view('ui.settings.sections', {});

    await expect(shown).rejects.toMatchObject({ code: 'invalid_reply' });
    await expect(shown).rejects.toThrow(/layout/);
  });

  test('fails with its own error and the author’s source line', async () => {
    const failed = run('fail');

    await expect(failed).rejects.toMatchObject({
      code: 'plugin_error',
      message: 'This is the line.',
    });
    const line = source.split('\n').findIndex((text) => text.includes('This is the line')) + 1;
    await expect(failed).rejects.toSatisfy((error: Error) =>
      String(error.stack).includes(`index.ts:${line}:`),
    );
    expect(plugin.logs().some(({ text }) => text.includes('test-harness'))).toBe(false);
  });

  test('rejects a call that it does not subscribe to', async () => {
    await expect(
      plugin.event('library.item.removed', { itemId: '1', libraryId: '2', title: 'Heat' }),
    ).rejects.toMatchObject({ code: 'not_subscribed' });
    await expect(
      plugin.hook('pipeline.scan.prepare', { libraryType: 'movies', fsPlugin: 'x' }),
    ).rejects.toMatchObject({ code: 'not_subscribed' });
  });

  test('has its configuration, and a new one as soon as it is set', async () => {
    expect(await run('word')).toBe('usual');
    await plugin.configure({ word: 'other' });

    expect(await run('word')).toBe('other');
  });

  test('may emit events and enqueue jobs, which the test can read', async () => {
    await run('tell');
    const { jobId } = (await run('enqueue')) as { readonly jobId: string };

    expect(plugin.emitted()).toEqual([{ type: 'plugin.triedout.told', data: { a: 1 } }]);
    expect(plugin.jobs()).toEqual([
      { jobId, type: 'tidy', libraryId: null, payload: { deep: true } },
    ]);
  });
});

describe('the other services of the host', () => {
  test('notifies admins, and the test can read it', async () => {
    await run('warn');

    expect(plugin.notifications()).toMatchObject([{ level: 'warning', title: 'Odd.' }]);
  });

  test('keeps events for a follower', async () => {
    await run('follow');
    await plugin.event('library.deleted', { libraryId: '1', name: 'Films' });

    expect(await run('kept')).toEqual(['library.deleted']);
  });

  test('signs and sends with a secret that the plugin never sees', async () => {
    await plugin.setSecret('key', 'k-1234567890-abcdef', { hosts: ['films.example.org'] });

    expect(await run('sign')).toEqual({
      signature: createHmac('sha256', 'k-1234567890-abcdef').update('a').digest('hex'),
    });
    const headers = { authorization: 'Bearer {secret:key}' };
    await run('fetch', { url: 'https://films.example.org/', headers });
    expect(plugin.net.requests().at(-1)?.headers['authorization']).toBe(
      'Bearer k-1234567890-abcdef',
    );
  });
});

describe('the settings of a profile', () => {
  test('are what the profile entered, and defaults for the others', async () => {
    await plugin.configureProfile({ key: 'k-of-ada', loud: true }, 'ada');

    const [ada, ben] = await Promise.all(
      ['ada', 'ben'].map((profile) =>
        plugin.action('run', { what: 'mine' }, { viewer: { profile } }),
      ),
    );

    const profile = expect.any(String);
    expect(ada).toEqual({ profile, values: { key: true, loud: true } });
    expect(ben).toEqual({ profile, values: { loud: false } });
  });
});

describe('calls between plugins', () => {
  test('are answered by the stand-ins of the test, where the grant allows them', async () => {
    expect(await run('ask', { method: 'stars' })).toEqual({ stars: 7 });
    await expect(run('ask', { method: 'gone' })).rejects.toMatchObject({
      message: expect.stringContaining('gone of plugin facts'),
    });
    await expect(run('ask', { method: 'other' })).rejects.toMatchObject({
      message: expect.stringContaining('facts:other'),
    });
  });

  test('reach an exported method with what its schemas allow', async () => {
    expect(await plugin.exported('double', { of: 4 })).toBe(8);
    await expect(plugin.exported('double', { of: 'four' })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('of: "four" is a text'),
    });
    await expect(plugin.exported('double', { of: 400 })).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringContaining('above 100'),
    });
  });
});

describe('faults of the host', () => {
  test('a refused call makes the hook fail once, and the server retries it once', async () => {
    plugin.faults.refuse('kv.set');
    const before = plugin.dispatches().length;

    const delta = await plugin.hook('pipeline.index.afterProcess', filmInput());

    expect(delta).not.toBeNull();
    const attempts = plugin.dispatches().slice(before);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['threw', 'returned']);
    expect(attempts[0]?.error).toEqual({ code: 'overloaded', message: 'The test said so.' });
  });

  test('refused twice, a server skips the plugin', async () => {
    plugin.faults.refuse('kv.*', { code: 'quota_exceeded', message: 'Full.', times: 2 });

    await expect(plugin.hook('pipeline.index.afterProcess', filmInput())).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
  });

  test('a call without an answer ends at the deadline', async () => {
    plugin.faults.hang('kv.get');
    deadlines.action = 300;

    await expect(run('read')).rejects.toMatchObject({ code: 'timed_out' });
    delete deadlines.action;
    expect(await run('read')).not.toBeUndefined();
  });

  test('the gate denies a permission as soon as the admin revokes it', async () => {
    await plugin.grant({ schedule: true });

    await expect(run('read')).rejects.toMatchObject({ code: 'permission_denied' });
    expect(plugin.usage().refusedCalls).toBeGreaterThan(0);
    await plugin.grant(powersAsked(plugin.manifest));
  });

  test('a name that is not a call throws in the test', () => {
    expect(() => plugin.faults.hang('kv')).toThrow(/kv.set/);
  });
});

describe('the clock of a test', () => {
  test('stands still in the plugin, and moves when it is moved', async () => {
    const before = plugin.clock.now();
    expect(await run('now')).toEqual({
      now: before,
      text: new Date(before).toISOString(),
      isDate: true,
    });

    await plugin.clock.advance(1234);

    expect(await run('now')).toMatchObject({ now: before + 1234 });
  });

  test('wakes the plugin at the times that it set, and not before', async () => {
    const at = plugin.clock.now() + 60_000;
    await run('wake', { at, everyMs: 3_600_000 });

    await plugin.clock.advance(59_999);
    expect(await run('wakes')).toBeNull();
    await plugin.clock.advance(1);
    expect(await run('wakes')).toBe(1);
    await plugin.clock.advance(2 * 3_600_000);

    expect(await run('wakes')).toBe(3);
  });

  test('a killed process is started again when its delay has passed, and keeps what it stored', async () => {
    await added('Alien');
    await plugin.crash();
    expect(plugin.state()).toBe('starting');
    await expect(run('read')).rejects.toMatchObject({ code: 'plugin_not_running' });

    await plugin.clock.advance(1000);
    expect(plugin.state()).toBe('running');
    await plugin.restart();

    expect(await run('read')).toBe('Alien');
    expect(await run('now')).toMatchObject({ now: plugin.clock.now() });
  });
});

describe('the fake network', () => {
  test('answers by address, and records the requests', async () => {
    plugin.net.answer('films.example.org/shows', { status: 503, body: 'Later.' });
    plugin.net.answer('films.example.org/away', 'unreachable');

    const films = await run('fetch', { url: 'https://films.example.org/films' });
    const shows = await run('fetch', { url: 'https://films.example.org/shows/1' });

    expect(films).toMatchObject({
      status: 200,
      body: '{"asked":"https://films.example.org/films"}',
    });
    expect(shows).toMatchObject({ status: 503, body: 'Later.' });
    expect(
      plugin.net
        .requests()
        .slice(-2)
        .map(({ url }) => url),
    ).toEqual(['https://films.example.org/films', 'https://films.example.org/shows/1']);
    expect(plugin.net.requests()[0]?.headers['user-agent']).toContain('tried-out');
  });

  test('allows only granted hosts, also after a redirect', async () => {
    plugin.net.answer('films.example.org/moved', {
      status: 302,
      headers: { location: 'https://elsewhere.example.org/' },
    });
    const asked = plugin.net.requests().length;

    for (const url of ['https://elsewhere.example.org/', 'https://films.example.org/moved'])
      await expect(run('fetch', { url })).rejects.toMatchObject({ code: 'permission_denied' });

    expect(plugin.net.requests()).toHaveLength(asked + 1);
  });

  test('answers a host that the manifest names without encryption, as private-hosts allow on a server', async () => {
    plugin.net.answer('films.example.org/plain', { body: 'Plain.' });

    expect(await run('fetch', { url: 'http://films.example.org/plain' })).toMatchObject({
      status: 200,
      body: 'Plain.',
    });
  });

  test.each(['https://cdn.films.example.org/away', 'http://cdn.films.example.org/away'])(
    'is not reachable where no answer is set, and says how to set one: %s',
    async (url) => {
      const host = new URL(url).host;

      await expect(run('fetch', { url })).rejects.toMatchObject({
        code: 'net_unreachable',
        message: expect.stringContaining(`plugin.net.answer('${host}'`),
      });
    },
  );
});

describe('the fake library', () => {
  test('is the same in every run, and its feed has the changes of the test', async () => {
    const film = plugin.library.items()[0];
    expect(film).toMatchObject({
      id: '00000000-0000-7002-8000-000000000001',
      title: 'Silent Harbour',
    });
    const added = plugin.library.add({ title: 'Mine', metadata: { year: 2001 } });
    plugin.library.remove(plugin.library.items()[1]?.id ?? '');

    const { changes } = (await run('changes')) as { readonly changes: readonly object[] };

    const item = { ...added, files: undefined };
    expect(changes).toHaveLength(18);
    expect(changes.slice(-2)).toEqual([
      { kind: 'present', item, seq: 18 },
      { kind: 'removed', itemId: '00000000-0000-7002-8000-000000000002', seq: 19 },
    ]);
  });

  test('has files that can be listed page by page and read', async () => {
    const root = plugin.library.libraries()[0]?.roots[0] ?? '';
    const first = (await run('list', { uri: root, recursive: true, limit: 2 })) as {
      readonly entries: readonly { readonly uri: string }[];
      readonly cursor: string;
    };
    const rest = (await run('list', { uri: root, recursive: true, cursor: first.cursor })) as {
      readonly entries: readonly { readonly uri: string }[];
      readonly cursor: null;
    };
    const uris = [...first.entries, ...rest.entries].map(({ uri }) => uri);

    const below = plugin.library.files().filter(({ uri }) => uri.startsWith(`${root}/`));
    expect(uris).toEqual(below.map(({ uri }) => uri));
    const nfo = below.find(({ uri }) => uri.endsWith('.nfo'))?.uri ?? '';
    const text = (await run('bytes', { uri: nfo, offset: 0, length: 7 })) as readonly number[];
    expect(String.fromCharCode(...text)).toBe('<movie>');
    await expect(run('list', { uri: 'file:///etc' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});

test('a view of a plugin under test is in the language of its viewer', async () => {
  const title = { text: 'found', with: { count: 2 } };
  const piece = { type: 'metadata', slot: 'settings-panes', id: 'a', layout: 'list', fields: [] };
  const own = createAuthorFolder(
    { subscriptions: { views: ['ui.settings.sections'] } },
    `export default { views: { 'ui.settings.sections': () => [${JSON.stringify({ ...piece, title })}] } };`,
  );
  onTestFinished(own.remove);
  own.write('locales/en.json', '{"texts":{"found":{"one":"One","other":"{count} found"}}}');
  own.write('locales/de.json', '{"texts":{"found":"{count} gefunden"}}');
  await using opened = await openPlugin(own.folder);

  const shown = (locale: string) =>
    opened.view('ui.settings.sections', {}, { viewer: { locale } }).then(([one]) => one);
  expect(await shown('de-AT')).toMatchObject({ title: '2 gefunden' });
  expect(await shown('fr')).toMatchObject({ title: '2 found' });
});

describe('a plugin that cannot be opened', () => {
  const open = async (fields: object, text: string, options: OpenPluginOptions = {}) => {
    const broken = createAuthorFolder(fields, text);
    onTestFinished(broken.remove);
    return openPlugin(broken.folder, options);
  };

  test.each([
    ['does not build', {}, 'export default {{', 'does_not_build', /index\.ts:1:17/],
    ['is refused by the server', { minVersion: '>=99' }, 'export default {};', /incompat/, /99/],
    ['throws at its start', {}, 'throw new Error("No."); export default {};', 'not_started', /No/],
    ['has a manifest that is wrong', { version: '1' }, '', 'invalid_manifest', /version/],
  ])('says why when it %s', async (_, fields, text, code, message) => {
    const opened = open(fields, text);

    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toMatchObject({ code: expect.stringMatching(code) });
  });
});
