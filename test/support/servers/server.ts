/** A real server process for tests and benches, started as `npm start` starts it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverEnvironment, serverFlags } from '../../../packages/app/cli/server-flags.mjs';
import { layDatabase } from '../run/first-database.ts';
import { compileCache } from '../run/built-program.ts';
import { temporaryDatabase, type TemporaryDatabase } from '../storage/postgres.ts';

const own = path.resolve(import.meta.dirname, '../../..');

/** The admin key of every test server. */
export const adminToken = `vtk_${'0123456789abcdef'.repeat(4)}`;

/** How to start it. */
export interface ServerOptions {
  /** A folder to use again; a fresh one, removed at the end, when absent. */
  readonly data?: string;
  /** The url of a database that others use as well; one of its own when absent. */
  readonly database?: string;
  /** It makes its tables itself, as a first start does. */
  readonly isFirstOfAll?: boolean;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A command that becomes the server, such as one that hides a folder from it. */
  readonly within?: readonly string[];
  /** The folder of another build of it; this one when absent. */
  readonly root?: string | undefined;
  /** Where its lines go as well. */
  readonly onLine?: (line: string) => void;
}

/** A server that listens. */
export interface TestServer {
  readonly url: string;
  readonly pid: number;
  readonly data: string;
  /** Everything it has written so far. */
  readonly output: () => string;
  /** A request with the admin key; gives the parsed body, with any status. */
  readonly request: (
    method: string,
    route: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** The body of a GET that must answer 200. */
  readonly get: <Shape>(route: string) => Promise<Shape>;
  /** SIGTERM, and the exit code; the folder is removed if the server made it. */
  readonly stop: () => Promise<number | null>;
  /** SIGKILL; the data folder stays. */
  readonly kill: () => Promise<void>;
  /** Resident bytes of the server and all of its plugin hosts. */
  readonly memory: () => Promise<number>;
}

/** Starts a server on a free port and waits until it listens; rejects with its output if it ends before. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const data = options.data ?? (await mkdtemp(path.join(tmpdir(), 'vitrine-data-')));
  if (options.isFirstOfAll !== true && isOverFile(options)) await layDatabase(data);
  const lines: string[] = [];
  const [program, ...before] = [...(options.within ?? []), process.execPath];
  const child = spawn(
    program,
    [
      ...before,
      ...serverFlags,
      path.join(options.root ?? own, 'dist/server.mjs'),
      'serve',
      '--port',
      '0',
      '--data',
      data,
      ...(options.database === undefined
        ? await databaseFlags(data)
        : ['--database', options.database]),
      ...(options.args ?? []),
    ],
    {
      env: {
        PATH: process.env['PATH'],
        ...serverEnvironment,
        NODE_COMPILE_CACHE: compileCache,
        VITRINE_ADMIN_TOKEN: adminToken,
        // What a test changes on the disk is looked at when the test says so.
        VITRINE_WATCH: 'off',
        // Namespaces have tests of their own, which say so; a look for them is a process at each start.
        VITRINE_PLUGIN_ISOLATION: 'process',
        // A balancer that must leave it first is in tests of its own.
        VITRINE_DRAIN_SECONDS: '0',
        // The speed of the machine is measured in a test of its own.
        VITRINE_PLAYBACK_HEIGHT: '2160',
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exit = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  const url = await listening(child, lines, options.onLine);
  const request = requester(url);
  return {
    url,
    pid: child.pid ?? 0,
    data,
    output: () => lines.join(''),
    request,
    async get(route) {
      const { status, body } = await request('GET', route);
      if (status !== 200) throw new Error(`GET ${route}: ${status} ${JSON.stringify(body)}`);
      return body as never;
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await exit;
      if (options.data === undefined) {
        await rm(data, { recursive: true, force: true });
        await databases.get(data)?.remove();
      }
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
    memory: () => residentBytes(child.pid ?? 0),
  };
}

/** Whether its database is the file in its data folder. */
const isOverFile = ({ database, args = [] }: ServerOptions): boolean =>
  process.env['VITRINE_TEST_DATABASE'] !== 'postgres' &&
  database === undefined &&
  !args.includes('--database');

/** Of data folders whose server runs over PostgreSQL, since the run of the tests asks for it. */
const databases = new Map<string, TemporaryDatabase>();

/** What a command about that data folder needs to work on the database of its server. */
export async function databaseFlags(data: string): Promise<readonly string[]> {
  if (process.env['VITRINE_TEST_DATABASE'] !== 'postgres') return [];
  const known = databases.get(data);
  const database = known ?? (await temporaryDatabase());
  databases.set(data, database);
  return ['--database', database.url];
}

function listening(
  child: ChildProcess,
  lines: string[],
  onLine: ServerOptions['onLine'],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = (part: Buffer) => {
      const text = part.toString();
      lines.push(text);
      onLine?.(text);
      const found = /listening on (http:\/\/[^\s"]+)/.exec(lines.join(''));
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) =>
      reject(
        new Error(
          `The server ended with ${code ?? 'a signal'} before it listened:\n${lines.join('')}`,
        ),
      ),
    );
  });
}

function requester(url: string): TestServer['request'] {
  return async (method, route, body) => {
    const reply = await fetch(url + route, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
}

/** Resident bytes of a process and all below it; what they share, as Node itself, counts once. */
export async function residentBytes(pid: number): Promise<number> {
  let total = 0;
  for (const one of await processTree(pid)) {
    const rollup = await readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '');
    total += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
  }
  return total;
}

/** The process and everything it started that still runs. */
export async function processTree(pid: number): Promise<readonly number[]> {
  const parents = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const tree = [pid];
  for (const one of tree) tree.push(...(parents.get(one) ?? []));
  return tree;
}

/** Waits until a condition holds, asking every `everyMs`; rejects when it does not in time. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 120_000,
  everyMs = 50,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`It did not happen in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
