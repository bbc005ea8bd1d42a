/**
 * A plugin that is granted everything works for somebody who may see one of three libraries, on a server
 * as it is: every way by which it could show them more, or do more for them, is tried.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writePlugin } from '../faults/write-plugin.ts';
import { sendJson, startHttpSource, type HttpSource } from '../support/servers/http-source.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const id = 'helper';

const definition = `
  events: {
    'playback.progress': async (event, host) => {
      kept.host = host;
      await new Promise((done) => { kept.end = done; setTimeout(done, 4000); });
    },
  },
  views: {
    'ui.item.detail.panels': async (_context, host) => {
      const { changes } = await host.library.changes({ seq: 0, limit: 500 });
      const titles = changes.flatMap(({ item }) => (item ? [item.title] : []));
      return [{
        type: 'metadata', slot: 'detail-metadata', id: 'all', title: { text: 'all' }, layout: 'list',
        fields: titles.sort().map((key) => ({ key })),
      }];
    },
    'ui.item.detail.actions': () => [
      { type: 'action', slot: 'detail-actions', id: 'show', label: 'Show', rpcMethod: 'show' },
      { type: 'action', slot: 'detail-actions', id: 'reset', label: 'Reset', rpcMethod: 'reset' },
    ],
    'ui.settings.sections': () => [
      { type: 'action', slot: 'settings-panes', id: 'reset', label: 'Reset', rpcMethod: 'reset' },
    ],
  },
  actions: {
    show: ({ itemId, ...rest }, host) =>
      host.library.item({ itemId }).then(({ title }) => ({ title, rest }), ({ code }) => ({ code })),
    call: ({ service, method, disguised }, host) =>
      host[service][method](JSON.parse([...disguised].reverse().join(""))).then(
        (value) => ({ ok: true, value: value instanceof Uint8Array ? 'bytes' : value }),
        ({ code }) => ({ ok: false, code }),
      ),
    who: (input, host) => ({ viewer: host.viewer, input }),
    steal: ({ disguised }) =>
      kept.host
        ? kept.host.library.item(JSON.parse([...disguised].reverse().join(""))).then(({ title }) => title, ({ code }) => code)
        : 'no host yet',
    end: () => { kept.end?.(); return true; },
    reset: () => 'everything is reset',
  },
  methods: {
    'job.run': async ({ payload: { service, method, input } }, host) =>
      !service ? { done: true } : host[service][method](input).then(
        (value) => ({ done: true, result: { ok: true, value } }),
        ({ code }) => ({ done: true, result: { ok: false, code } }),
      ),
  },
`;

const user = (name: string) => ({ name, access: 'user' });

let data: string;
let films: MediaTree;
let shows: MediaTree;
let secret: MediaTree;
let web: HttpSource;
let server: TestServer;
let token: string;
const libraryIds = new Map<string, string>();
const items = new Map<string, string>();
const itemId = (title: string): string => items.get(title) ?? '';

interface ItemParts {
  readonly files: readonly { readonly id: string }[];
  readonly linkedEntities: readonly { readonly id: string }[];
  readonly assets: Readonly<Record<string, string>>;
}
/** By title, as an admin sees it. */
const parts = new Map<string, ItemParts>();

