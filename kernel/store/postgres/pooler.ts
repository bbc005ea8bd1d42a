/**
 * Whether a connection goes through a pooler such as pgbouncer, and whether that keeps its session.
 * A pooler answers the handshake itself, with a number that is not that of the session behind it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Notification } from 'pg';
import { KernelError } from '../../errors.ts';

/** `pid` is the number that the session itself gives. */
export const isThroughPooler = (connection: Client, pid: number): boolean =>
  numberOf(connection) !== pid;

/** The number of the handshake, which the types of `pg` leave out. */
const numberOf = (connection: Client): unknown =>
  'processID' in connection ? connection.processID : null;

const longestWaitMs = 5000;
const againMs = 200;

/**
 * Rejects when a connection that listens on a channel does not hear of another one, as behind a
 * pooler that gives each transaction another session.
 */
export async function assertKeepsSession(
  line: Client,
  other: Client,
  channel: string,
): Promise<void> {
  const { rows } = await line.query<{ pid: number }>('select pg_backend_pid() as pid');
  if (!isThroughPooler(line, rows[0]?.pid ?? 0)) return;
  const sent = randomUUID();
  let isHeard = false;
  const hear = ({ payload }: Notification): void => {
    if (payload === sent) isHeard = true;
  };
  line.on('notification', hear);
  await other.connect();
  try {
    for (let waitedMs = 0; !isHeard && waitedMs < longestWaitMs; waitedMs += againMs) {
      await other.query('select pg_notify($1, $2)', [channel, sent]);
      await sleep(againMs);
    }
  } finally {
    line.off('notification', hear);
    await other.end().catch(() => undefined);
  }
  if (!isHeard) throw new KernelError('storage_failed', keepsNone);
}

const keepsNone =
  'The pooler in front of PostgreSQL gives each transaction another session. All else works so, but one connection of each server must keep its session: give it an address of its own with --database-session, such as that of PostgreSQL itself or of a pool with pool_mode=session.';
