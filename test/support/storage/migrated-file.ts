/** Databases that have their tables already. Copying one is much quicker than making its tables. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../kernel/log.ts';
import { openStorage, type MigrationSet } from '../../../kernel/store/index.ts';
import { temporaryDatabase } from './postgres.ts';

const names = new WeakMap<MigrationSet, number>();
let named = 0;
/** What a file with these sets holds; `null` = they were asked for once. */
const made = new Map<string, Promise<Buffer> | null>();
/** The names of databases of PostgreSQL with these sets; `null` = they were asked for once. */
const templates = new Map<string, Promise<string | undefined> | null>();

/**
 * Writes a database with these sets, from the second time on that they are asked for. A file that is
 * there stays as it is.
 */
export async function writeMigrated(file: string, sets: readonly MigrationSet[]): Promise<void> {
  if (existsSync(file)) return;
  const key = sets.map(nameOf).join();
  const known = made.get(key);
  if (known === undefined) {
    made.set(key, null);
    return;
  }
  const bytes = known ?? make(sets);
  made.set(key, bytes);
  await writeFile(file, await bytes);
}

/**
 * A database of PostgreSQL to copy, from the second time on that these sets are asked for; `undefined`
 * before. It goes with the server of the run.
 */
export async function migratedTemplate(sets: readonly MigrationSet[]): Promise<string | undefined> {
  const key = sets.map(nameOf).join();
  const known = templates.get(key);
  if (known === undefined) {
    templates.set(key, null);
    return undefined;
  }
  const template = known ?? makeTemplate(sets);
  templates.set(key, template);
  return template;
}

async function makeTemplate(migrations: readonly MigrationSet[]): Promise<string | undefined> {
  const { url, name } = await temporaryDatabase();
  await (await openStorage({ url, migrations, log: silentLog })).close();
  return name;
}

/** One for each set that there is, since tests make some of the same name. */
function nameOf(set: MigrationSet): number {
  const name = names.get(set) ?? ++named;
  names.set(set, name);
  return name;
}

async function make(migrations: readonly MigrationSet[]): Promise<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-migrated-'));
  try {
    const file = path.join(folder, 'migrated.db');
    await (await openStorage({ url: `sqlite:${file}`, migrations, log: silentLog })).close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
