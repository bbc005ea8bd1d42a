/** What a server tells those who watch it: metrics, and a log in which no secret ever stands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileCache } from '../support/run/built-program.ts';
import { serverEnvironment, serverFlags } from '../../packages/app/cli/server-flags.mjs';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');

let media: MediaTree;
let server: TestServer;

beforeAll(async () => {
  media = await createMediaTree(['Heat (1995)/Heat (1995).mkv', 'Alien (1979)/Alien (1979).mkv']);
  server = await startServer({
    args: [
      '--log-format',
      'json',
      '--log-level',
      'debug',
      '--library',
      `movies:Films:${media.path}`,
    ],
  });
  await jobsOver(server);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await media.remove();
});

const ask = (route: string, token: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${route}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });

const metrics = async (): Promise<string> => (await ask('/metrics', adminToken)).text();

describe('GET /metrics', () => {
  test('opens to a key that opens nothing else', async () => {
    const { body } = await server.request('POST', '/api/api-keys', {
      name: 'prometheus',
      role: 'admin',
      scopes: ['read-only', 'route:GET /metrics'],
    });
    const { token: key } = body as { token: string };

    const reply = await ask('/metrics', key);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await ask('/api/items', key)).status).toBe(403);
  });

  test('counts what happened by route, plugin, hook, job type and database', async () => {
    await server.get('/api/items');
    await ask('/api/items/no-such-item', adminToken);

    const text = await metrics();
    for (const found of [
      /^vitrine_http_requests_total\{method="GET",route="\/api\/items",status="200"\} [1-9]/m,
      /^vitrine_http_requests_total\{method="GET",route="\/api\/items\/:id",status="404"\} [1-9]/m,
      /^vitrine_plugin_calls_total\{plugin="scanner",method="job.run",outcome="returned"\} [1-9]/m,
      /^vitrine_plugin_state\{plugin="scanner",state="running"\} 1$/m,
      /^vitrine_plugin_cpu_seconds\{plugin="scanner"\} 0*\.?\d/m,
      /^vitrine_job_duration_seconds_count\{type="scan",status="completed"\} [1-9]/m,
      /^vitrine_jobs\{status="completed"\} [1-9]/m,
      /^vitrine_database_writes_total\{outcome="committed"\} [1-9]/m,
      /^vitrine_database_up 1$/m,
      /^process_cpu_seconds_total /m,
    ])
      expect(text).toMatch(found);
  });

  test('has every series that the dashboard and the page of docs name', async () => {
    const text = await metrics();
    const there = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const dashboard = await readFile(path.join(docs, 'grafana-dashboard.json'), 'utf8');
    const page = await readFile(path.join(docs, 'monitoring.md'), 'utf8');
    const named = [
      ...`${dashboard}\n${page}`.matchAll(/\b(?:vitrine|process|nodejs)_[a-z0-9_]*[a-z0-9]/g),
    ].map(([name]) => name.replace(/_bucket$/, ''));

    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !there.has(name))).toEqual([]);
  });
});

describe('the log', () => {
  test('speaks of a request under the id that its reply carries', async () => {
    const reply = await ask('/api/libraries', adminToken);
    const id = reply.headers.get('x-request-id');

    await until('the line is there', () => server.output().includes(`"requestId":"${id}"`));
    const line = server
      .output()
      .split('\n')
      .find((one) => one.includes(`"requestId":"${id}"`));
    expect(JSON.parse(line ?? '')).toMatchObject({
      method: 'GET',
      route: '/api/libraries',
      status: 200,
    });
  });

  test('holds no secret that was sent, made or refused, however much it says', async () => {
    const secrets = {
      password: 'correct horse battery staple 81',
      wrong: 'a wrong password that was tried',
      bearer: `vtk_${'ab'.repeat(32)}`,
      hook: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      license: 'VIT1.bGljZW5zZQ.c2lnbmF0dXJl',
      pin: '48151623',
    };
    await server.request('POST', '/api/users', { name: 'ann', password: secrets.password });
    const login = (password: string) =>
      ask('/api/auth/login', '', {
        method: 'POST',
        body: JSON.stringify({ name: 'ann', password }),
      });
    const { token } = (await (await login(secrets.password)).json()) as { token?: string };
    await login(secrets.wrong);
    await ask('/api/items', secrets.bearer);
    await ask(`/api/items?token=${secrets.bearer}`, adminToken);
    await server.request('POST', '/api/license/activate', { licenseKey: secrets.license });
    await server.request('POST', '/api/webhooks', {
      name: 'hook',
      url: 'https://hooks.example.org/x',
      events: '*',
      secret: secrets.hook,
    });
    await server.request('POST', '/api/profiles', { name: 'kid', pin: secrets.pin });
    const last = await ask('/api/health', adminToken);
    await until('the line is there', () =>
      server.output().includes(last.headers.get('x-request-id') ?? '?'),
    );

    const output = server.output();
    for (const secret of [...Object.values(secrets), adminToken, token ?? 'no token came'])
      expect(output, secret).not.toContain(secret);
    expect(output).not.toMatch(/\bvt[ksi]_[0-9a-f]{16}/);
  });

  test('may lose its reader, as before | head: the server stays', async () => {
    const data = await mkdtemp(path.join(tmpdir(), 'vitrine-unread-'));
    const main = path.resolve(docs, '../dist/server.mjs');
    const flags = ['serve', '--port', '0', '--data', data, '--log-level', 'debug'];
    const child = spawn(process.execPath, [...serverFlags, main, ...flags], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], ...serverEnvironment, NODE_COMPILE_CACHE: compileCache },
    });
    let said = '';
    for await (const part of child.stdout) {
      said += String(part);
      if (said.includes('listening on')) break;
    }
    child.stdout.destroy();
    const [, url = ''] = /listening on (http:\S+)/.exec(said) ?? [];

    for (let times = 0; times < 5; times++)
      expect((await fetch(`${url}/api/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await rm(data, { recursive: true });
  });
});