/** The ids of a film's file, of its actor and of its picture. */
function idsOfParts(title: string): readonly string[] {
  const { files = [], linkedEntities = [], assets = {} } = parts.get(title) ?? {};
  return [files[0]?.id ?? '', linkedEntities[0]?.id ?? '', assets['poster'] ?? ''];
}

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  films = await createMediaTree(['Heat (1995).mkv']);
  shows = await createMediaTree(['Pilot (2001).mkv']);
  secret = await createMediaTree(['Vault (2011).mkv']);
  for (const [tree, name] of [
    [films, 'Heat (1995)'],
    [shows, 'Pilot (2001)'],
    [secret, 'Vault (2011)'],
  ] as const) {
    const [title = ''] = name.split(' (');
    const actor = `<actor><name>Actor of ${title}</name></actor>`;
    await tree.write(`${name}.nfo`, `<movie><title>${title}</title>${actor}</movie>`);
    await tree.write(`${name}-poster.png`, Buffer.from(`\x89PNG\r\n\x1a\n ${title}`, 'latin1'));
  }
  web = await startHttpSource((_request, response) => sendJson(response, 'ok'));
  const permissions = {
    ...{ library: 'write', files: 'read', jobs: ['errand', 'scan'], secrets: true },
    net: [web.host],
    reasons: { library: 'To read everything.' },
  };
  await writePlugin(data, {
    id,
    permissions,
    capabilityConfig: { jobs: { runs: ['helper.send'] } },
    subscriptions: {
      events: ['playback.progress'],
      views: ['ui.item.detail.panels', 'ui.item.detail.actions', 'ui.settings.sections'],
    },
    further: {
      profileConfiguration: [
        { key: 'token', label: 'Token', input: 'secret' },
        { key: 'isOn', label: 'On', input: 'toggle', default: true },
      ],
      actions: ['reset', ...['show', 'call', 'who', 'steal', 'end'].map(user)],
    },
    locales: {
      en: { texts: { all: 'All' } },
      de: {
        name: 'Helfer',
        description: '<b>Hilft</b>.',
        profileConfiguration: { isOn: { label: 'An' } },
        reasons: { library: 'Um alles zu lesen.' },
        texts: { all: 'Alles' },
      },
    },
    definition: `${definition} };\nconst kept = {};\nvoid {`,
  });
  server = await startServer({
    data,
    args: [
      ...['--net-allow', web.host],
      ...['--library', `movies:Films:${films.path}`],
      ...['--library', `movies:Shows:${shows.path}`],
      ...['--library', `movies:Secret:${secret.path}`],
    ],
  });
  await until('all items are there', async () => {
    const found = await server.get<{ items: readonly { id: string; title: string }[] }>(
      '/api/items',
    );
    for (const item of found.items) items.set(item.title, item.id);
    return items.size === 3;
  });
  await until('all parts of them are there', async () => {
    for (const [title, itemId] of items) {
      const found = await server.get<{ item: ItemParts }>(`/api/items/${itemId}`);
      parts.set(title, found.item);
    }
    return [...parts.values()].every(
      ({ linkedEntities, assets }) => linkedEntities.length > 0 && assets['poster'],
    );
  });
  const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
    '/api/libraries',
  );
  for (const one of libraries) libraryIds.set(one.name, one.id);
  await server.request('PATCH', `/api/libraries/${libraryId('Secret')}`, { hidden: true });
  const { body: plugin } = await server.request('GET', `/api/plugins/${id}/permissions`);
  const { asked } = plugin as { asked: object };
  const granted = await server.request('PUT', `/api/plugins/${id}/permissions`, { granted: asked });
  expect(granted.status).toBe(200);
  await until('it runs', async () => {
    const { plugin: it } = await server.get<{ plugin: { state: string } }>(`/api/plugins/${id}`);
    return it.state === 'running';
  });
  token = await newUser('Kid');
});

afterAll(async () => {
  await server.stop();
  await Promise.all([
    ...[films, shows, secret].map((tree) => tree.remove()),
    web.close(),
    rm(data, { recursive: true }),
  ]);
});

const libraryId = (name: string): string => libraryIds.get(name) ?? '';
const uriOf = (tree: MediaTree, name: string): string =>
  `file://${tree.path}/${encodeURIComponent(name)}`;

/** A user who may see Films alone, and the credential that they sign in with. */
async function newUser(name: string): Promise<string> {
  const password = 'a password that is long';
  const libraryAccess = [{ libraryId: libraryId('Films'), maxRating: null }];
  const made = await server.request('POST', '/api/users', {
    ...{ name, role: 'user', libraryAccess, password },
  });
  expect(made.status).toBe(201);
  const reply = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const body = (await reply.json()) as { sessionToken: string };
  return body.sessionToken;
}

