/** The project's own tasks: `npm test`, `npm run check`, `npm run bench`, `npm run build`. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { mapBounded } from '../../lib/concurrency/index.ts';
import { buildAll } from './build.ts';
import { buildClientTypes, canBuildClientTypes } from './author-kit/client-types.ts';

const root = path.resolve(import.meta.dirname, '../../..');

interface Finished {
  readonly code: number;
  readonly output: string;
}

function run(
  file: string,
  args: readonly string[],
  output: 'inherit' | 'keep',
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const stdio = output === 'inherit' ? 'inherit' : (['ignore', 'pipe', 'pipe'] as const);
    const child = spawn(file, args, {
      cwd: root,
      stdio: stdio as 'pipe',
      env: { ...process.env, ...env },
    });
    const parts: string[] = [];
    child.stdout?.on('data', (part: Buffer) => parts.push(part.toString()));
    child.stderr?.on('data', (part: Buffer) => parts.push(part.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: parts.join('') }));
  });
}

const bin = (name: string) => path.join(root, 'node_modules/.bin', name);
/** The native compiler checks types ten times as fast; it has no API yet, which the walls need. */
const nativeCompiler = path.join(root, 'node_modules/typescript-native/bin/tsc');

/**
 * `--database postgres` runs the tests on PostgreSQL, with the binaries of this machine; `both` runs all on
 * SQLite and what depends most on the database on both.
 */
function databaseOf(args: readonly string[]): {
  readonly rest: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  const at = args.indexOf('--database');
  if (at === -1) return { rest: args, env: {} };
  const kind = args[at + 1] ?? '';
  if (!['sqlite', 'postgres', 'both'].includes(kind)) {
    console.error('vitrine: --database of the tests is sqlite, postgres or both.');
    process.exit(2);
  }
  return { rest: args.toSpliced(at, 2), env: { VITRINE_TEST_DATABASE: kind } };
}

/** `after` looks at what the tests left, before the closing line; it gives an exit code. */
async function test(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  after: () => Promise<number> = async () => 0,
): Promise<number> {
  const { rest, env } = databaseOf(args);
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-test-'));
  const report = path.join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code: tested } = await run(bin('vitest'), ['run', ...reporters, ...rest], 'inherit', {
    ...env,
    ...settings,
  });
  const code = Math.max(tested, await after());
  const json = existsSync(report) ? await readFile(report, 'utf8') : null;
  console.log(json === null ? '0 passed, 1 failed' : summary(json, code === 0));
  await rm(folder, { recursive: true });
  return code;
}

/**
 * The tests, with every case of the sweeps of which `npm test` runs a sample. A run of all of them also
 * fails when its pages did not call every operation that needs a page.
 */
async function nightly(args: readonly string[]): Promise<number> {
  const settings = { VITRINE_NIGHTLY: '1' };
  if (databaseOf(args).rest.length > 0) return test(args, settings);
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-requests-'));
  const check = async (): Promise<number> => {
    const program = ['test/support/pages/check-operations.ts', folder];
    return (await run(process.execPath, program, 'inherit')).code;
  };
  const code = await test(args, { ...settings, VITRINE_PAGE_REQUESTS: folder }, check);
  await rm(folder, { recursive: true });
  return code;
}

/**
 * The closing line. A test file that does not load counts as one failed test. So does any other
 * failure when no test failed, such as an error after the tests of a file.
 */
function summary(json: string, hasPassed: boolean): string {
  const report = JSON.parse(json) as Record<string, number> & {
    readonly testResults: readonly {
      readonly status: string;
      readonly assertionResults: object[];
    }[];
  };
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const failed = (report['numFailedTests'] ?? 0) + unloaded || Number(!hasPassed);
  const skipped = (report['numPendingTests'] ?? 0) + (report['numTodoTests'] ?? 0);
  const line = `${report['numPassedTests'] ?? 0} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** The longest checks first. */
const checks: Readonly<Record<string, readonly [string, ...string[]]>> = {
  lint: ['oxlint', '.'],
  types: [
    nativeCompiler,
    '--project',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    'dist/types.tsbuildinfo',
  ],
  form: ['oxfmt', '--check', '.'],
  walls: [
    'depcruise',
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'err',
    'kernel',
    'packages',
    'src',
  ].concat('plugin-api', 'manifests-schema', 'builtin-plugins', 'examples', 'test') as [
    string,
    ...string[],
  ],
  'page-types': [nativeCompiler, '--project', 'packages/app/web'],
  'broker-page-types': [nativeCompiler, '--project', 'packages/app/broker/pages'],
  'client-types': [nativeCompiler, '--project', 'packages/app/client', '--noEmit'],
  'app-types': [nativeCompiler, '--project', 'examples/app'],
};

/** Runs as many checks at a time as there are processors; gives the worst exit code. */
async function check(args: readonly string[]): Promise<number> {
  if (args[0] === 'figures') return figures(args.slice(1));
  const names = args.length > 0 ? args : Object.keys(checks);
  for (const name of names) if (checks[name] === undefined) unknownTask(`check ${name}`);
  await Promise.all([buildAll(), buildClientTypes()]);
  return Math.max(0, ...(await mapBounded(names, availableParallelism(), checkOne)));
}

/** Prints how large the house is, or the copy of it in the folder that is named. */
async function figures(args: readonly string[]): Promise<number> {
  return (await run(process.execPath, ['test/support/figures/print.ts', ...args], 'inherit')).code;
}

async function checkOne(name: string): Promise<number> {
  const [tool, ...rest] = checks[name] ?? unknownTask(`check ${name}`);
  const start = performance.now();
  const { code, output } = await run(path.isAbsolute(tool) ? tool : bin(tool), rest, 'keep');
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (code !== 0) console.log(output);
  return code;
}

async function bench(args: readonly string[]): Promise<number> {
  await buildAll();
  return (await run(process.execPath, ['test/benches/run.ts', ...args], 'inherit')).code;
}

/** Writes the files that a house test compares with their source. */
async function writeFilesOf(test: string): Promise<number> {
  // The flag would take the next argument as its value.
  const args = ['run', `test/house/${test}.test.ts`, '--update'];
  return (await run(bin('vitest'), args, 'inherit')).code;
}

async function format(): Promise<number> {
  return (await run(bin('oxfmt'), ['.'], 'inherit')).code;
}

function unknownTask(name: string): never {
  console.error(
    `vitrine: there is no task "${name}"; there are: ${Object.keys(tasks).join(', ')}.`,
  );
  process.exit(2);
}

const tasks: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  test: (args) => test(args),
  nightly,
  check,
  bench,
  format,
  build: async () => {
    const types = canBuildClientTypes() ? buildClientTypes() : undefined;
    console.log(await buildAll());
    await types;
    return 0;
  },
  /** Generates the types that the kit has: `npm run vitrine task kit-types`. */
  'kit-types': async () =>
    Math.max(await writeFilesOf('plugin-api'), await writeFilesOf('kit-types')),
  /** Makes the reference of plugin-api from its comments, in `dist/plugin-api-reference`. */
  docs: async () =>
    (await run(process.execPath, ['test/support/pages/write-api-reference.ts'], 'inherit')).code,
  /** Writes the types of the client from the API document; `check` does so first. */
  client: async () => {
    await buildClientTypes();
    return 0;
  },
};

const [name = '', ...args] = process.argv.slice(2);
process.exitCode = await (tasks[name] ?? unknownTask(name))(args);
