/** A whole broker in this process, over a database of its own, whose time a test can move. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import { openStorage } from '../../../kernel/store/index.ts';
import {
  createBroker,
  usualLimits,
  type BrokerLimits,
} from '../../../packages/app/broker/index.ts';
import { brokerMigrations } from '../../../packages/app/broker/broker-migrations.ts';
import type { SignedObject } from '../../../packages/lib/identity-protocol/index.ts';
import { writeMigrated } from '../storage/migrated-file.ts';
import { rowsOf } from '../storage/postgres.ts';
import { newDatabase } from '../storage/storage.ts';
import type { MovingClock } from './moving-clock.ts';

/** Which broker to open. */
export interface TestBrokerOptions {
  readonly clock: MovingClock;
  /** Those of the protocol; usually there are none to speak of, since a test is many people at once. */
  readonly limits?: 'usual' | Partial<BrokerLimits>;
}

/** A record for the feed, as only somebody with the database can put it there. */
export interface PlantedRecord {
  readonly record: SignedObject;
  readonly kind: string;
  readonly userId: string;
  readonly clientId: string | null;
}

/** A broker that listens. */
export interface TestBroker {
  readonly identityUrl: string;
  /** The folder of its database and its secret. */
  readonly data: string;
  /** The url of its database. */
  readonly database: string;
  /** The folder of its pages. */
  readonly pages: string;
  /** Puts records into the feed behind the broker's back: nobody looks at their signatures. */
  readonly plant: (records: readonly PlantedRecord[]) => Promise<void>;
  /** Ends it; its address answers no more. */
  readonly pause: () => Promise<void>;
  /** All that a thief of its folder and its database has; of files each byte is one letter. */
  readonly kept: () => Promise<string>;
  /** Starts it again over the same database, at the same address. */
  readonly resume: () => Promise<void>;
  /** Whether its database is a file, which can be copied. */
  readonly isFile: boolean;
  /** Copies that file as it is, while the broker is ended; `restore` puts the copy back. */
  readonly backup: () => void;
  readonly restore: () => void;
  readonly stop: () => Promise<void>;
}

export const brokerPages = path.resolve(import.meta.dirname, '../../../dist/broker-pages');

const boundless = Object.fromEntries(
  Object.keys(usualLimits).map((name) => [name, 1_000_000]),
) as unknown as BrokerLimits;

const limitsOf = (limits: TestBrokerOptions['limits'] = {}): BrokerLimits =>
  limits === 'usual' ? usualLimits : { ...boundless, ...limits };

/** Opens one on a free port. The caller stops it; its files go with it. */
export async function openTestBroker({ clock, limits }: TestBrokerOptions): Promise<TestBroker> {
  const data = mkdtempSync(path.join(tmpdir(), 'vitrine-broker-'));
  const database = await newDatabase(data, { name: 'broker.db' });
  const file = path.join(data, 'broker.db');
  if (database.url.startsWith('sqlite:')) await writeMigrated(file, [brokerMigrations]);
  const key = randomBytes(32);

  const open = async (port: number) => {
    const broker = await createBroker({
      config: {
        ...{ host: '127.0.0.1', port, data, database: database.url, identityUrl: null },
        ...{ trustedProxies: [], version: '0.0.0', limits: limitsOf(limits) },
        pages: existsSync(brokerPages) ? brokerPages : null,
      },
      key,
      clock,
      log: silentLog,
      fetchProof: async () => null,
      resolveTxt: async () => [],
    });
    return { broker, ...(await broker.start()) };
  };
  let opened = await open(0);
  const { identityUrl } = opened;
  const { port } = new URL(identityUrl);

  async function plant(records: readonly PlantedRecord[]): Promise<void> {
    const { url } = database;
    const storage = await openStorage({ url, migrations: [], isMigrating: false, log: silentLog });
    const rows = records.map(({ record: { payload, sig }, userId, kind, clientId }, index) => ({
      ...{ published_at: clock.now() + index, payload_hash: randomBytes(32).toString('hex') },
      ...{ user_id: userId, kind, client_id: clientId, payload, sig },
    }));
    try {
      await storage.database.write((trx) => storage.database.insertRows(trx, 'records', rows));
    } finally {
      await storage.close();
    }
  }

  return {
    identityUrl,
    data,
    database: database.url,
    pages: brokerPages,
    plant,
    pause: () => opened.broker.stop(),
    resume: async () => {
      opened = await open(Number(port));
    },
    kept: async () => {
      const isFile = database.url.startsWith('sqlite:');
      return [...filesBelow(data), ...(isFile ? [] : await rowsOf(database.url))].join('\n');
    },
    isFile: database.url.startsWith('sqlite:'),
    backup: () => copyFileSync(file, `${file}.backup`),
    restore: () => {
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
      copyFileSync(`${file}.backup`, file);
    },
    stop: async () => {
      await opened.broker.stop();
      await database.remove();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
