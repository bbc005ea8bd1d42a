/** A whole server of a household, with its plugins and its database, whose time a test can move. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/index.ts';
import { openStorage } from '../../../kernel/store/index.ts';
import { createPasswords, type Passwords } from '../../../src/people/credentials/index.ts';
import { createVitrine } from '../../../src/compose/index.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { openServerIdentity } from '../../../src/people/identity/index.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { layDatabase } from '../run/first-database.ts';
import { eventually } from '../eventually.ts';
import { isOverPostgres, rowsOf } from '../storage/postgres.ts';
import { adminToken } from '../servers/server.ts';
import { newDatabase } from '../storage/storage.ts';
import { ask, good, textOf, type Answer, type Asked } from './ask.ts';
import type { MovingClock } from './moving-clock.ts';

/** The password of everybody in a test. */
export const password = 'correct horse battery';

/** Which server to open. */
export interface HomeServerOptions {
  readonly name: string;
  readonly identityUrl: string;
  readonly clock: MovingClock;
  /** Names of films that it has. */
  readonly films?: readonly string[];
  readonly settings?: Readonly<Record<string, string | readonly string[]>>;
  readonly passwords?: Passwords;
}

/** A person's account on one server. */
export interface LocalUser {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

/** A server that listens. */
export interface HomeServer {
  readonly name: string;
  readonly url: string;
  readonly serverId: string;
  readonly data: string;
  /** A request; as the admin unless a token says as whom (`''` = nobody). */
  readonly ask: (route: string, asked?: Asked) => Promise<Answer>;
  /** Makes an account and signs it in. */
  readonly join: (name: string, role?: 'admin' | 'user' | 'guest') => Promise<LocalUser>;
  /** Ends it and starts it again over the same data, at the same address. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** One that a test has opened. */
export interface OpenedHome extends HomeServer {
  /** All that a thief of its database has; of a file each byte is one letter. */
  readonly kept: () => Promise<string>;
}

const built = {
  folder: path.resolve(import.meta.dirname, '../../../dist'),
  version: packageJson.version,
};

/** What keeps a password safe on a disk costs a tenth of a second of a processor each time. */
const cheapPasswords = createPasswords({ cost: { memoryKib: 8, passes: 1 } });

/** Opens one on a free port. The caller stops it; its files go with it. */
export async function openHomeServer(options: HomeServerOptions): Promise<OpenedHome> {
  const {
    name,
    identityUrl,
    clock,
    films = [],
    settings = {},
    passwords = cheapPasswords,
  } = options;
  const home = mkdtempSync(path.join(tmpdir(), 'vitrine-home-'));
  const media = path.join(home, 'films');
  const data = path.join(home, 'data');
  for (const folderOf of [media, data]) mkdirSync(folderOf);
  const database = await newDatabase(data, { name: 'vitrine.db' });
  if (database.url.startsWith('sqlite:')) await layDatabase(data);
  for (const film of films) writeFileSync(path.join(media, `${film}.mkv`), film);
  const open = async (port: string) => {
    const config = readConfig({
      flags: {
        ...{ port, data, database: database.url, identityUrl, serverName: name },
        ...{ watch: 'off', ingest: 'off' },
        ...(films.length > 0 && { library: [`movies:Films:${media}`] }),
        ...settings,
      },
      env: { VITRINE_ADMIN_TOKEN: adminToken },
      cwd: home,
    });
    const parts = [config, built, silentLog, clock, openStorage, passwords] as const;
    const vitrine = await createVitrine(...parts);
    return { vitrine, ...(await vitrine.start()) };
  };
  let opened = await open('0');
  const { url } = opened;

  const request: HomeServer['ask'] = (route, { token = adminToken, ...asked } = {}) =>
    ask(url + route, { ...asked, token: token === '' ? undefined : token });

  async function join(userName: string, role: 'admin' | 'user' | 'guest' = 'user') {
    const made = await request('/api/users', { body: { name: userName, password, role } });
    const { id } = good(made)['user'] as { readonly id: string };
    const body = { name: userName, password };
    const signedIn = await request('/api/auth/login', { body, token: '' });
    return { id, name: userName, token: textOf(signedIn, 'sessionToken') };
  }

  if (films.length > 0) {
    await opened.vitrine.scanLibraries();
    await eventually(`${name} has its films`, async () => {
      const { items } = good(await request('/api/items')) as { readonly items: readonly object[] };
      return items.length === films.length;
    });
  }
  return {
    name,
    url,
    serverId: openServerIdentity(data).serverId,
    data,
    ask: request,
    join,
    kept: async () => {
      if (isOverPostgres) return (await rowsOf(database.url)).join('\n');
      const files = readdirSync(data).filter((file) => file.startsWith('vitrine.db'));
      return files.map((file) => readFileSync(path.join(data, file), 'latin1')).join('\n');
    },
    async restart() {
      await opened.vitrine.stop('test');
      opened = await open(new URL(url).port);
    },
    async stop() {
      await opened.vitrine.stop('test');
      await database.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
