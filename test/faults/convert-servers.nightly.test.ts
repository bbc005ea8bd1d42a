/** A web server without media and ffmpeg, and two servers that convert for it. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder } from '../support/media/caged.ts';
import { segmentsOf } from '../support/media/hls-rules.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { until, type TestServer } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const seconds = 600;
/** What a frozen server may cost a player: the beat of its process is old after ten seconds. */
const mostMs = 15_000;

const hidesFolders = (): boolean => {
  try {
    execFileSync('unshare', ['-rm', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Becomes the command, without what is in the folder. */
const without = (folder: string): readonly string[] => [
  ...['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs none "$0" && exec "$@"', folder],
];

let folder: string;
let cluster: TestCluster;
let web: TestServer;
let converters: readonly TestServer[];

interface Head {
  readonly server: string;
  readonly weight: number;
}

async function heads(): Promise<readonly Head[]> {
  const client = new pg.Client({ connectionString: cluster.database.url });
  await client.connect();
  const { rows } = await client.query<Head>(
    'select server, weight from conversion_heads order by weight desc',
  );
  await client.end();
  return rows;
}

const idOf = (server: TestServer): string =>
  /joined the cluster as (.+?)\./.exec(server.output())?.[1] ?? '';

interface Begun {
  /** The addresses of the picture, with the names of its segments. */
  readonly base: string;
  readonly names: readonly string[];
  readonly id: string;
}

async function begin(): Promise<Begun> {
  const [item] = await allItems(web);
  const client = { mse: ['video/mp4; codecs="avc1.42c00d"', 'audio/mp4; codecs="mp4a.40.2"'] };
  const body = { itemId: item?.id, client: { ...client, src: [] } };
  const begun = await web.request('POST', '/api/playback/sessions', body);
  expect(begun).toMatchObject({ status: 201, body: { session: { mode: 'convert' } } });
  const { session } = begun.body as { session: { readonly id: string; readonly url: string } };
  const list = await (await fetch(web.url + session.url)).text();
  const picture = /v\d+\/[^/"\n]+(?=\/index\.m3u8)/.exec(list)?.[0] ?? '';
  const base = `${web.url}${session.url.slice(0, session.url.lastIndexOf('/'))}/${picture}`;
  const playlist = await (await fetch(`${base}/index.m3u8`)).text();
  return { base, names: segmentsOf(playlist).map(({ uri }) => uri), id: session.id };
}

const statusOf = async (url: string): Promise<number> => {
  const reply = await fetch(url);
  await reply.arrayBuffer();
  return reply.status;
};

describe.skipIf(
  !hasPostgres() || !hasFfmpeg || cagedTranscoder.kind === 'missing' || !hidesFolders(),
)(
  'servers that convert (needs PostgreSQL, ffmpeg, a cage and mount namespaces)',
  { timeout: 180_000 },
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'vitrine-converters-'));
      const film = path.join(folder, 'media', 'films', 'Old (2001)');
      await mkdir(film, { recursive: true });
      const small = [...bars(seconds, '160x120', '10'), ...tone(seconds)];
      const old = ['-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'mp3', '-shortest'];
      await copyFile(makeMedia('avi', [...small, ...old]), path.join(film, 'Old (2001).avi'));
      cluster = await startCluster(1, [
        ...['--library', `movies:Films:${folder}/media/films`, '--scan-hours', '0'],
        ...['--internal-listen', '127.0.0.1:0'],
      ]);
      const [first] = cluster.servers;
      if (first === undefined) throw new Error('No server started.');
      await jobsOver(first);
      await first.stop();
      converters = [
        await cluster.add(['--roles', 'convert']),
        await cluster.add(['--roles', 'convert,leader']),
      ];
      web = await cluster.add(
        ['--roles', 'web', '--ffmpeg', '/nothing/ffmpeg'],
        without(path.join(folder, 'media')),
      );
      await until('the web server knows them', async () => {
        const { body } = await web.request('GET', '/api/servers');
        return JSON.stringify(body).split('"present"').length > 3;
      });
    }, 400_000);

    afterAll(async () => {
      await cluster?.end();
      await rm(folder, { recursive: true, force: true });
    });

    test('play a film for it, each with a part of the work', async () => {
      await until('they have tried their transcoders', async () => {
        const [item] = await allItems(web);
        const body = { itemId: item?.id, client: { mse: [], src: [] } };
        const { body: reply } = await web.request('POST', '/api/playback/sessions', body);
        return !JSON.stringify(reply).includes('transcoder_missing');
      });
      const { base, names } = await begin();

      const statuses = [await statusOf(`${base}/init.mp4`)];
      for (const name of names.slice(0, 12)) statuses.push(await statusOf(`${base}/${name}`));
      const running = await heads();

      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(running.map(({ weight }) => weight)).toEqual([10, 1]);
      expect(new Set(running.map(({ server }) => server))).toEqual(new Set(converters.map(idOf)));
    });

    test.each([
      ['freezes', 'SIGSTOP', 100],
      ['dies', 'SIGKILL', 40],
    ] as const)('are replaced when one of them %s', async (_, signal, n) => {
      const { base, names, id } = await begin();
      await statusOf(`${base}/init.mp4`);
      expect(await statusOf(`${base}/${names[n]}`)).toBe(200);
      const [{ server } = { server: '' }] = await heads();
      const owner = converters.find((one) => idOf(one) === server);
      if (owner === undefined) throw new Error('No converter makes the picture.');

      process.kill(owner.pid, signal);
      const begunAt = performance.now();
      // Further on than the process was, so that no segment was kept.
      // A player asks again. One that was frozen a moment ago is not asked for ten seconds.
      await until(
        'another one goes on',
        async () => (await statusOf(`${base}/${names[n + 25]}`)) === 200,
      );
      const tookMs = performance.now() - begunAt;
      if (signal === 'SIGSTOP') process.kill(owner.pid, 'SIGCONT');

      expect(tookMs).toBeLessThan(mostMs);
      await web.request('DELETE', `/api/playback/sessions/${id}`);
      if (signal === 'SIGSTOP')
        await until('it is back', async () => {
          const { body } = await web.request('GET', '/api/servers');
          return !JSON.stringify(body).includes('"missing"');
        });
    });

    test('answer only what machines ask', async () => {
      const [one] = converters;
      const answers = await Promise.all(
        ['/api/libraries', '/', '/api/openapi.json', '/api/ready', '/api/health', '/metrics'].map(
          (route) => statusOf(`${one?.url}${route}`).catch(() => 0),
        ),
      );

      // One of them was killed just now.
      expect([
        [503, 503, 503, 200, 200, 401],
        [0, 0, 0, 0, 0, 0],
      ]).toContainEqual(answers);
    });
  },
);
