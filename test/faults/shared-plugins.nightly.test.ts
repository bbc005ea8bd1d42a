/** A plugin that is installed at one of three servers runs on all of them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { createPackage, createPublisher } from '../support/plugins/packages.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { until, type TestServer } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const films = 30;
const plugin = '/api/plugins/release-tags';
const example = path.resolve(import.meta.dirname, '../../examples/release-tags');

describe.skipIf(!hasPostgres())(
  'a plugin installed at one of three servers (needs PostgreSQL)',
  () => {
    let cluster: TestCluster;
    let tree: MediaTree;

    beforeAll(async () => {
      tree = await createMediaTree();
      for (let no = 0; no < films; no += 1)
        await tree.write(`Film ${no} (2001)/Film ${no} (2001) HDR.mkv`);
      cluster = await startCluster(3);
    });

    afterAll(async () => {
      await cluster?.end();
      await tree?.remove();
    });

    const one = (number: number): TestServer => {
      const server = cluster.servers[number];
      if (server === undefined) throw new Error(`There is no server ${number}.`);
      return server;
    };

    const everywhere = async (what: string, is: (server: TestServer) => Promise<boolean>) => {
      const begunAt = performance.now();
      for (const [no, server] of cluster.servers.entries())
        await until(`${what} at ${no}`, () => is(server));
      return performance.now() - begunAt;
    };

    const runsAt = async (server: TestServer): Promise<boolean> => {
      const { body } = await server.request('GET', plugin);
      return (body as { plugin?: { state?: string } }).plugin?.state === 'running';
    };

    test('runs on all within ten seconds, with its grants and its configuration', async () => {
      const text = (name: string) => readFile(path.join(example, name), 'utf8');
      const manifest = JSON.parse(await text('manifest.json')) as { readonly id: string };
      const source = (await text('index.js')).replace(
        /async 'library\.item\.enriched'[\s\S]*?\n {4}\},\n/,
        `async 'library.item.enriched'({ data }, host) {
        await host.kv.set({ key: 'count/' + data.itemId + '/' + Math.random(), value: 1 });
      },
`,
      );
      const bytes = createPackage(manifest, { signer: createPublisher(), source });
      const file = Buffer.from(bytes).toString('base64');
      const granted = {
        ...{ library: 'read', metadata: 'write', kv: { quotaMb: 1 } },
        ...{ hooks: ['pipeline.index.afterProcess'], hears: ['library'] },
      };
      const begunAt = performance.now();
      const placed = await one(0).request('POST', '/api/plugins/packages', { file, granted });
      const placedMs = performance.now() - begunAt;
      expect([placed.status, placed.body]).toEqual([200, expect.anything()]);

      const tookMs = await everywhere('it runs', runsAt);
      const values = { title: 'Kind', tags: ['HDR'] };
      await one(1).request('PUT', `${plugin}/configuration`, values);
      const configured = await Promise.all(
        cluster.servers.map((server) => server.get<object>(`${plugin}/configuration`)),
      );

      // A busy machine needs longer for each start of a plugin.
      expect(tookMs).toBeLessThan(Math.max(10_000, 3 * placedMs));
      for (const told of configured) expect(told).toMatchObject(values);
    });

    test('has its part in each of thirty new films, and hears of each once', async () => {
      const library = { name: 'Films', type: 'movies', roots: [`file://${tree.path}`] };
      expect((await one(2).request('POST', '/api/libraries', library)).status).toBe(201);
      await firstScansOver(one(1));

      const items = await allItems(one(1));
      const tags = await Promise.all(
        items.map(async ({ id }, no) => {
          const { item } = await one(no % 3).get<{ item: { metadata: Record<string, unknown> } }>(
            `/api/items/${id}`,
          );
          return item.metadata['release-tags'];
        }),
      );
      expect(tags).toEqual(Array.from({ length: films }, () => ['HDR']));
      const heard = async (): Promise<readonly string[]> => {
        const { body } = await one(1).request('POST', `${plugin}/actions/countTags`, {});
        return Object.keys((body as { result: object }).result);
      };
      await until('all are heard of', async () => (await heard()).length >= films);
      const itemIds = (await heard()).map((key) => key.split('/')[0]);
      expect(itemIds.sort()).toEqual(items.map(({ id }) => id).sort());
    });

    test('comes to a server with an empty data folder, and leaves all when it is removed at one', async () => {
      await cluster.add();
      await everywhere('it runs', runsAt);

      expect((await one(2).request('DELETE', plugin)).status).toBe(204);

      await everywhere('it is gone', async (server) => {
        const { status } = await server.request('GET', plugin);
        return status === 404;
      });
    });
  },
);
