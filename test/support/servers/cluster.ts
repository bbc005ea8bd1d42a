/** Several real servers on one database of PostgreSQL, each with a data folder of its own. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { temporaryDatabase, type TemporaryDatabase } from '../storage/postgres.ts';
import { startServer, type TestServer } from './server.ts';

/** Servers that share a database. */
export interface TestCluster {
  readonly database: TemporaryDatabase;
  readonly servers: readonly TestServer[];
  /** Starts one more, also within a command, or of another build. */
  readonly add: (
    args?: readonly string[],
    within?: readonly string[],
    build?: string,
  ) => Promise<TestServer>;
  /** Ends those that still run, and removes what they left. */
  readonly end: () => Promise<void>;
}

/**
 * Starts so many servers, one after the other: the first one makes the keys that all have. Each has the
 * plugins, given by their ids as files with their texts.
 */
export async function startCluster(
  count: number,
  args: readonly string[] = [],
  plugins: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestCluster> {
  const database = await temporaryDatabase();
  const root = await mkdtemp(path.join(tmpdir(), 'vitrine-cluster-'));
  const servers: TestServer[] = [];

  async function add(
    more: readonly string[] = [],
    within: readonly string[] = [],
    build?: string,
  ): Promise<TestServer> {
    const data = path.join(root, String(servers.length));
    await mkdir(data, { mode: 0o700 });
    const [first] = servers;
    const keys = path.join(root, 'keys');
    if (first && servers.length === 1) {
      const textOf = (name: string) => readFile(path.join(first.data, name), 'utf8');
      const both = (await textOf('server.key')) + (await textOf('server-id.key'));
      await writeFile(keys, both, { mode: 0o600 });
    }
    for (const [id, files] of Object.entries(plugins)) {
      const folder = path.join(data, 'plugins', id);
      await mkdir(folder, { recursive: true });
      for (const [name, text] of Object.entries(files))
        await writeFile(path.join(folder, name), text);
    }
    const server = await startServer({
      data,
      within,
      database: database.url,
      root: build,
      args: [...(first ? ['--server-key-file', keys] : []), ...args, ...more],
      env,
    });
    servers.push(server);
    return server;
  }

  async function end(): Promise<void> {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(root, { recursive: true, force: true });
    await database.remove();
  }

  try {
    for (let number = 0; number < count; number++) await add();
  } catch (error) {
    await end();
    throw error;
  }
  return { database, servers, add, end };
}
