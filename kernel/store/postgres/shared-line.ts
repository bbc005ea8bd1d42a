/**
 * A dedicated connection to PostgreSQL. It receives the notifications of other processes, and its
 * locks last as long as it does. A lost connection is made again, and its user is told of both.
 * Notifications in between are lost, so the user must read the tables again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Notification } from 'pg';
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../log.ts';
import { assertKeepsSession } from './pooler.ts';
import { ConnectionLost, toStorageError } from './postgres-errors.ts';
import { createPostgresTypes, loadPostgres } from './postgres-values.ts';

/** Runs a statement while the connection lasts. */
export type AskLine = <Row extends object>(
  sql: string,
  values?: readonly (string | number | boolean | null)[],
) => Promise<readonly Row[]>;

/** The user of the connection. */
export interface SharedLineUser {
  /** It is connected and receives notifications; rejects when the user cannot use it. */
  readonly up: (ask: AskLine) => Promise<void>;
  /** A notification arrived. */
  readonly onNotification: (text: string) => void;
  /** It is lost, and all its locks with it. */
  readonly down: () => void;
}

/** The open connection. */
export interface SharedLine {
  /** Rejects while there is no connection. */
  readonly ask: AskLine;
  readonly close: () => Promise<void>;
}

/** The parts of a connection. */
export interface SharedLineParts {
  readonly url: string;
  readonly applicationName: string;
  readonly channel: string;
  readonly user: SharedLineUser;
  readonly log: Log;
}

const firstPauseMs = 100;
const longestPauseMs = 2000;
const connectTimeoutMs = 10_000;

/** Opens it; rejects when the first connection fails. */
export async function openSharedLine(parts: SharedLineParts): Promise<SharedLine> {
  const { user, log } = parts;
  let current: { readonly client: Client; readonly ask: AskLine } | null = null;
  let isClosed = false;
  let connecting: Promise<void> = Promise.resolve();

  /** Runs statements one at a time, first in, first out. */
  function asking(client: Client): AskLine {
    const queue = createSerialQueue();
    return (sql, values = []) =>
      queue.run(async () => {
        try {
          return (await client.query<never>({ text: sql, values: [...values] })).rows;
        } catch (cause) {
          throw toStorageError(cause);
        }
      });
  }

  async function connect(): Promise<void> {
    const client = createClient(parts);
    const lost = (): void => {
      if (current?.client !== client) return;
      current = null;
      user.down();
      if (!isClosed) connecting = reconnect();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload }: Notification) => user.onNotification(payload ?? ''));
    try {
      await client.connect();
      await client.query(`set idle_session_timeout to 0`).catch(() => undefined);
      await client.query(`listen ${parts.channel}`);
      await assertKeepsSession(client, createClient(parts), parts.channel);
      current = { client, ask: asking(client) };
      await user.up(current.ask);
    } catch (cause) {
      current = null;
      await client.end().catch(() => undefined);
      throw toStorageError(cause);
    }
  }

  async function reconnect(): Promise<void> {
    log.warn({}, 'The connection to the other servers is lost. Trying again.');
    for (let pauseMs = firstPauseMs; !isClosed; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await sleep(pauseMs, undefined, { ref: false });
      if (isClosed) return;
      try {
        await connect();
        log.info({}, 'The connection to the other servers is restored.');
        return;
      } catch (error) {
        log.debug({ err: error }, 'The connection to the other servers could not be made.');
      }
    }
  }

  await connect();
  return {
    ask: (sql, values) =>
      current === null
        ? Promise.reject(new ConnectionLost(new Error('Connection terminated')))
        : current.ask(sql, values),
    close: async () => {
      isClosed = true;
      const held = current;
      current = null;
      await held?.client.end().catch(() => undefined);
      await connecting.catch(() => undefined);
    },
  };
}

function createClient({ url, applicationName }: SharedLineParts): Client {
  const { Client: PostgresClient } = loadPostgres();
  return new PostgresClient({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: createPostgresTypes(),
  });
}
