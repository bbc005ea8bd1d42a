/**
 * A URI that a plugin says is a claim and not a right. A plugin that may write metadata of one library
 * names pictures of another in every spelling, on a server as it is; a child that sees the first library
 * alone gets none of them, and no path of the server.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writePlugin } from '../faults/write-plugin.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { firstScansOver, noJobs } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const id = 'painter';
const at = `/api/plugins/${id}`;
const png = (name: string): Buffer => Buffer.from(`\x89PNG\r\n\x1a\n ${name}`, 'latin1');

/** It names what it is told to name, and reads what it is told to read. */
const definition = `
  hooks: {
    'pipeline.index.afterProcess': async ({ bundle }, host) => {
      const named = await host.kv.get({ key: 'named' });
      return bundle.fields.title === 'One' && named !== null ? JSON.parse(named) : null;
    },
  },
  actions: {
    name: ({ text }, host) => host.kv.set({ key: 'named', value: text }).then(() => null),
    read: ({ method, text }, host) =>
      host.fs[method](JSON.parse(text)).then(
        (value) => ({ ok: true, value: value instanceof Uint8Array ? 'bytes' : value }),
        (error) => ({ ok: false, code: error.code }),
      ),
  },
`;

let data: string;
let films: MediaTree;
let hidden: MediaTree;
let server: TestServer;
let childToken: string;
let itemId: string;
const libraryIds = new Map<string, string>();

const inFilms = (name: string): string => `file://${films.path}/${name}`;
const inHidden = (name: string): string => `file://${hidden.path}/${name}`;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  films = await createMediaTree(['One (1999)/One (1999).mkv', 'Two (2001)/Two (2001).mkv']);
  hidden = await createMediaTree(['Secret (2010)/Secret (2010).mkv', 'Secret (2010)/song.mp3']);
  await films.write('One (1999)/own.png', png('own'));
  await films.write('One (1999)/a b&c.png', png('odd'));
  await hidden.write('Secret (2010)/private.png', png('private'));
  await symlink(
    path.join(hidden.path, 'Secret (2010)/private.png'),
    path.join(films.path, 'One (1999)/linked.png'),
  );
  await symlink(path.join(hidden.path, 'Secret (2010)'), path.join(films.path, 'Two (2001)/away'));
  await writePlugin(data, {
    id,
    permissions: { metadata: 'write', files: 'read', kv: { quotaMb: 1 } },
    subscriptions: { hooks: [{ name: 'pipeline.index.afterProcess' }] },
    actions: ['name', 'read'],
    definition,
  });
  server = await startServer({
    data,
    args: ['--library', `movies:Films:${films.path}`, '--library', `movies:Hidden:${hidden.path}`],
  });
  const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
    '/api/libraries',
  );
  for (const one of libraries) libraryIds.set(one.name, one.id);
  await firstScansOver(server);
  const { items } = await server.get<{ items: readonly { id: string; title: string }[] }>(
    `/api/items?libraryId=${idOf('Films')}`,
  );
  itemId = items.find(({ title }) => title === 'One')?.id ?? '';
  await narrow('Films');
  await until('it runs', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>(at);
    return plugin.state === 'running';
  });
  await server.request('POST', '/api/users', {
    name: 'kid',
    password: 'correct horse battery',
    libraryAccess: [{ libraryId: idOf('Films') }],
  });
  const login = await server.request('POST', '/api/auth/login', {
    name: 'kid',
    password: 'correct horse battery',
  });
  childToken = (login.body as { sessionToken: string }).sessionToken;
});

afterAll(async () => {
  await server.stop();
  await Promise.all([films.remove(), hidden.remove(), rm(data, { recursive: true })]);
});

const idOf = (name: string): string => libraryIds.get(name) ?? '';

const quiet = (): Promise<void> => noJobs(server);

/** Grants all that it asks for, in one library. */
async function narrow(library: string): Promise<void> {
  const { asked } = await server.get<{ asked: object }>(`${at}/permissions`);
  const body = { granted: asked, libraries: [{ id: idOf(library) }] };
  const reply = await server.request('PUT', `${at}/permissions`, body);
  expect(reply.status).toBe(200);
}

/** The text of an action must be no URI out of reach, so URIs go in a longer one. */
async function act(method: string, params: object): Promise<unknown> {
  const reply = await server.request('POST', `${at}/actions/${method}`, params);
  expect(reply.status).toBe(200);
  return (reply.body as { result: unknown }).result;
}

