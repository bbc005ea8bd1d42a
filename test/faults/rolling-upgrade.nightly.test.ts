/** Servers that are replaced one after the other under load, by their own version and by the next one. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { hasHaproxy, startBalancer, type Balancer } from '../support/servers/balancer.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { freePort } from '../support/servers/free-port.ts';
import { buildNextVersion, nextVersion } from '../support/servers/next-version.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { until, type TestServer } from '../support/servers/server.ts';
import { beginLoad, type Load } from '../support/servers/steady-load.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const count = 3;
const films = 40;
const rate = 200;

interface Listed {
  readonly version: string;
  readonly state: string;
}

describe.skipIf(!hasPostgres() || !hasHaproxy())(
  'three servers behind haproxy, replaced one after the other (needs PostgreSQL and haproxy)',
  { timeout: 300_000 },
  () => {
    let next: Awaited<ReturnType<typeof buildNextVersion>>;
    let cluster: TestCluster;
    let tree: MediaTree;
    let ports: readonly number[];
    let itemIds: readonly string[];
    const running = new Map<number, TestServer>();

    const some = (): TestServer => {
      const [server] = running.values();
      if (server === undefined) throw new Error('No server runs.');
      return server;
    };

    async function start(port: number, root?: string): Promise<void> {
      running.set(port, await cluster.add(['--port', String(port)], [], root));
    }

    beforeAll(async () => {
      next = await buildNextVersion();
      tree = await createMediaTree();
      for (let no = 0; no < films; no += 1)
        await tree.write(`Film ${no} (2001)/Film ${no} (2001).mkv`);
      const args = ['--library', `movies:Films:${tree.path}`, '--ingest', 'off'];
      cluster = await startCluster(0, args, {}, { VITRINE_DRAIN_SECONDS: '3' });
      ports = await Promise.all(Array.from({ length: count }, freePort));
      for (const port of ports) await start(port);
      await jobsOver(some());
      itemIds = (await allItems(some())).map(({ id }) => id);
    }, 300_000);

    afterAll(async () => {
      await cluster?.end();
      await next?.remove();
      await tree?.remove();
    });

    /** Replaces each server in turn while clients ask; gives what they met. */
    async function replaceAll(balancer: Balancer, root?: string): Promise<Load> {
      await until('all are ready', async () => (await balancer.up()) === count);
      const load = beginLoad(balancer.url, { itemIds, rate });
      for (const port of ports) {
        const server = running.get(port);
        running.delete(port);
        expect(await server?.stop()).toBe(0);
        await start(port, root);
        await until('all are ready again', async () => (await balancer.up()) === count);
      }
      return load.stop();
    }

    async function withBalancer(retries: number, root?: string): Promise<Load> {
      const balancer = await startBalancer(ports, { retries });
      try {
        return await replaceAll(balancer, root);
      } finally {
        await balancer.stop();
      }
    }

    /** The edits that were acknowledged and are not there. */
    async function lostOf({ titles }: Load): Promise<readonly string[]> {
      const found = new Map((await allItems(some())).map(({ id, title }) => [id, title]));
      return [...titles].filter(([id, title]) => found.get(id) !== title).map(([, title]) => title);
    }

    const tell = (what: string, { asked, edits, failed, rate: met }: Load): void =>
      console.log(
        [
          `${what}: ${asked} requests, ${met} a second, ${edits} edits, ${failed.length} failed`,
          ...failed.slice(0, 5),
        ].join('\n'),
      );

    test('no request fails where the balancer tries again, and no edit is lost', async () => {
      const load = await withBalancer(3);

      tell('Rolling restart with retries', load);
      expect([load.failed, await lostOf(load)]).toEqual([[], []]);
      expect(load.edits).toBeGreaterThan(0);
    });

    test('at most one fails where it does not', async () => {
      const load = await withBalancer(0);

      tell('Rolling restart without retries', load);
      expect(load.failed.length, load.failed.join('\n')).toBeLessThanOrEqual(1);
      expect(await lostOf(load)).toEqual([]);
    });

    test('the next version takes their place one by one, and the last one goes on beside it', async () => {
      const load = await withBalancer(3, next.root);

      tell('Rolling upgrade', load);
      expect([load.failed, await lostOf(load)]).toEqual([[], []]);
      const { servers } = await some().get<{ servers: readonly Listed[] }>('/api/servers');
      const present = servers.filter(({ state }) => state === 'present');
      expect(present.map(({ version }) => version)).toEqual(ports.map(() => nextVersion));
    });

    test('the last version starts beside the next one, until that takes away what it uses', async () => {
      const beside = await cluster.add();
      const { body } = await beside.request('PATCH', `/api/items/${itemIds[0]}`, { title: 'Old' });
      expect(body).toMatchObject({ item: { title: 'Old' } });
      await beside.stop();

      const client = new pg.Client({ connectionString: cluster.database.url });
      await client.connect();
      await client.query(`update schema_migrations set oldest_version = $1`, [nextVersion]);
      await client.end();

      await expect(cluster.add()).rejects.toThrow(
        new RegExp(
          `newer version of Vitrine ${nextVersion}, .*It lets run ${nextVersion} and later`,
        ),
      );
    });
  },
);
