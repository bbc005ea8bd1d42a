/** What a server says and does at its start: ready, found by doctor, and without scans that others made. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMediaTree } from '../support/media/media-tree.ts';
import { startCluster } from '../support/servers/cluster.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const run = promisify(execFile);
const program = path.resolve(import.meta.dirname, '../../dist/server.mjs');

/** The libraries of all scans that there were. */
async function scansAt(server: TestServer): Promise<readonly string[]> {
  const { jobs } = await server.get<{ jobs: { type: string; libraryId: string }[] }>('/api/jobs');
  return jobs.filter(({ type }) => type === 'scan').map(({ libraryId }) => libraryId);
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' ? (bound?.port ?? 0) : 0));
    });
  });

test('a server is ready when the libraries of its configuration are there', async () => {
  const tree = await createMediaTree(['Night Train (2001)/Night Train (2001).mkv']);
  onTestFinished(tree.remove);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const names = Array.from({ length: 20 }, (_, no) => `Films ${no}`);
  const folders = await Promise.all(
    names.map(async (name) => {
      await tree.write(`${name}/Film (2001)/Film (2001).mkv`);
      return ['--library', `movies:${name}:${tree.path}/${name}`];
    }),
  );
  const starting = startServer({ args: ['--port', String(port), ...folders.flat()] });
  let statuses = '';
  await until('it is ready', async () => {
    const status = await fetch(`${url}/api/ready`).then(
      (reply) => reply.status,
      () => 0,
    );
    statuses += ` ${status}`;
    return status === 200;
  });
  const headers = { authorization: `Bearer ${adminToken}` };
  const reply = await fetch(`${url}/api/libraries`, { headers });
  const { libraries } = (await reply.json()) as { readonly libraries: readonly object[] };
  await (await starting).stop();

  expect(libraries).toHaveLength(names.length);
  expect(statuses).toMatch(/ 200$/);
});

test('doctor asks the server of the data folder at the address that it listens at', async () => {
  const server = await startServer();
  onTestFinished(async () => void (await server.stop()));

  const env = { PATH: process.env['PATH'] };
  const doctor = [program, 'doctor', '--data', server.data];
  const { stdout } = await run(process.execPath, doctor, { env });

  expect(stdout).toMatch(/server.*answers/i);
  expect(stdout).not.toContain('does not answer');
});

test('a blob store that does not answer is a problem, and fails nothing', async () => {
  const blobs = ['--blobs', 's3://media/vitrine', '--blobs-endpoint', 'http://127.0.0.1:9'];
  const server = await startServer({
    args: blobs,
    env: { AWS_ACCESS_KEY_ID: 'a key', AWS_SECRET_ACCESS_KEY: 'a secret' },
  });
  onTestFinished(async () => void (await server.stop()));

  await until('it is told', async () => {
    // It has none while it starts.
    const { problems = [] } = await server.get<{ problems?: { code: string }[] }>('/api/health');
    return problems.some(({ code }) => code === 'blobs_failing');
  });
  const ready = await server.request('GET', '/api/ready');

  expect(ready.status).toBe(200);
});

describe.skipIf(!hasPostgres())('beside another one (needs PostgreSQL)', () => {
  test('a server scans nothing that was scanned', async () => {
    const tree = await createMediaTree([
      'films/Night Train (2001)/Night Train (2001).mkv',
      'more/Day Train (2002)/Day Train (2002).mkv',
    ]);
    const library = ['--library', `movies:Films:${tree.path}/films`, '--scan-hours', '0'];
    const cluster = await startCluster(1, library);
    onTestFinished(async () => {
      await cluster.end();
      await tree.remove();
    });
    const [first] = cluster.servers;
    if (first === undefined) throw new Error('No server started.');
    await jobsOver(first);

    const second = await cluster.add();
    const third = await cluster.add(['--library', `movies:More:${tree.path}/more`]);
    await until('the third has scanned its own', async () => {
      const scans = await scansAt(third);
      return scans.length > 1;
    });
    await jobsOver(second);
    const scanned = await scansAt(second);

    expect([scanned.length, new Set(scanned).size]).toEqual([2, 2]);
  });
});
