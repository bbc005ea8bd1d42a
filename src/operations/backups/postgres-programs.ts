/**
 * PostgreSQL's own programs, which copy and restore a database as a whole. They are found as ffmpeg
 * is, and never shipped. A password goes to them by the environment, where no list of processes
 * shows it.
 */
import { spawn } from 'node:child_process';
import { placeOfProgram } from '../../platform/programs.ts';
import { BackupError } from './backup-error.ts';

/** Where the database is, and where programs are looked for. */
export interface PostgresPlace {
  readonly url: string;
  readonly searchPath: string;
}

/** Whether this machine can back up a database of PostgreSQL. */
export const hasPostgresPrograms = (searchPath: string): boolean =>
  ['pg_dump', 'pg_restore'].every((name) => placeOfProgram(name, searchPath) !== null);

/** Writes a consistent copy of the database into a new file, while servers use it. */
export async function dumpPostgres(place: PostgresPlace, file: string): Promise<void> {
  const { url, env } = connectionOf(place.url);
  const how = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`];
  await run('pg_dump', [...how, `--dbname=${url}`], { place, env });
}

/** Reads the table of contents of a copy; rejects when it is damaged. */
export async function readDump(place: PostgresPlace, file: string): Promise<void> {
  await run('pg_restore', ['--list', file], { place, env: {} });
}

/** Replaces the tables of the database with those of a copy, all of them or none. */
export async function restoreDump(place: PostgresPlace, file: string): Promise<void> {
  const { url, env } = connectionOf(place.url);
  const how = ['--clean', '--if-exists', '--no-owner', '--no-privileges', '--single-transaction'];
  await run('pg_restore', [...how, '--exit-on-error', `--dbname=${url}`, file], { place, env });
}

/** The url without its password, and the variable that has it instead. */
function connectionOf(url: string): { readonly url: string; readonly env: Record<string, string> } {
  const [, before, password, after] = /^([^:]+:\/\/[^:@/?]*):([^@/?]*)(@.*)$/s.exec(url) ?? [];
  if (before === undefined || password === undefined) return { url, env: {} };
  return { url: `${before}${after}`, env: { PGPASSWORD: decodeURIComponent(password) } };
}

const longestComplaint = 2000;

function run(
  name: string,
  args: readonly string[],
  { place, env }: { readonly place: PostgresPlace; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const program = placeOfProgram(name, place.searchPath);
  if (program === null)
    throw new BackupError(
      `${name} was not found: install the client programs of PostgreSQL (Debian: postgresql-client), in the version of the server or a later one.`,
    );
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: place.searchPath, LC_ALL: 'C', ...env },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-longestComplaint);
    });
    child.on('error', (error) => reject(new BackupError(`${name} did not run: ${String(error)}.`)));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new BackupError(`${name} failed: ${said.trim() || `exit code ${String(code)}`}`));
    });
  });
}