async function as(
  who: string | null,
  method: string,
  route: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
  const reply = await fetch(server.url + route, {
    method,
    headers: {
      'accept-language': 'de-AT, en;q=0.5',
      authorization: `Bearer ${who ?? ''}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json(), headers: reply.headers };
}

const act = (method: string, params: object, who = token) =>
  as(who, 'POST', `/api/plugins/${id}/actions/${method}`, params);

async function attempt(call: string, input: object, who = token): Promise<unknown> {
  const [service, method] = call.split('.');
  const { body } = await act('call', { service, method, disguised: disguise(input) }, who);
  return (body as { result: unknown }).result;
}

/** What the server does not read as a name: so the call of the host is what must refuse it. */
const disguise = (input: object): string => Array.from(JSON.stringify(input)).reverse().join('');

const view = (slot: string, context: object, who = token) =>
  as(
    who,
    'GET',
    `/api/plugins/views/${slot}?context=${encodeURIComponent(JSON.stringify(context))}`,
  );
const ofItem = (title: string) => ({ itemId: itemId(title), libraryType: 'movies' });

describe('a plugin that works for somebody', () => {
  test('shows them nothing of the libraries that they may not see', async () => {
    const kids = await view('ui.item.detail.panels', ofItem('Heat'));
    const admins = await server.request(
      'GET',
      `/api/plugins/views/ui.item.detail.panels?context=${encodeURIComponent(JSON.stringify(ofItem('Heat')))}`,
    );

    const titles = ({ body }: { readonly body: unknown }) =>
      (body as readonly { fields: readonly { key: string }[] }[])[0]?.fields.map(({ key }) => key);
    expect(titles(kids)).toEqual(['Heat']);
    // Hidden ones are hidden from admins as well, who did not ask for them.
    expect(titles(admins)).toEqual(['Heat', 'Pilot']);
  });

  test.each(['Pilot', 'Vault'])('is not told of %s, which they may not see', async (title) => {
    const asked = [
      await act('show', { itemId: itemId(title) }),
      await act('show', { itemId: itemId('Heat'), deep: [{ other: itemId(title) }] }),
      await view('ui.item.detail.panels', ofItem(title)),
      await view('ui.item.detail.actions', { ...ofItem('Heat'), libraryType: itemId(title) }),
      await as(token, 'POST', '/api/plugins/views/actions', {
        ...{ pluginId: id, rpcMethod: 'show', view: 'ui.item.detail.actions' },
        context: ofItem(title),
      }),
    ];

    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await act('who', { libraryId: libraryId('Shows') })).status).toBe(404);
    expect((await act('who', { file: uriOf(shows, 'Pilot (2001).mkv') })).status).toBe(404);
    expect((await act('who', { libraryId: libraryId('Films') })).status).toBe(200);
  });

  test.each(['Pilot', 'Vault'])(
    'is not told of a file, an actor or a picture of %s, nor of a session of another',
    async (title) => {
      // A user of this test alone: the calls of the other tests count against theirs.
      const who = await newUser(`Viewer of ${title}`);
      const own = await as(who, 'GET', '/api/auth/sessions');
      const others = await as(await newUser(`Friend of ${title}`), 'GET', '/api/auth/sessions');
      const [ownSession, othersSession] = [own, others].map(
        ({ body }) => (body as { sessions: readonly { id: string }[] }).sessions[0]?.id ?? '',
      );
      const kept = [...idsOfParts(title), othersSession ?? ''];
      const seen = [...idsOfParts('Heat'), ownSession ?? ''];
      /** Of each id, sent in three ways, the answers. */
      const answers = (ids: readonly string[]) =>
        Promise.all(
          ids.map(async (one) => {
            const replies = await Promise.all([
              act('who', { one }, who),
              act('who', { deep: [{ [one]: true }] }, who),
              view('ui.item.detail.panels', { ...ofItem('Heat'), libraryType: one }, who),
            ]);
            return [one, ...replies.map(({ status }) => status)];
          }),
        );

      expect(kept.concat(seen).filter((one) => one.length < 10)).toEqual([]);
      expect(await answers(kept)).toEqual(kept.map((one) => [one, 404, 404, 404]));
      expect(await answers(seen)).toEqual(seen.map((one) => [one, 200, 200, 200]));
    },
  );

  test('can ask for no more than they may see, however it learned of it', async () => {
    const asker = await newUser('Asker');
    const ask = (call: string, input: object) => attempt(call, input, asker);
    const denied = { ok: false, code: 'permission_denied' };
    const range = { offset: 0, length: 4 };
    const film = { uri: uriOf(films, 'Heat (1995).mkv') };

    expect(await ask('library.item', { itemId: itemId('Heat') })).toMatchObject({ ok: true });
    expect(await ask('fs.read', { ...film, ...range })).toEqual({ ok: true, value: 'bytes' });
    expect(await ask('jobs.enqueue', { type: 'errand' })).toMatchObject({ ok: true });
    for (const [call, input] of [
      ['library.item', { itemId: itemId('Pilot') }],
      ['library.item', { itemId: itemId('Vault') }],
      ['library.get', { libraryId: libraryId('Shows') }],
      ['fs.read', { uri: uriOf(shows, 'Pilot (2001).mkv'), ...range }],
      ['fs.list', { uri: `file://${secret.path}` }],
      ['jobs.enqueue', { type: 'scan', libraryId: libraryId('Films') }],
      ['jobs.enqueue', { type: 'errand', libraryId: libraryId('Shows') }],
      [
        'library.pages',
        { libraryId: libraryId('Films'), root: `file://${films.path}`, after: null },
      ],
      ['secrets.create', { name: 'a', scope: { userId: 'another' } }],
      ['secrets.create', { name: 'a', scope: { libraryId: libraryId('Shows') } }],
    ] as const)
      expect([call, await ask(call, input)]).toEqual([call, denied]);
  });

  test('asks for items as they would: nothing of other libraries, no path, and their own marks', async () => {
    const friend = await newUser('Friend of films');
    const ask = async (method: string, input: object): Promise<unknown> => {
      const disguised = disguise(input);
      const { body } = await act('call', { service: 'media', method, disguised }, friend);
      return (body as { result: unknown }).result;
    };
    await as(friend, 'PUT', `/api/items/${itemId('Heat')}/favourite`);
    await until('the films are in the index', async () => {
      const found = await server.get<{ itemsTotal: number }>('/api/search?q=heat');
      return found.itemsTotal > 0;
    });

    const all = await ask('list', { includeTotal: true });
    expect(all).toMatchObject({ ok: true, value: { total: 1, items: [{ title: 'Heat' }] } });
    expect(JSON.stringify(all)).not.toContain('file:');
    expect(await ask('list', { libraryId: libraryId('Shows') })).toMatchObject({
      value: { items: [] },
    });
    expect(await ask('list', { favourite: true, fields: 'tile' })).toMatchObject({
      value: { items: [{ title: 'Heat', favourite: true }] },
    });
    expect(await ask('counts', {})).toMatchObject({
      value: { total: 1, libraries: [{ id: libraryId('Films'), items: 1 }] },
    });
    expect(await ask('search', { q: 'heat' })).toMatchObject({ value: { itemsTotal: 1 } });
    expect(await ask('search', { q: 'pilot' })).toMatchObject({ value: { itemsTotal: 0 } });
    expect(await ask('get', { itemId: itemId('Pilot') })).toEqual({
      ok: false,
      code: 'permission_denied',
    });
  });

  test('has the words of its reader, and asks for and gets the same in each language', async () => {
    const asked = async (route: string, language: string) => {
      const headers = { 'accept-language': language, authorization: `Bearer ${adminToken}` };
      const reply = await fetch(server.url + route, { headers });
      return JSON.parse(await reply.text()) as Readonly<Record<string, unknown>>;
    };
    const [german, french] = await Promise.all(
      ['de-AT, en;q=0.5', 'fr'].map(async (language) => ({
        about: (await asked(`/api/plugins/${id}`, language))['plugin'],
        powers: await asked(`/api/plugins/${id}/permissions`, language),
      })),
    );

    expect(german?.about).toMatchObject({ id, name: 'Helfer', description: '<b>Hilft</b>.' });
    expect(french?.about).toMatchObject({ id, name: id, description: 'Written by a test.' });
    const withoutWords = (powers: Readonly<Record<string, unknown>> = {}) => ({
      ...powers,
      ...{ sentences: null, interface: null },
      reach: { ...(powers['reach'] as object), sentence: null },
    });
    expect(withoutWords(german?.powers)).toEqual(withoutWords(french?.powers));
    expect(german?.powers['interface']).toMatch(/^Es ergänzt /);
    const reasonIn = (powers: Readonly<Record<string, unknown>> = {}) =>
      (powers['sentences'] as readonly { permission: string; reason: string }[]).find(
        ({ permission }) => permission === 'library',
      )?.reason;
    expect(reasonIn(german?.powers)).toBe('Um alles zu lesen.');
    expect(reasonIn(french?.powers)).toBe('To read everything.');

    const context = encodeURIComponent(JSON.stringify(ofItem('Heat')));
    const panels = `/api/plugins/views/ui.item.detail.panels?context=${context}`;
    expect(await asked(panels, 'de')).toMatchObject([{ title: 'Alles' }]);
    expect(await asked(panels, 'fr')).toMatchObject([{ title: 'All' }]);
  });

  test('knows for whom, and no input says otherwise', async () => {
    const { body } = await act('who', { viewer: { role: 'admin' }, profile: 'x' });
    const { result } = body as { result: { viewer: { profile: string }; input: object } };

    expect(result).toEqual({
      viewer: { role: 'user', profile: expect.stringMatching(/^[\w-]{22}$/), locale: 'de-AT' },
      input: { viewer: { role: 'admin' }, profile: 'x' },
    });
    const admins = await server.request('POST', `/api/plugins/${id}/actions/who`, {});
    expect(admins.body).toMatchObject({ result: { viewer: { role: 'admin', locale: null } } });
    expect(JSON.stringify(admins.body)).not.toContain(result.viewer.profile);
  });

  test('acts for no viewer through a host of an earlier call that has ended', async () => {
    const other = { disguised: disguise({ itemId: itemId('Pilot') }) };
    await server.request('PUT', `/api/items/${itemId('Heat')}/playback`, {
      position: 1,
      duration: 9,
    });
    await until('the event keeps its host', async () => {
      const { body } = await act('steal', other, await freshToken());
      return (body as { result: string }).result !== 'no host yet';
    });
    await act('end', {}, await freshToken());

    await until('its call has ended', async () => {
      const { body } = await act('steal', other, await freshToken());
      return (body as { result: string }).result === 'no_call';
    });
  });
});

