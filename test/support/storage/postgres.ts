/**
 * A PostgreSQL server of the machine's own binaries, where they are. One serves a whole run of the
 * tests; it starts when the first test asks for a database, and keeps nothing safe.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A database that nobody else uses. */
export interface TemporaryDatabase {
  readonly url: string;
  /** Its name among the databases of the server; a file has none. */
  readonly name?: string;
  /** Deletes it, with or without open connections. */
  readonly remove: () => Promise<void>;
}

/** The process that a run of the tests is, and that its workers have in common. */
const runPid = Number((process.env['TEST_RUN_PID'] ??= String(process.pid)));
const folderOfRun = (): string => path.join(tmpdir(), `vitrine-pg-${runPid}`);

/** Whether the machine has a server. */
export function hasPostgres(): boolean {
  return findBinaries() !== null;
}

/** Whether this run of the tests is over PostgreSQL: what is of SQLite alone is left out then. */
export const isOverPostgres = process.env['VITRINE_TEST_DATABASE'] === 'postgres';

/** Makes an empty database, or a copy of one by its name, which nobody uses at the moment. */
export async function temporaryDatabase(template = 'template1'): Promise<TemporaryDatabase> {
  await startServer();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name} template ${template}`);
  return {
    name,
    url: urlOf(name),
    remove: () => administer(`drop database if exists ${name} with (force)`),
  };
}

/** Runs a statement beside all databases: `kill` connections, make users. */
export async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Every row of every table, as PostgreSQL writes it down; bytes are hexadecimal. */
export async function rowsOf(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'public' order by tablename`,
    );
    const rows: string[] = [];
    for (const { tablename } of tables.rows) {
      const found = await client.query<{ row: string }>(
        `select t::text as row from "${tablename}" t`,
      );
      rows.push(...found.rows.map(({ row }) => `${tablename}: ${row}`));
    }
    return rows;
  } finally {
    await client.end();
  }
}

/** Ends the server of this run, if one was started: for the end of the run. */
export async function stopServer(): Promise<void> {
  const pidFile = path.join(folderOfRun(), 'keeper');
  if (!existsSync(pidFile)) return;
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
  while (existsSync(folderOfRun())) await sleep(20);
}

const urlOf = (database: string): string => `postgres://vitrine@/${database}?host=${folderOfRun()}`;

async function startServer(): Promise<void> {
  const binaries = findBinaries();
  if (binaries === null) throw new Error('This machine has no PostgreSQL server to test with.');
  if (isFirst()) {
    const keeper = path.join(import.meta.dirname, 'postgres-keeper.ts');
    const child = spawn(process.execPath, [keeper, folderOfRun(), binaries, String(runPid)], {
      detached: true,
      stdio: 'ignore',
    });
    child.unref();
  }
  const failed = path.join(folderOfRun(), 'failed');
  while (!existsSync(path.join(folderOfRun(), 'ready'))) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    await sleep(20);
  }
}

/** Of all workers that come at once, one makes the folder. */
function isFirst(): boolean {
  try {
    mkdirSync(folderOfRun());
    return true;
  } catch {
    return false;
  }
}

function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...versions.map((version) => path.join(debian, version, 'bin')),
  ];
  const isThere = (place: string) =>
    ['initdb', 'postgres'].every((name) => existsSync(path.join(place, name)));
  return folders.find((place) => place !== '' && isThere(place)) ?? null;
}
