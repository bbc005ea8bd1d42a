/** Three servers on one PostgreSQL, and each request of a player at the next one: none is missed. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder } from '../support/media/caged.ts';
import { segmentsOf } from '../support/media/hls-rules.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { allItems, jobsOver, type ListedItem } from '../support/servers/scan.ts';
import { adminToken, until, type TestServer } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const seconds = 24;
const longSeconds = 300;
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '24', '-pix_fmt', 'yuv420p'];
const mse = ['video/mp4; codecs="avc1.640028"', 'audio/mp4; codecs="mp4a.40.2"'];
const everyPicture = [...mse, 'video/mp4; codecs="avc1.42c00d"', 'video/mp4; codecs="avc1.42c01e"'];
const password = 'correct horse battery staple';

interface Shown {
  readonly id: string;
  readonly mode: string;
  readonly url: string;
  readonly position: number;
  readonly tracks: readonly { readonly id: string; readonly kind: string; readonly way: string }[];
}

let folder: string;
let cluster: TestCluster;
let items: readonly ListedItem[];
let turn = 0;
const dead = new Set<TestServer>();

const alive = (): readonly TestServer[] => cluster.servers.filter((server) => !dead.has(server));

/** The server whose turn it is. */
function next(): TestServer {
  const servers = alive();
  const server = servers[(turn += 1) % servers.length];
  if (server === undefined) throw new Error('No server is left.');
  return server;
}

