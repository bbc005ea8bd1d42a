/**
 * A connection of its own to PostgreSQL: it hears what other processes announce, and what it locks is
 * held for as long as it lasts. When it is lost it is made again, and whoever uses it hears of both:
 * what was announced between the two was not heard, so it has to be looked for in tables.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Notification } from 'pg';
import type { Log } from '../../log.ts';
import { ConnectionLost, toStorageError } from './postgres-errors.ts';
import { createPostgresTypes, loadPostgres } from './postgres-values.ts';

/** What a connection is asked, as long as it lasts. */
export type AskLine = <Row extends object>(
  sql: string,
  values?: readonly (string | number | boolean | null)[],
) => Promise<readonly Row[]>;

/** Who uses the line. */
export interface SharedLineUser {
  /** It is there, and hears from now on; rejects when it is no good. */
  readonly up: (ask: AskLine) => Promise<void>;
  /** Something was announced. */
  readonly heard: (text: string) => void;
  /** It is lost, and every lock with it. */
  readonly down: () => void;
}

/** The line, as who opened it has it. */
export interface SharedLine {
  /** Rejects while there is no connection. */
  readonly ask: AskLine;
  readonly close: () => Promise<void>;
}

/** What it is opened with. */
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

/** Opens it; rejects when the first connection could not be made. */
export async function openSharedLine(parts: SharedLineParts): Promise<SharedLine> {
  const { user, log } = parts;
  let current: { readonly client: Client; readonly ask: AskLine } | null = null;
  let isClosed = false;
  let connecting: Promise<void> = Promise.resolve();

  /** One question at a time, in the order in which they came. */
  function asking(client: Client): AskLine {
    let last: Promise<unknown> = Promise.resolve();
    return (sql, values = []) => {
      const answer = last.then(() => client.query<never>({ text: sql, values: [...values] }));
      last = answer.catch(() => undefined);
      return answer.then(
        ({ rows }) => rows,
        (cause: unknown) => {
          throw toStorageError(cause);
        },
      );
    };
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
    client.on('notification', ({ payload }: Notification) => user.heard(payload ?? ''));
    try {
      await client.connect();
      await client.query(`set idle_session_timeout to 0`).catch(() => undefined);
      await client.query(`listen ${parts.channel}`);
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
        log.info({}, 'The connection to the other servers is there again.');
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
