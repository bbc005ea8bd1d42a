/**
 * Compiles the driver `sqlite3` before the first server that uses it. It is installed as source alone,
 * since most servers use the SQLite of Node and need no compiler.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Where it is compiled, and who is told. */
export interface CompileParts {
  /** A file of the server; `sqlite3` is looked for from there. */
  readonly from: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly complain: (text: string) => void;
}

/** What node-gyp runs; one of each line is enough. */
const tools: readonly (readonly string[])[] = [
  ['c++', 'g++', 'clang++'],
  ['make'],
  ['python3', 'python'],
];

/** Compiles it unless it can be loaded. Returns whether the server may start. */
export function compileSqlite3({ from, env, complain }: CompileParts): boolean {
  const load = createRequire(from);
  if (isThere(load)) return true;
  const folder = folderOf(load);
  // The storage says that it is not installed.
  if (folder === null) return true;
  complain('vitrine: compiling sqlite3, which is needed once and takes a few minutes …\n');
  const { status, stderr, error } = spawnSync('npm', ['run', 'install', '--loglevel=error'], {
    cwd: folder,
    env: { ...env, npm_config_build_from_source: 'true' },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 67_108_864,
    shell: process.platform === 'win32',
  });
  if (status === 0 && isThere(load)) return true;
  const why =
    missingOf(env) ?? error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`);
  complain(
    `vitrine: sqlite3 could not be compiled: ${why}. The default, --storage-driver node:sqlite, needs no compiler.\n`,
  );
  return false;
}

function isThere(load: NodeJS.Require): boolean {
  try {
    load('sqlite3');
    return true;
  } catch {
    return false;
  }
}

function folderOf(load: NodeJS.Require): string | null {
  try {
    return path.dirname(load.resolve('sqlite3/package.json'));
  } catch {
    return null;
  }
}

/** The tools that this machine lacks, as text; `null` = it has all. */
function missingOf(env: CompileParts['env']): string | null {
  const folders = (env['PATH'] ?? '').split(path.delimiter);
  const missing = tools.filter((names) => !names.some((name) => folders.some(hasProgram(name))));
  if (missing.length === 0 || process.platform === 'win32') return null;
  return `this machine lacks ${missing.map((names) => names[0]).join(' and ')}, which compiles it`;
}

const hasProgram =
  (name: string) =>
  (folder: string): boolean => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
