/** A whole server with what this system has around the processes of plugins. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../support/plugins/open-sandboxes.ts';
import { processTree, startServer, until, type TestServer } from '../support/servers/server.ts';

const manifest = {
  manifestVersion: 1,
  ...{ id: 'stranger', name: 'Stranger', version: '1.0.0', description: 'Answers.' },
  ...{ author: 'A test', license: 'MIT', main: 'index.js', minVersion: '>=0.1.0' },
  ...{ capabilities: [], mediaTypes: [], permissions: {}, actions: ['add'] },
};

let data: string;
let server: TestServer;

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  const folder = path.join(data, 'plugins/stranger');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(
    path.join(folder, 'index.js'),
    'export default { actions: { add: ({ a, b }) => [a + b, typeof process] } };',
  );
  server = await startServer({ data, env: { VITRINE_PLUGIN_ISOLATION: 'auto' } });
  await server.request('PUT', '/api/plugins/stranger/permissions', { granted: {} });
  await until('the plugin runs', async () => {
    const { plugin } = await server.get<{ plugin: { state: string } }>('/api/plugins/stranger');
    return plugin.state === 'running';
  });
});

afterAll(() => rm(data, { recursive: true }));

test('the tier is in the stats and in the log, and the plugin runs in it', async () => {
  const { pluginIsolation } = await server.get<{ pluginIsolation: string }>('/api/stats');
  const told = /Plugins run (in namespaces|behind Landlock|without)/.exec(server.output())?.[1];
  const action = '/api/plugins/stranger/actions/add';

  const { body } = await server.request('POST', action, { a: 1, b: 2 });

  const tiers = {
    'in namespaces': 'namespaces',
    'behind Landlock': 'landlock',
    without: 'process',
  };
  expect(pluginIsolation).toBe(tiers[told as keyof typeof tiers]);
  expect(body).toEqual({ result: [3, 'undefined'] });
});

test('nothing of a plugin outlives a server that is killed', async () => {
  const tree = await processTree(server.pid);
  expect(tree.length).toBeGreaterThan(2);

  await server.kill();

  await until('all are gone', () => tree.every((pid) => !isAlive(pid)));
});
