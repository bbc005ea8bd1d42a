/** A real pgbouncer in front of a temporary database, where the machine has one. */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../servers/free-port.ts';
import type { TemporaryDatabase } from './postgres.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  existsSync,
);

/** Whether the machine has pgbouncer. */
export const hasPgbouncer = (): boolean => program !== undefined;

/** Addresses of one database through it. */
export interface Pooler {
  /** Each transaction may get another session. */
  readonly transactions: string;
  /** A connection keeps its session. */
  readonly sessions: string;
  readonly stop: () => Promise<void>;
}

/** Starts it; with two sessions of the database in all, so that transactions do change sessions. */
export async function startPgbouncer({ url, name = '' }: TemporaryDatabase): Promise<Pooler> {
  if (program === undefined) throw new Error('This machine has no pgbouncer.');
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-pgbouncer-'));
  await chmod(folder, 0o755);
  const socket = new URL(url.replace('@/', '@host/')).searchParams.get('host') ?? '';
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const to = `host=${socket} dbname=${name} user=vitrine`;
  await writeFile(
    file,
    `[databases]
transactions = ${to} pool_mode=transaction pool_size=3
sessions = ${to} pool_mode=session pool_size=20
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
`,
  );
  // It refuses to run as root.
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program, [file], { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('process up')) resolve();
    });
    child.on('exit', () => reject(new Error(`pgbouncer ended: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const addressOf = (pool: string): string => `postgres://vitrine@127.0.0.1:${port}/${pool}`;
  return {
    transactions: addressOf('transactions'),
    sessions: addressOf('sessions'),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