/** Has the item refreshed with what the plugin names then. */
async function say(delta: object): Promise<void> {
  await act('name', { text: JSON.stringify(delta) });
  await server.request('POST', `/api/items/${itemId}/refresh`, {});
  await quiet();
}

interface Listed {
  readonly entries: readonly object[];
  readonly problems: readonly { readonly code: string }[];
}

const read = (method: string, input: object): Promise<unknown> =>
  act('read', { method, text: JSON.stringify(input) });

const asChild = (route: string): Promise<Response> =>
  fetch(server.url + route, { headers: { authorization: `Bearer ${childToken}` } });

interface Shown {
  readonly assets: Readonly<Record<string, string>>;
  readonly subtitles: readonly Readonly<Record<string, unknown>>[];
}

async function childsItem(): Promise<Shown> {
  const { item } = (await (await asChild(`/api/items/${itemId}`)).json()) as { item: Shown };
  return item;
}

/** The plugin says of itself that it is another one, which sees every library. */
const asset = (type: string, uri: string) => ({ type, uri, source: 'filesystem-local' });

/** Ways to name a picture of the hidden library. */
const disguises = (): Readonly<Record<string, string>> => {
  const secret = inHidden('Secret%20(2010)/private.png');
  const name = path.basename(hidden.path);
  return {
    plain: secret,
    'in-a-file': inHidden('Secret%20(2010)/song.mp3#artwork=0'),
    'in-a-file-of-another-case': inHidden('Secret%20(2010)/song.mp3#ARTWORK=0'),
    upwards: inFilms(`../${name}/Secret%20(2010)/private.png`),
    'upwards-escaped': inFilms(`%2e%2e/${name}/Secret%20(2010)/private.png`),
    'upwards-in-a-name': inFilms(`..%2F${name}%2FSecret%20(2010)%2Fprivate.png`),
    'upwards-behind-a-folder': inFilms(`One%20(1999)/../../${name}/Secret%20(2010)/private.png`),
    'double-slash': `file:////${secret.slice('file:///'.length)}`,
    'other-case': secret.replace('file:', 'FILE:'),
    'with-a-host': secret.replace('file://', 'file://localhost'),
    'with-another-host': secret.replace('file://', 'file://nas'),
    'without-an-authority': secret.replace('file://', 'file:'),
    'escaped-letters': secret.replace('private', '%70rivate'),
    'with-a-query': `${secret}?film`,
    'with-a-fragment': `${secret}#film`,
    link: inFilms('One%20(1999)/linked.png'),
    'link-to-a-folder': inFilms('Two%20(2001)/away/private.png'),
    path: `${hidden.path}/Secret (2010)/private.png`,
    'not-granted': 'https://pictures.example.org/1.png',
    'own-scheme': 'painter://1.png',
  };
};

