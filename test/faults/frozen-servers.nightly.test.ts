/** Three servers on one PostgreSQL database, one of which is stopped by SIGSTOP and goes on later. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { until, type TestServer } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

/** Notes what it hears, in the store that all servers have in common. */
const tallyPlugin = {
  'manifest.json': JSON.stringify({
    ...{ manifestVersion: 1, id: 'tally', name: 'Tally', version: '1.0.0', license: 'MIT' },
    ...{ description: 'Counts titles.', author: 'A test', main: 'index.js' },
    ...{ minVersion: '>=0.1.0', capabilities: [], mediaTypes: [] },
    permissions: { kv: { quotaMb: 1 } },
    subscriptions: { events: ['library.item.updated'] },
    actions: ['heard'],
  }),
  'index.js': `
    export default {
      events: {
        'library.item.updated': async ({ timestamp }, host) => {
          await host.kv.set({ key: 'heard/' + timestamp + '/' + Math.random(), value: 1 });
        },
      },
      actions: { heard: async (_, host) => (await host.kv.list({ prefix: 'heard/' })).keys },
    };`,
};

interface Listed {
  readonly id: string;
  readonly roles: readonly string[];
  readonly state: string;
  readonly isLeader: boolean;
  readonly isThis: boolean;
}

const listed = async (server: TestServer): Promise<readonly Listed[]> =>
  (await server.get<{ servers: readonly Listed[] }>('/api/servers')).servers;

const idOf = async (server: TestServer): Promise<string> =>
  (await listed(server)).find(({ isThis }) => isThis)?.id ?? '';

const leadersOf = async (server: TestServer): Promise<readonly string[]> =>
  (await listed(server)).filter(({ isLeader }) => isLeader).map(({ id }) => id);

describe.skipIf(!hasPostgres())('several servers, one of them frozen (needs PostgreSQL)', () => {
  let cluster: TestCluster;
  let tree: MediaTree;
  let leader: TestServer;
  let others: readonly TestServer[];

  beforeAll(async () => {
    tree = await createMediaTree(['films/First (2001)/First (2001).mkv']);
    const library = `movies:Films:${tree.path}/films`;
    cluster = await startCluster(3, ['--library', library, '--ingest', 'off'], {
      tally: tallyPlugin,
    });
    const [first, ...rest] = cluster.servers;
    if (first === undefined) throw new Error('No server has started.');
    [leader, others] = [first, rest];
    await jobsOver(leader);
    await leader.request('PUT', '/api/plugins/tally/permissions', {
      granted: { kv: { quotaMb: 1 }, hears: ['library'] },
    });
    await until('the plugin runs', async () => {
      const states = await Promise.all(
        cluster.servers.map(
          async (server) =>
            (await server.get<{ plugin: { state: string } }>('/api/plugins/tally')).plugin.state,
        ),
      );
      return states.every((state) => state === 'running');
    });
  });

  function follower(): TestServer {
    const [second] = others;
    if (second === undefined) throw new Error('A server is missing.');
    return second;
  }

  /** The moments of what the plugin heard, each as often as it heard of it. */
  async function heard(): Promise<readonly string[]> {
    const { body } = await follower().request('POST', '/api/plugins/tally/actions/heard', {
      params: {},
    });
    return (body as { result: readonly string[] }).result.map((key) => key.split('/')[1] ?? '');
  }

  afterAll(async () => {
    await cluster.end();
    await tree.remove();
  });

  test('search finds an edit within 15 s after the leader froze, and one leads when it is back', async () => {
    const [, third] = others;
    const second = follower();
    if (third === undefined) throw new Error('A server is missing.');
    const frozenId = await idOf(leader);
    const [item] = await allItems(second);
    const edit = (title: string) =>
      second.request('PATCH', `/api/items/${item?.id ?? ''}`, { title });
    for (let no = 0; no < 5; no += 1) await edit(`Before ${no}`);
    await until('the plugin heard of it', async () => (await heard()).length === 5);
    const before = await leadersOf(second);
    process.kill(leader.pid, 'SIGSTOP');
    const frozenAt = performance.now();
    try {
      await edit('Kestrel');
      await until('search finds the edit', async () => {
        const { body } = await third.request('GET', '/api/search?q=Kestrel');
        return JSON.stringify(body).includes('Kestrel');
      });
      const seconds = (performance.now() - frozenAt) / 1000;
      await until('it is told', async () => {
        const { problems } = await third.get<{ problems: { code: string }[] }>('/api/health');
        return problems.some(({ code }) => code === 'server_missing');
      });

      expect(before).toEqual([frozenId]);
      expect(seconds).toBeLessThan(15);
    } finally {
      process.kill(leader.pid, 'SIGCONT');
    }
    await until('it is back', async () =>
      (await listed(third)).every(({ state }) => state === 'present'),
    );
    for (let no = 0; no < 5; no += 1) await edit(`After ${no}`);
    await until('the plugin heard of all', async () => (await heard()).length >= 11);
    const moments = await heard();
    const leaders = await Promise.all([leader, second, third].map(leadersOf));
    expect([moments.length, new Set(moments).size]).toEqual([11, 11]);
    expect(new Set(leaders.flat()).size).toBe(1);
    expect(leaders[0]).not.toEqual([frozenId]);
    expect(leader.output()).toContain('no longer the leader');
  });

  test('a server without the role web answers only what machines ask', async () => {
    const worker = await cluster.add(['--roles', 'jobs,convert']);

    const answers = await Promise.all(
      ['/api/libraries', '/', '/api/ready', '/api/health', '/metrics'].map(
        async (route) => (await fetch(worker.url + route, { headers: {} })).status,
      ),
    );
    const ready = await worker.request('GET', '/api/ready');

    expect(answers).toEqual([503, 503, 200, 200, 401]);
    expect(ready.body).toMatchObject({ ready: true, roles: ['jobs', 'convert'] });
    expect((await listed(leader)).at(-1)?.roles).toEqual(['jobs', 'convert']);
  });
});
