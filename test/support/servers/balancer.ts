/** A real haproxy in front of several servers: each request goes to the next one, and nothing is sticky. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './server.ts';

/** The program; absent where the machine has none. */
export const haproxy = ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/usr/local/sbin/haproxy'].find(
  existsSync,
);

/** Whether the machine has haproxy. */
export const hasHaproxy = (): boolean => haproxy !== undefined;

export interface BalancerOptions {
  /** How often it tries another server. */
  readonly retries?: number;
  /** After so long without an answer to its question a server counts as frozen. */
  readonly patienceMs?: number;
}

export interface Balancer {
  readonly url: string;
  /** How many servers it takes for ready. */
  readonly up: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts it for servers at these ports of the loopback; it asks each whether it is ready. */
export async function startBalancer(
  ports: readonly number[],
  { retries = 3, patienceMs = 10_000 }: BalancerOptions = {},
): Promise<Balancer> {
  if (haproxy === undefined) throw new Error('This machine has no haproxy.');
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-haproxy-'));
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, ports, { retries, patienceMs }));
  const child = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let isOver = false;
  child.stdout.on('data', (part: Buffer) => (said += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise((resolve) => child.on('exit', resolve)).then(() => (isOver = true));
  const url = `http://127.0.0.1:${port}`;
  await until('haproxy has servers', async () => {
    if (isOver) throw new Error(`haproxy ended: ${said}`);
    const reply = await fetch(`${url}/api/ready`).catch(() => null);
    return reply?.status === 200;
  });
  return {
    url,
    up: async () => {
      const rows = await (await fetch(`${url}/balancer;csv`)).text();
      return [...rows.matchAll(/^vitrine,s\d+,.*,UP,/gm)].length;
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As docs/install/cluster/haproxy.cfg, for servers of this machine. */
const configuration = (
  port: number,
  ports: readonly number[],
  { retries, patienceMs }: Required<BalancerOptions>,
): string => `
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout check ${patienceMs}ms
  retries ${retries}
  ${retries > 0 ? 'option redispatch 1\n  retry-on conn-failure empty-response 503' : ''}
listen vitrine
  bind 127.0.0.1:${port}
  balance roundrobin
  stats uri /balancer
  option httpchk GET /api/ready
  http-request disable-l7-retry if !METH_GET
  default-server check inter 500ms fall 2 rise 1
${ports.map((one, no) => `  server s${no} 127.0.0.1:${one}`).join('\n')}
`;
