/** Servers whose line to the database is cut in one direction, and players while the bucket fails. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import { bars, makeMedia, tone } from '../support/media/media-files.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { playThrough } from '../support/playback/patient-player.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { openCutLine, type CutLine } from '../support/servers/cut-line.ts';
import { openFaultyBucket, type FaultyBucket } from '../support/servers/faulty-bucket.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const problemsOf = async (server: TestServer): Promise<readonly string[]> => {
  const { problems } = await server.get<{ problems: readonly { code: string }[] }>('/api/health');
  return problems.map(({ code }) => code);
};

const statesOf = async (server: TestServer): Promise<readonly string[]> => {
  const { servers } = await server.get<{ servers: readonly { state: string }[] }>('/api/servers');
  return servers.map(({ state }) => state);
};

describe.skipIf(!hasPostgres())('a line to PostgreSQL that is cut (needs PostgreSQL)', () => {
  let cluster: TestCluster;
  let tree: MediaTree;
  let line: CutLine;

  beforeAll(async () => {
    tree = await createMediaTree(['First (2001)/First (2001).mkv']);
    cluster = await startCluster(1, ['--library', `movies:Films:${tree.path}`, '--ingest', 'off']);
    const url = new URL(cluster.database.url.replace('@/', '@host/'));
    const socket = path.join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
    line = await openCutLine({ path: socket });
    const through = `postgres://${url.username}@127.0.0.1:${line.port}${url.pathname}`;
    await cluster.add(['--database', through]);
    await jobsOver(at(0));
  });

  afterAll(async () => {
    line?.cut('none');
    await cluster?.end();
    await line?.close();
    await tree?.remove();
  });

  const at = (no: number): TestServer => {
    const server = cluster.servers[no];
    if (server === undefined) throw new Error(`There is no server ${no}.`);
    return server;
  };

  test.each(['there', 'back'] as const)(
    'stops one server alone, %s, which goes on when it is whole',
    async (way) => {
      const [item] = await allItems(at(0));
      const route = `/api/items/${item?.id ?? ''}`;
      line.cut(way);
      const cutAt = performance.now();
      try {
        await until('the other one stores an edit', async () => {
          const { status } = await at(0).request('PATCH', route, { title: `Cut ${way}` });
          return status === 200;
        });
        console.log(`Cut ${way}: an edit after ${Math.round(performance.now() - cutAt)} ms`);
        await until('it is missed', async () => (await statesOf(at(0))).includes('missing'));
        await until('it is told', async () => (await problemsOf(at(0))).includes('server_missing'));
        const ready = await fetch(`${at(1).url}/api/ready`, { signal: AbortSignal.timeout(20_000) })
          .then(({ status }) => status)
          .catch(() => 0);
        expect(ready).not.toBe(200);
      } finally {
        line.cut('none');
      }

      await until('it is back', async () => {
        const { body } = await at(1)
          .request('GET', route)
          .catch(() => ({ body: null }));
        return JSON.stringify(body).includes(`Cut ${way}`);
      });
      await until('nobody is missed', async () =>
        (await statesOf(at(0))).every((state) => state === 'present'),
      );
      await until(
        'it is ready',
        async () => (await fetch(`${at(1).url}/api/ready`)).status === 200,
      );
    },
    240_000,
  );
});

describe.skipIf(cagedTranscoder.kind === 'missing')(`a bucket that fails ${cageNeeded}`, () => {
  const kinds = ['away', 'slow', 'full'] as const;
  let folder: string;
  let bucket: FaultyBucket;
  let server: TestServer;
  let itemIds: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bucket-films-'));
    const film = makeMedia('avi', [
      ...[...bars(24, '160x120', '10'), ...tone(24)],
      ...['-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'mp3', '-shortest'],
    ]);
    for (const kind of kinds) {
      await mkdir(path.join(folder, `${kind} (2001)`));
      await copyFile(film, path.join(folder, `${kind} (2001)`, `${kind} (2001).avi`));
    }
    bucket = await openFaultyBucket();
    const args = ['--library', `movies:Films:${folder}`, '--scan-hours', '0'];
    server = await startServer({
      args: [...args, ...bucket.flags, '--blobs-conversions', 'on'],
      env: bucket.env,
    });
    await jobsOver(server, 120_000);
    itemIds = (await allItems(server)).map(({ id }) => id);
  }, 240_000);

  afterAll(async () => {
    bucket?.fail('none');
    await server?.stop();
    await bucket?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(kinds)(
    'fails no request of a player, and is told until it works: %s',
    async (kind) => {
      onTestFinished(() => bucket.fail('none'));
      bucket.fail(kind);

      const played = await playThrough(server.url, itemIds[kinds.indexOf(kind)] ?? '', {
        patienceMs: 60_000,
      });
      console.log(
        `Bucket ${kind}: ${played.asked} requests, ${Math.round(played.longestWaitMs)} ms`,
      );
      expect(played.failed).toEqual([]);
      await until('it is told', async () => (await problemsOf(server)).includes('blobs_failing'));
      bucket.fail('none');
      await until('it is over', async () => !(await problemsOf(server)).includes('blobs_failing'));
    },
    300_000,
  );
});