async function ask(
  method: string,
  route: string,
  {
    body,
    token = adminToken,
    at = next(),
  }: { body?: object; token?: string; at?: TestServer } = {},
): Promise<{ readonly status: number; readonly body: never }> {
  const reply = await fetch(`${at.url}${route}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: (text === '' ? null : JSON.parse(text)) as never };
}

const itemOf = (name: string): string => {
  const found = items.find(({ files }) => files.some(({ uri }) => decodeURI(uri).includes(name)));
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found.id;
};

async function begin(name: string, token = adminToken, more: object = {}): Promise<Shown> {
  const body = { itemId: itemOf(name), client: { mse: everyPicture, src: [] }, ...more };
  const { status, body: reply } = await ask('POST', '/api/playback/sessions', { body, token });
  if (status !== 201)
    throw new Error(
      `${status} ${JSON.stringify(reply)} ${alive()
        .map((one) => one.output().slice(-2000))
        .join()}`,
    );
  return (reply as { session: Shown }).session;
}

/** All addresses that a player asks for, in their order, each at the next server; those that failed. */
async function playAll(
  { url, id }: Shown,
  token = adminToken,
): Promise<{
  readonly failed: readonly string[];
  readonly asked: number;
}> {
  const failed: string[] = [];
  let asked = 0;
  const get = async (route: string): Promise<string> => {
    const at = next();
    const reply = await fetch(`${at.url}${route}`);
    const text = await reply.text();
    asked += 1;
    if (reply.status !== 200)
      failed.push(`${reply.status} ${route.slice(-30)} ${text.slice(0, 200)}`);
    return text;
  };
  const base = url.slice(0, url.lastIndexOf('/'));
  const master = await get(url);
  const lists = [...new Set(master.match(/[va]\d+\/[^/"\n]+\/index\.m3u8/g) ?? [])];
  for (const list of lists.filter((one) => !/h264-(?:360|480|720)/.test(one) || lists.length < 3)) {
    const within = `${base}/${list.slice(0, list.lastIndexOf('/'))}`;
    const playlist = await get(`${base}/${list}`);
    if (playlist.includes('init.mp4')) await get(`${within}/init.mp4`);
    for (const [n, { uri }] of segmentsOf(playlist).entries()) {
      await get(`${within}/${uri}`);
      if (n % 3 !== 0) continue;
      const report = { position: n, state: 'playing' };
      const { status } = await ask('PATCH', `/api/playback/sessions/${id}`, {
        body: report,
        token,
      });
      asked += 1;
      if (status !== 200) failed.push(`${status} report ${n}`);
    }
  }
  return { failed, asked };
}

async function signedIn(name: string): Promise<{ readonly token: string; readonly id: string }> {
  const made = await ask('POST', '/api/users', { body: { name, password, role: 'user' } });
  const { body } = await ask('POST', '/api/auth/login', { body: { name, password } });
  const { sessionToken } = body as { sessionToken: string };
  return { token: sessionToken, id: (made.body as { user: { id: string } }).user.id };
}

const sql = async (text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: cluster.database.url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
};

describe.skipIf(!hasPostgres() || !hasFfmpeg)(
  'a session of playing on three servers (needs PostgreSQL and ffmpeg)',
  { timeout: 180_000 },
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'vitrine-hop-'));
      const inputs = [...bars(seconds), ...tone(seconds)];
      const copied = makeMedia('mkv', [...inputs, ...h264, '-c:a', 'aac', '-shortest']);
      const walked = makeMedia('ts', [...inputs, ...h264, '-c:a', 'aac', '-shortest']);
      const old = ['-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'mp3', '-shortest'];
      const converted = makeMedia('avi', [...inputs, ...old]);
      const small = [...bars(longSeconds, '160x120', '10'), ...tone(longSeconds)];
      const long = makeMedia('avi', [...small, ...old]);
      for (const [name, file] of [
        ...[1, 2, 3, 4].map((n) => [`Copied ${n} (2001).mkv`, copied] as const),
        ['Walked (2001).ts', walked] as const,
        ['Old (2001).avi', converted] as const,
        ['Long (2001).avi', long] as const,
      ]) {
        const at = path.join(folder, 'films', path.parse(name).name);
        await mkdir(at, { recursive: true });
        await copyFile(file, path.join(at, name));
      }
      const library = `movies:Films:${folder}/films`;
      const blobs = ['--blobs', `${folder}/blobs`];
      const port = ['--internal-listen', '127.0.0.1:0'];
      const limits = ['--playback-remuxes', '4', '--playback-conversions', '3'];
      cluster = await startCluster(3, [
        '--library',
        library,
        '--scan-hours',
        '0',
        ...limits,
        ...port,
        ...blobs,
      ]);
      const [first] = cluster.servers;
      if (first === undefined) throw new Error('No server started.');
      await jobsOver(first);
      items = await allItems(first);
    }, 400_000);

    afterAll(async () => {
      await cluster.end();
      await rm(folder, { recursive: true, force: true });
    });

    test.each(['Copied 1', 'Walked', ...(cagedTranscoder.kind === 'ready' ? ['Old'] : [])])(
      'is played through with no address and no report that is not there: %s',
      async (name) => {
        const session = await begin(name);

        const { failed, asked } = await playAll(session);

        expect(asked).toBeGreaterThan(20);
        expect(failed).toEqual([]);
        await ask('DELETE', `/api/playback/sessions/${session.id}`);
      },
    );

    test('has the same bytes at each server', async () => {
      const { url, id } = await begin('Copied 1');
      const segment = url.replace('master.m3u8', 'v0/copy/1.m4s');

      const bodies = await Promise.all(
        alive().map(async (at) =>
          Buffer.from(await (await fetch(`${at.url}${segment}`)).arrayBuffer()).toString('base64'),
        ),
      );

      expect(new Set(bodies).size).toBe(1);
      await ask('DELETE', `/api/playback/sessions/${id}`);
    });

    test('changes its tracks at any of them, and its state and position hold at all', async () => {
      const { id, url } = await begin('Copied 1');
      const route = `/api/playback/sessions/${id}`;

      await ask('PATCH', route, { body: { subtitle: null, maxKbps: 100_000 } });
      await ask('PATCH', route, { body: { position: 7, state: 'paused' } });
      const shown: unknown[] = [];
      for (const at of alive()) {
        const { body } = await ask('PATCH', route, { body: {}, at });
        const {
          state,
          position,
          url: now,
        } = (body as { session: Shown & { state: string } }).session;
        shown.push([state, position, now === url]);
      }

      expect(shown).toEqual(alive().map(() => ['paused', 7, true]));
      await ask('DELETE', route);
    });

    test('that ended at one has ended at all, and its link opens nothing', async () => {
      const { id, url } = await begin('Copied 1');
      await playAll({ id, url } as Shown);
      const route = `/api/playback/sessions/${id}`;

      const ended = await ask('DELETE', route);

      const after: number[] = [];
      for (const at of alive()) {
        after.push((await fetch(`${at.url}${url}`)).status);
        after.push((await fetch(`${at.url}${url.replace('master.m3u8', 'v0/copy/1.m4s')}`)).status);
        after.push((await ask('PATCH', route, { body: {}, at })).status);
      }
      expect([ended.status, new Set(after)]).toEqual([204, new Set([404])]);
    });

    test('is of its profile alone at each, and ends everywhere with the sign-in', async () => {
      const [ada, bob] = [await signedIn('ada'), await signedIn('bob')];
      const { id, url } = await begin('Copied 1', ada.token);
      const route = `/api/playback/sessions/${id}`;
      const strangers: number[] = [];
      for (const at of alive())
        strangers.push((await ask('PATCH', route, { body: {}, token: bob.token, at })).status);

      await ask('POST', '/api/auth/logout', { token: ada.token });

      const links: number[] = [];
      for (const at of alive()) links.push((await fetch(`${at.url}${url}`)).status);
      expect([strangers, links]).toEqual([
        [404, 404, 404],
        [401, 401, 401],
      ]);
      await until('its place is free', async () => {
        const rows = await sql(`select id from playback_sessions where id = '${id}'`);
        return rows.length === 0;
      });
    });

    test('is gone at each when its person loses the library', async () => {
      const eve = await signedIn('eve');
      const { url, id } = await begin('Copied 1', eve.token);
      const before = await playAll({ id, url } as Shown, eve.token);

      await ask('PATCH', `/api/users/${eve.id}`, { body: { libraryAccess: [] } });

      const after: number[] = [];
      for (const at of alive())
        after.push((await fetch(`${at.url}${url.replace('master.m3u8', 'v0/copy/1.m4s')}`)).status);
      expect([before.failed, new Set(after)]).toEqual([[], new Set([404])]);
    });

    test('counts for the limits of all servers together, also of those that begin at once', async () => {
      const body = (n: number) => ({
        itemId: itemOf(`Copied ${n}`),
        client: { mse: everyPicture, src: [] },
        takesOver: false,
      });

      const begun = await Promise.all(
        [1, 2, 3, 4, 1, 2].map((n) => ask('POST', '/api/playback/sessions', { body: body(n) })),
      );

      // One person has half of the four places.
      expect(begun.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429, 429, 429]);
      const listed = await Promise.all(
        alive().map(async (at) => (await ask('GET', '/api/playback/sessions', { at })).body),
      );
      const ids = listed.map((one) =>
        (one as { sessions: readonly { id: string }[] }).sessions.map(({ id }) => id),
      );
      expect(ids.map((one) => one.length)).toEqual([2, 2, 2]);

      const [oldest] = ids[0] ?? [];
      const first = (
        listed[0] as unknown as { sessions: readonly { id: string; itemId: string }[] }
      ).sessions[0];
      const taken = await ask('POST', '/api/playback/sessions', {
        body: { ...body(1), itemId: first?.itemId, takesOver: true },
      });
      const told: unknown[] = [];
      for (const at of alive()) {
        const reply = await ask('PATCH', `/api/playback/sessions/${oldest}`, { body: {}, at });
        told.push([reply.status, (reply.body as { code: string }).code]);
      }
      expect(taken.status).toBe(201);
      expect(told).toEqual(alive().map(() => [410, 'taken_over']));
      await sql('delete from playback_sessions');
    });

    test('holds no link in the database, and ends when nobody uses it', async () => {
      const { id, url } = await begin('Copied 1');
      const token = url.split('/')[5] ?? '';
      const rowOf = async () =>
        (await sql(`select * from playback_sessions where id = '${id}'`))[0];
      expect((await playAll({ id, url } as Shown)).failed).toEqual([]);
      expect(token.length).toBeGreaterThan(50);
      expect(JSON.stringify(await rowOf())).not.toContain(token.slice(-30));

      await sql(`update playback_sessions set seen_at = seen_at - 100000 where id = '${id}'`);

      await until('it has ended', async () => (await rowOf()) === undefined);
      expect((await fetch(`${next().url}${url}`)).status).toBe(404);
    });

    test.skipIf(cagedTranscoder.kind === 'missing')(
      'has the little pictures that one server made at all, and plays without them (needs a cage)',
      async () => {
        const [first] = alive();
        if (first === undefined) throw new Error('No server runs.');
        const { libraries } = await first.get<{ libraries: readonly { id: string }[] }>(
          '/api/libraries',
        );
        await ask('POST', '/api/jobs', {
          body: { type: 'trickplay', libraryId: libraries[0]?.id },
          at: first,
        });
        // A server that is asked all the time lets its media jobs wait.
        const open = `select 1 from jobs where status in ('pending', 'running')`;
        await until('the pictures are made', async () => (await sql(open)).length === 0, 150_000);
        const { trickplayUrl, id } = (await begin('Copied 1')) as Shown & { trickplayUrl: string };
        const all = async () =>
          Promise.all(
            alive().map(async (at) => {
              const route = `/api/items/${itemOf('Copied 1')}/playback-info`;
              const { files } = await at.get<{ files: readonly { trickplay: unknown }[] }>(route);
              const sheet = new URL('0.jpg', new URL(trickplayUrl, at.url));
              return [files[0]?.trickplay !== null, (await fetch(sheet)).status];
            }),
          );

        const made = await all();
        await rm(path.join(folder, 'blobs'), { recursive: true });
        await writeFile(path.join(folder, 'blobs'), 'not a folder');
        const away = await all();
        await rm(path.join(folder, 'blobs'));

        expect(made).toEqual(alive().map(() => [true, 200]));
        expect(away).toEqual(alive().map(() => [false, 404]));
        await ask('DELETE', `/api/playback/sessions/${id}`);
      },
    );

    test.skipIf(cagedTranscoder.kind === 'missing')(
      'is converted by one process for all three, and by another where its server is frozen (needs a cage)',
      async () => {
        const [first, second, third] = alive();
        if (first === undefined || second === undefined || third === undefined)
          throw new Error('Three servers run.');
        const body = { itemId: itemOf('Long'), client: { mse: everyPicture, src: [] } };
        const begun = await ask('POST', '/api/playback/sessions', { body, at: first });
        const { url } = (begun.body as { session: Shown }).session;
        const list = await (await fetch(`${first.url}${url}`)).text();
        const picture = /v0\/[^/"\n]+(?=\/index\.m3u8)/.exec(list)?.[0] ?? '';
        const get = async (at: TestServer, name: string): Promise<number> => {
          const base = url.slice(0, url.lastIndexOf('/'));
          return (await fetch(`${at.url}${base}/${picture}/${name}`)).status;
        };
        const heads = () => sql('select server, address from conversion_heads');

        const statuses: number[] = [await get(first, 'init.mp4'), await get(first, '0.m4s')];
        await until('others know of it', async () => (await heads()).length > 0);
        for (let n = 1; n < 12; n += 1)
          statuses.push(await get([first, second, third][n % 3] ?? first, `${n}.m4s`));
        const before = await heads();

        expect(new Set(statuses)).toEqual(new Set([200]));
        // One of the picture, and one of the sound, which the session began.
        expect(before.length).toBeLessThanOrEqual(2);
        expect(new Set(before.map(({ server }) => server)).size).toBe(1);

        const owner = alive().find((one) => {
          const { port } = new URL(`http://${String(before[0]?.['address'])}`);
          return one.output().includes(`:${port}.`);
        });
        const others = alive().filter((one) => one !== owner);
        process.kill(owner?.pid ?? 0, 'SIGSTOP');
        const began = performance.now();
        const [one = first, other = second] = others;
        const later = [await get(one, '30.m4s'), await get(other, '31.m4s')];
        const tookMs = performance.now() - began;
        process.kill(owner?.pid ?? 0, 'SIGCONT');

        expect(later).toEqual([200, 200]);
        // A player waits 3.5 seconds at most for a frozen server, then for a process of another one.
        expect(tookMs).toBeLessThan(15_000);
      },
    );

    test('goes on at the others when the server that began it is killed', async () => {
      const [first] = alive();
      if (first === undefined) throw new Error('No server runs.');
      const body = { itemId: itemOf('Copied 2'), client: { mse: everyPicture, src: [] } };
      const { body: reply } = await ask('POST', '/api/playback/sessions', { body, at: first });
      const { session } = reply as unknown as { session: Shown };

      await first.kill();
      dead.add(first);

      expect((await playAll(session)).failed).toEqual([]);
    });
  },
);