describe('a plugin that may write metadata of one library', () => {
  test('publishes no picture of another, however it names it', async () => {
    const types = Object.keys(disguises());
    await say({
      assets: Object.entries(disguises()).map(([type, uri]) => asset(type, uri)),
      subtitles: [
        { type: 'external', format: 'srt', uri: disguises()['plain'], source: 'filesystem-local' },
      ],
      entities: {
        actor: [
          {
            name: 'Ada',
            status: 'complete',
            source: 'filesystem-local',
            metadata: { imageUrl: disguises()['plain'], assets: { banner: disguises()['link'] } },
          },
        ],
      },
    });

    const { assets, subtitles } = await childsItem();
    expect(types.filter((type) => type in assets)).toEqual([]);
    expect(subtitles).toEqual([]);
    const { entities } = (await (await asChild('/api/entities?type=person')).json()) as {
      entities: readonly { name: string; assets: object; sourcePluginId: string }[];
    };
    expect(entities).toMatchObject([{ name: 'Ada', assets: {}, sourcePluginId: id }]);
  });

  test('is told of each in its log and its usage', async () => {
    const { usage } = await server.get<{
      usage: { refusals: readonly { call: string; subject: string; message: string }[] };
    }>(`${at}/usage`);
    const { lines } = await server.get<{ lines: readonly { text: string }[] }>(`${at}/logs`);

    const refused = usage.refusals.filter(({ call }) => call === 'reference');
    expect(new Set(refused.map(({ subject }) => subject))).toEqual(
      new Set([
        ...Object.keys(disguises()),
        'subtitles',
        'picture of an entity',
        'banner of an entity',
      ]),
    );
    const text = lines.map((line) => line.text).join('\n');
    expect(text).toContain('A reference is not accepted (plain)');
    expect(text).toContain('is not below a root of the library of the item.');
    expect(text).toContain('does not exist, or a link leads from it out of the library.');
  });

  test('shows what lies in its library, in any spelling, and only as long as it may', async () => {
    await say({
      assets: [
        asset('poster', inFilms('One%20(1999)/own.png')),
        asset('banner', `file://localhost${films.path}//One (1999)/./a b%26c.png`),
      ],
    });
    const { assets } = await childsItem();
    const { poster = '', banner = '' } = assets;

    const [own, odd] = await Promise.all([asChild(poster), asChild(banner)]);
    expect(Buffer.from(await own.arrayBuffer())).toEqual(png('own'));
    expect(Buffer.from(await odd.arrayBuffer())).toEqual(png('odd'));

    await narrow('Hidden');
    expect((await asChild(poster)).status).toBe(404);
    await narrow('Films');
    expect((await asChild(poster)).status).toBe(200);

    await films.drop('One (1999)/own.png');
    await symlink(
      path.join(hidden.path, 'Secret (2010)/private.png'),
      path.join(films.path, 'One (1999)/own.png'),
    );
    expect((await asChild(poster)).status).toBe(404);
  });

  test('reads no file of another library through a link in its own', async () => {
    const range = { offset: 0, length: 8 };
    const links = [
      ['stat', { uri: inFilms('One%20(1999)/linked.png') }],
      ['read', { uri: inFilms('One%20(1999)/linked.png'), ...range }],
      ['list', { uri: inFilms('Two%20(2001)/away') }],
      ['stat', { uri: inFilms('Two%20(2001)/away/song.mp3') }],
      ['read', { uri: inFilms('Two%20(2001)/away/song.mp3'), ...range }],
    ] as const;
    for (const [method, input] of links)
      expect(await read(method, input)).toEqual({ ok: false, code: 'permission_denied' });

    const listed = (await read('list', {
      uri: `file://${films.path}`,
      recursive: true,
    })) as { readonly value: Listed };
    expect(JSON.stringify(listed)).toContain('One%20(1999).mkv');
    const { entries, problems } = listed.value;
    expect(JSON.stringify(entries)).not.toMatch(/linked|away|song/);
    expect(problems.map(({ code }) => code)).toEqual(problems.map(() => 'outside-root'));
    for (const there of [hidden.path, 'song']) expect(JSON.stringify(listed)).not.toContain(there);
    expect(await read('read', { uri: inFilms('One%20(1999)/a%20b%26c.png'), ...range })).toEqual({
      ok: true,
      value: 'bytes',
    });
  });
});

describe('a user who is not an admin', () => {
  test('is told no path of the server, and what they are told is enough to play a film', async () => {
    await films.write('One (1999)/One (1999).en.srt', '1');
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: idOf('Films') });
    await quiet();
    await say({
      subtitles: [
        {
          type: 'external',
          format: 'srt',
          uri: inFilms('One%20(1999)/One%20(1999).en.srt'),
          source: id,
          mediaFileUri: inFilms('One%20(1999)/One%20(1999).mkv'),
        },
      ],
    });
    const routes = [
      '/api/libraries',
      `/api/libraries/${idOf('Films')}`,
      '/api/items',
      `/api/items/${itemId}`,
      '/api/search?q=One',
      '/api/plugins',
      '/api/entities?type=person',
    ];
    for (const route of routes) {
      const reply = await asChild(route);
      expect([route, reply.status]).toEqual([route, 200]);
      const text = await reply.text();
      expect([route, text.includes('file:'), text.includes(tmpdir())]).toEqual([
        route,
        false,
        false,
      ]);
    }

    const { item } = (await (await asChild(`/api/items/${itemId}`)).json()) as {
      item: Shown & { files: readonly { id: string; uri: string; filename: string }[] };
    };
    const [film, text] = item.files;
    expect(item.files.map(({ filename }) => filename)).toEqual([
      'One (1999).mkv',
      'One (1999).en.srt',
    ]);
    expect((await asChild(film?.uri ?? '')).status).toBe(200);
    expect((await asChild(`/api/files/${film?.id ?? ''}`)).status).toBe(200);
    expect(item.subtitles.find(({ source }) => source === id)).toEqual({
      type: 'external',
      format: 'srt',
      source: id,
      fileId: text?.id,
      mediaFileId: film?.id,
    });
    const admins = await server.get<{ item: typeof item }>(`/api/items/${itemId}`);
    expect(admins.item.files[0]?.uri).toBe(inFilms('One%20(1999)/One%20(1999).mkv'));
  });
});
