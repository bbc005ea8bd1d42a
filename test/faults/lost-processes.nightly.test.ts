/** SIGKILL from outside: of the process that holds the built-ins, and of the server itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { isAlive } from '../support/plugins/open-sandboxes.ts';
import { allItems, jobsOver, scanAll } from '../support/servers/scan.ts';
import {
  adminToken,
  databaseFlags,
  processTree,
  startServer,
  until,
  type TestServer,
} from '../support/servers/server.ts';
import { doomed } from './hostile-plugins.ts';
import { beginScan, follow, grant, type HeardEvent } from './watched-server.ts';
import { writePlugin } from './write-plugin.ts';

/** Tests that run side by side each have an end of their own. */
type Finished = TestContext['onTestFinished'];

async function dataFolder(onTestFinished: Finished): Promise<string> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  onTestFinished(() => rm(data, { recursive: true }));
  return data;
}

async function treeOf(onTestFinished: Finished, films: number): Promise<MediaTree> {
  const tree = await createMediaTree();
  onTestFinished(tree.remove);
  for (let film = 0; film < films; film++) {
    await tree.write(`${film % 50}/Film ${film} (${1950 + (film % 70)}).mkv`);
  }
  return tree;
}

const childrenOf = async (server: TestServer): Promise<readonly number[]> =>
  (await processTree(server.pid)).slice(1);

const itemCount = async (server: TestServer): Promise<number> =>
  (await server.get<{ libraries: { itemCount: number }[] }>('/api/libraries')).libraries[0]
    ?.itemCount ?? 0;

const pluginsOf = async (server: TestServer) =>
  (
    await server.get<{ plugins: { id: string; state: string; restartAttempts: number }[] }>(
      '/api/plugins',
    )
  ).plugins;

test.concurrent(
  'the built-ins come back when their process is killed twice in a scan, which ends right',
  {
    timeout: 60_000,
  },
  async ({ onTestFinished }) => {
    const films = 2000;
    const tree = await treeOf(onTestFinished, films);
    const server = await startServer({
      data: await dataFolder(onTestFinished),
      args: ['--ingest', 'off'],
    });
    onTestFinished(server.kill);
    const events: HeardEvent[] = [];
    const ending = new AbortController();
    await follow(server.url, events, ending.signal);
    // One that starts on demand is in no process yet, and so loses none.
    const ids = (await pluginsOf(server)).map(({ id }) => id).filter((id) => !startsOnDemand(id));

    const letGo = await holdRequest(server.url, onTestFinished);
    await beginScan(server, tree.path);
    const killed: number[] = [];
    for (const share of [0.1, 0.4]) {
      let hosts: readonly number[] = [];
      await until('the scan has come further, and its host is there again', async () => {
        hosts = await childrenOf(server);
        return hosts.length === 1 && (await itemCount(server)) > films * share;
      });
      expect(await itemCount(server)).toBeLessThan(films);
      for (const pid of hosts) process.kill(pid, 'SIGKILL');
      killed.push(...hosts);
    }
    letGo();
    await jobsOver(server);

    const items = await allItems(server);
    expect(items).toHaveLength(films);
    expect(new Set(items.map(({ title }) => title)).size).toBe(films);
    await until('the index has caught up', async () => (await found(server)) === films);
    expect(restartsOf(events)).toEqual(expect.arrayContaining(ids));
    for (const plugin of await pluginsOf(server)) expect(plugin.state).toBe('running');
    expect(await childrenOf(server)).not.toEqual(expect.arrayContaining(killed));
    ending.abort();
    expect(await server.stop()).toBe(0);
  },
);

function startsOnDemand(id: string): boolean {
  const manifest = readFileSync(path.join('builtin-plugins', id, 'manifest.json'), 'utf8');
  return /"starts": "on-demand"/.test(manifest);
}

/**
 * Keeps a request under way: a scan beside one takes four steps of a hundred files in a second, so its
 * middle lasts for seconds on any machine. Gives what ends it.
 */
async function holdRequest(url: string, onTestFinished: Finished): Promise<() => void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const letGo = (): void => void socket.destroy();
  onTestFinished(letGo);
  await once(socket, 'connect');
  socket.write(
    'POST /api/libraries HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
      `authorization: Bearer ${adminToken}\r\ncontent-length: 100\r\n\r\n{`,
  );
  return letGo;
}

const found = async (server: TestServer): Promise<number> =>
  (await server.get<{ itemsTotal: number }>('/api/search?q=film&limit=1')).itemsTotal;

const restartsOf = (events: readonly HeardEvent[]): readonly unknown[] =>
  events.flatMap(({ type, data }) => (type === 'plugin.restarted' ? [data['pluginId']] : []));

test.concurrent('a killed server leaves no plugin host behind, and its data folder to the next', async ({
  onTestFinished,
}) => {
  const data = await dataFolder(onTestFinished);
  const tree = await treeOf(onTestFinished, 20);
  const loops = doomed.filter(({ id }) => id.endsWith('-loop'));
  for (const plugin of loops) await writePlugin(data, plugin);
  const first = await startServer({ data });
  for (const { id } of loops) await grant(first, id);
  await beginScan(first, tree.path);
  await jobsOver(first);
  const items = await allItems(first);
  let hosts: readonly number[] = [];
  await until('each plugin that was granted has its process', async () => {
    hosts = await childrenOf(first);
    return hosts.length === 1 + loops.length;
  });

  await first.kill();

  await until('no plugin host is left', () => !hosts.some(isAlive));
  const second = await startServer({ data });
  expect(await allItems(second)).toEqual(items);
  expect(await pluginsOf(second)).toEqual(
    expect.arrayContaining(loops.map(({ id }) => expect.objectContaining({ id, enabled: true }))),
  );
  await scanAll(second);
  expect(await allItems(second)).toEqual(items);
  await until('the index has caught up', async () => (await found(second)) === items.length);
  expect(await second.stop()).toBe(0);
});

/** A server under `bootstrap.mjs`, as `npm start` runs it. */
async function launch(data: string, onTestFinished: Finished) {
  const bootstrap = path.resolve(import.meta.dirname, '../../packages/app/cli/bootstrap.mjs');
  const args = [bootstrap, 'serve', '--data', data, '--port', '0', ...(await databaseFlags(data))];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], VITRINE_WATCH: 'off', VITRINE_PLUGIN_ISOLATION: 'process' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  await until('the server listens', () => output.includes('listening on'));
  const owner = await readFile(path.join(data, 'vitrine.owner'), 'utf8');
  return { child, pid: (JSON.parse(owner) as { pid: number }).pid, output };
}

test.concurrent('a second server is refused in one line that names the first, which stops when its launcher is killed', async ({
  onTestFinished,
}) => {
  const data = await dataFolder(onTestFinished);
  const { child, pid, output } = await launch(data, onTestFinished);
  expect(output).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ Vitrine listening on /m);

  await expect(startServer({ data })).rejects.toThrow(
    `vitrine: The data folder ${data} is in use by process ${pid}; stop it first, or choose another with --data.`,
  );
  child.kill('SIGKILL');

  await until('the server has ended', () => !isAlive(pid));
  // An orderly stop closes the database and removes the record of the owner.
  expect(await readdir(data)).not.toEqual(expect.arrayContaining(['vitrine.owner']));
});