describe('a secret of a profile', () => {
  const denied = { ok: false, code: 'permission_denied' };
  const at = (profileId: string) => `/api/plugins/${id}/secrets/token?profileId=${profileId}`;
  let otherToken: string;
  let kid: Person;
  let other: Person;

  interface Person {
    readonly profileId: string;
    /** What stands for the profile in the plugin. */
    readonly profile: string;
  }

  const personBehind = async (who: string): Promise<Person> => {
    const own = await as(who, 'GET', '/api/profiles');
    const { profiles } = own.body as { profiles: readonly { id: string }[] };
    const { body } = await act('who', {}, who);
    const { result } = body as { result: { viewer: { profile: string } } };
    return { profileId: profiles[0]?.id ?? '', profile: result.viewer.profile };
  };

  const keep = (profileId: string, value: string) =>
    server.request('PUT', at(profileId), { value, hosts: [web.host] });

  const scopesKept = async (): Promise<readonly unknown[]> => {
    const { secrets } = await server.get<{ secrets: readonly { scope: unknown }[] }>(
      `/api/plugins/${id}/secrets`,
    );
    return secrets.map(({ scope }) => scope);
  };

  const sign = ({ profile }: Person) => ({ name: 'token', scope: { profile }, messages: ['a'] });
  const send = ({ profile }: Person, to: string) => ({
    url: `${web.url}/${to}`,
    headers: { authorization: `Bearer {secret:token;profile=${profile}}` },
  });

  /** What came of a call that a job made. */
  async function inJob(call: string, input: object): Promise<unknown> {
    const [service, method] = call.split('.');
    const { body } = await server.request('POST', '/api/jobs', {
      type: 'helper.send',
      payload: { service, method, input },
    });
    const { job } = body as { job: { id: string } };
    let result: unknown = null;
    await until('the job is done', async () => {
      const found = await server.get<{ job: { status: string; result: unknown } }>(
        `/api/jobs/${job.id}`,
      );
      ({ result } = found.job);
      return found.job.status === 'completed';
    });
    return result;
  }

  beforeAll(async () => {
    otherToken = await newUser('Other');
    kid = await personBehind(token);
    other = await personBehind(otherToken);
    expect((await keep(kid.profileId, 'the-token-of-kid')).body).toMatchObject({
      secret: { name: 'token', scope: { profile: kid.profile } },
    });
    expect((await keep(other.profileId, 'the-token-of-other')).status).toBe(200);
  });

  test('is listed, used, made and removed while the plugin works for it', async () => {
    const own = { name: 'own', scope: { profile: kid.profile } };

    expect(await attempt('secrets.create', own)).toEqual({ ok: true, value: { created: true } });
    expect(await attempt('secrets.list', {})).toMatchObject({
      value: { secrets: [own, { name: 'token', scope: own.scope, hosts: [web.host] }] },
    });
    expect(await attempt('secrets.sign', sign(kid))).toMatchObject({ ok: true });
    expect(await attempt('net.fetch', send(kid, 'kid'))).toMatchObject({ ok: true });
    expect(web.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer the-token-of-kid',
    });
    expect(await attempt('secrets.remove', own)).toEqual({ ok: true, value: { removed: true } });
  });

  test('is out of reach while the plugin works for another profile', async () => {
    const asked = web.requests.length;
    const { name, scope } = sign(other);

    for (const [call, input] of [
      ['secrets.sign', sign(other)],
      ['secrets.create', { name: 'own', scope }],
      ['secrets.remove', { name, scope }],
      ['net.fetch', send(other, 'stolen')],
    ] as const)
      expect([call, await attempt(call, input)]).toEqual([call, denied]);
    expect(JSON.stringify(await attempt('secrets.list', {}))).not.toContain(other.profile);
    expect(web.requests).toHaveLength(asked);
    expect(await scopesKept()).toHaveLength(2);
  });

  test('is used by a job, whichever profile it is of, and made by none', async () => {
    for (const [person, value] of [
      [kid, 'the-token-of-kid'],
      [other, 'the-token-of-other'],
    ] as const) {
      expect(await inJob('net.fetch', send(person, 'job'))).toMatchObject({ ok: true });
      expect(web.requests.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${value}` });
    }
    expect(await inJob('secrets.list', {})).toHaveProperty('value.secrets.length', 2);
    const made = { name: 'own', scope: { profile: kid.profile } };
    expect(await inJob('secrets.create', made)).toEqual(denied);
  });

  test('is set for a profile that is there, and goes with it', async () => {
    const added = await as(otherToken, 'POST', '/api/profiles', { name: 'Second' });
    const { profile } = added.body as { profile: { id: string } };
    expect((await keep(profile.id, 'the-token-of-second')).status).toBe(200);
    expect(await scopesKept()).toHaveLength(3);

    expect((await server.request('DELETE', `/api/profiles/${profile.id}`)).status).toBe(204);

    expect(new Set((await scopesKept()).map((scope) => JSON.stringify(scope)))).toEqual(
      new Set([kid, other].map((one) => JSON.stringify({ profile: one.profile }))),
    );
    expect(await keep(profile.id, 'the-token-of-second')).toMatchObject({
      status: 404,
      body: { error: `Profile ${profile.id} does not exist.` },
    });
    const twice = await server.request('DELETE', `${at(kid.profileId)}&userId=kid`);
    expect(JSON.stringify(twice.body)).toContain('libraryId, userId and profileId exclude');
    const { entries } = await server.get<{ entries: readonly object[] }>(
      `/api/audit?action=plugin.secret_set&target=${id}&limit=1`,
    );
    expect(entries).toMatchObject([
      { details: { name: 'token', scope: { profileId: profile.id }, hosts: [web.host] } },
    ]);
  });
});

/** Of users who have called nothing yet, so that waiting costs nobody their calls. */
let made = 0;
const freshToken = (): Promise<string> => newUser(`Waiting ${(made += 1)}`);

describe('the form of a plugin for profiles', () => {
  const entered = 'a-t0ken-of-the-kid';
  let who: string;

  beforeAll(async () => {
    who = await newUser('Filler');
  });

  async function formOf(who: string): Promise<string> {
    const { body } = await as(who, 'GET', '/api/profiles');
    const [profile] = (body as { profiles: readonly { id: string }[] }).profiles;
    return `/api/profiles/${profile?.id ?? ''}/plugins`;
  }

  test('is filled in by its user, and neither a reply nor the plugin gets the secret', async () => {
    const route = await formOf(who);
    expect((await as(who, 'GET', route)).body).toMatchObject({
      plugins: [{ id, values: { isOn: true } }],
    });

    const set = await as(who, 'PUT', `${route}/${id}`, { token: entered, isOn: false });

    const values = { token: '***', isOn: false };
    expect(set).toMatchObject({ status: 200, body: { plugin: { id, values } } });
    expect((await as(who, 'GET', route)).body).toMatchObject({ plugins: [{ values }] });
    const { value } = (await attempt('config.ofProfile', {}, who)) as {
      readonly value: { readonly profile: string; readonly values: object };
    };
    expect(value.values).toEqual({ token: true, isOn: false });
    const headers = { authorization: `Token {secret:token;profile=${value.profile}}` };
    await attempt('net.fetch', { url: `${web.url}/filled`, headers, maxAge: 0 }, who);
    expect(web.requests.at(-1)?.headers['authorization']).toBe(`Token ${entered}`);
  });

  test('keeps a secret that comes back masked, and removes one that is left empty', async () => {
    const route = `${await formOf(who)}/${id}`;
    await as(who, 'PUT', route, { token: entered });

    const kept = await as(who, 'PUT', route, { token: '***' });
    const emptied = await as(who, 'PUT', route, { token: '' });

    expect(kept.body).toMatchObject({ plugin: { values: { token: '***' } } });
    expect(emptied.body).toMatchObject({ plugin: { values: { isOn: true } } });
    expect(emptied.body).not.toMatchObject({ plugin: { values: { token: '***' } } });
  });

  test('refuses what does not fit, and a plugin without a form', async () => {
    const route = await formOf(who);

    expect(await as(who, 'PUT', `${route}/${id}`, { isOn: 'yes' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('isOn: "yes" is a text') },
    });
    expect((await as(who, 'PUT', `${route}/search`, {})).status).toBe(404);
  });

  test('is out of reach of other users, and of the plugin that works for one of them', async () => {
    const other = token;
    const route = await formOf(who);
    await as(who, 'PUT', `${route}/${id}`, { token: entered });

    expect((await as(other, 'GET', route)).status).toBe(404);
    expect((await as(other, 'PUT', `${route}/${id}`, {})).status).toBe(404);
    const profileId = route.split('/')[3];
    expect(await attempt('config.ofProfile', { profileId }, other)).toEqual({
      ok: false,
      code: 'permission_denied',
    });
  });
});

describe('an action', () => {
  test('that is for admins is refused to users, and neither is its button shown', async () => {
    expect((await act('reset', {})).status).toBe(403);
    expect(await server.request('POST', `/api/plugins/${id}/actions/reset`, {})).toMatchObject({
      status: 200,
      body: { result: 'everything is reset' },
    });
    const { body } = await view('ui.item.detail.actions', ofItem('Heat'));
    expect(body).toMatchObject([{ pluginId: id, rpcMethod: 'show' }]);
    expect((await view('ui.settings.sections', {})).status).toBe(403);
    expect(await server.get('/api/plugins/views/ui.settings.sections')).toHaveLength(1);
  });

  test('is pressed where it stood, with what was entered', async () => {
    const { body } = await view('ui.item.detail.actions', ofItem('Heat'));
    const [button] = body as readonly { pluginId: string; rpcMethod: string }[];

    const pressed = await as(token, 'POST', '/api/plugins/views/actions', {
      pluginId: button?.pluginId,
      rpcMethod: button?.rpcMethod,
      view: 'ui.item.detail.actions',
      context: ofItem('Heat'),
      values: { depth: 3 },
    });

    expect(pressed).toMatchObject({
      status: 200,
      body: {
        result: { title: 'Heat', rest: { libraryType: 'movies', values: { depth: 3 } } },
      },
    });
  });

  test('is called 30 times at once by a user and then 429, and noted once an hour', async () => {
    const who = await newUser('Hasty');
    const replies = await Promise.all(Array.from({ length: 60 }, () => act('who', {}, who)));
    const { entries } = await server.get<{
      entries: readonly { actor: { userId: string }; details: object }[];
    }>(`/api/audit?action=plugin.action_called&target=${id}&limit=200`);
    const { usage } = await server.get<{ usage: { viewerCalls: number; turnedAway: number } }>(
      `/api/plugins/${id}/usage`,
    );

    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(30);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    const byUser = Map.groupBy(entries, ({ actor, details }) =>
      JSON.stringify([actor.userId, details]),
    );
    const { body: users } = await server.request('GET', '/api/users');
    const hasty = (users as { users: readonly { id: string; name: string }[] }).users.find(
      ({ name }) => name === 'Hasty',
    );
    expect(byUser.get(JSON.stringify([hasty?.id, { method: 'who' }]))).toHaveLength(1);
    expect(usage.viewerCalls).toBeGreaterThan(30);
    expect(usage.turnedAway).toBe(refused.length);
  });
});
