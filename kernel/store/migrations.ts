/**
 * Migrations only go forward; the way back is the backup before the first of them. For each set the
 * database records its applied migrations in order, with a checksum. Only a build that knows the same
 * list, or a longer one that begins with it, may open the database. Otherwise an older build would
 * write to tables that it does not know.
 */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { KernelError } from '../errors.ts';
import type { Database } from './database.ts';

/** One migration. A released id is never changed or reused. */
export interface Migration {
  readonly id: string;
  readonly up: (trx: Knex.Transaction) => Promise<void>;
}

/** The migrations of one part, in order. */
export interface MigrationSet {
  readonly name: string;
  readonly migrations: readonly Migration[];
}

interface AppliedSet {
  readonly name: string;
  readonly ids: string;
  readonly checksum: string;
  /** The version of the program that applied the last of them. */
  readonly app_version: string | null;
  readonly applied_at: string;
}

export interface MigrateOptions {
  readonly now: () => Date;
  /** Keeps a copy before the tables change. */
  readonly keep: () => Promise<void>;
  /** For the message of an older version that finds the database. */
  readonly appVersion: string | null;
}

const table = 'schema_migrations';

/**
 * Applies the missing migrations in one transaction, or refuses the database. An up-to-date database
 * is not changed; before any change a backup is made.
 */
export async function migrate(
  database: Database,
  sets: readonly MigrationSet[],
  options: MigrateOptions,
): Promise<void> {
  assertDistinct(sets);
  // The writer creates a missing file.
  const applied = await database.write(readApplied);
  for (const row of applied) pendingOf(setNamed(sets, row), row);
  const isUpToDate = sets.every((set) => pendingOf(set, appliedTo(set, applied)).length === 0);
  if (isUpToDate && applied.length > 0) return;
  if (applied.length > 0) await options.keep();
  await database.write(async (trx) => {
    await createTable(trx);
    for (const set of sets) await applySet(trx, set, options);
  });
}

/** Refuses a database that lacks a migration of these sets; changes nothing. */
export async function assertMigrated(read: Knex, sets: readonly MigrationSet[]): Promise<void> {
  const applied = await readApplied(read);
  for (const set of sets) {
    if (pendingOf(set, appliedTo(set, applied)).length === 0) continue;
    throw new KernelError(
      'storage_failed',
      'The database is of an older version of Vitrine. Start the server of this version once to migrate it.',
    );
  }
}

async function readApplied(read: Knex): Promise<readonly AppliedSet[]> {
  if (!(await read.schema.hasTable(table))) return [];
  return read<AppliedSet>(table).select('*');
}

const appliedTo = (
  { name }: MigrationSet,
  applied: readonly AppliedSet[],
): AppliedSet | undefined => applied.find((row) => row.name === name);

async function createTable(trx: Knex.Transaction): Promise<void> {
  if (await trx.schema.hasTable(table)) return;
  await trx.schema.createTable(table, (columns) => {
    columns.text('name').primary();
    columns.text('ids').notNullable();
    columns.text('checksum').notNullable();
    columns.text('applied_at').notNullable();
    columns.text('app_version');
  });
}

async function applySet(
  trx: Knex.Transaction,
  set: MigrationSet,
  { now, appVersion }: MigrateOptions,
): Promise<void> {
  const row = await trx<AppliedSet>(table).where({ name: set.name }).first();
  const pending = pendingOf(set, row);
  if (pending.length === 0) return;
  for (const migration of pending) await migration.up(trx);
  const ids = set.migrations.map(({ id }) => id);
  await trx(table)
    .insert({
      name: set.name,
      ids: JSON.stringify(ids),
      checksum: checksumOf(ids),
      applied_at: now().toISOString(),
      app_version: appVersion,
    })
    .onConflict('name')
    .merge();
}

/** The missing migrations; throws when the database has one that this build does not know. */
function pendingOf(set: MigrationSet, applied: AppliedSet | undefined): readonly Migration[] {
  if (applied === undefined) return set.migrations;
  const done = parseIds(applied);
  const known = set.migrations.map(({ id }) => id);
  const [baseline] = known;
  if (baseline !== undefined && done.length > 0 && !done.includes(baseline))
    throw unreleasedDatabase(set.name);
  const unknown = done.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw newerDatabase(`migration "${unknown}" of "${set.name}"`, applied);
  const mismatch = done.findIndex((id, index) => known[index] !== id);
  if (mismatch !== -1) {
    throw new KernelError(
      'storage_failed',
      `The migrations of "${set.name}" were applied in another order than this version has: "${String(done[mismatch])}" stands where "${String(known[mismatch])}" should. Use the version that wrote the database.`,
    );
  }
  return set.migrations.slice(done.length);
}

function parseIds({ name, ids, checksum }: AppliedSet): readonly string[] {
  const parsed: unknown = JSON.parse(ids);
  const isList = Array.isArray(parsed) && parsed.every((id) => typeof id === 'string');
  if (isList && checksumOf(parsed) === checksum) return parsed;
  throw new KernelError(
    'storage_failed',
    `The record of the migrations of "${name}" was altered. Restore the database from a backup.`,
  );
}

function setNamed(sets: readonly MigrationSet[], row: AppliedSet): MigrationSet {
  const { name } = row;
  const set = sets.find((candidate) => candidate.name === name);
  if (set === undefined) throw newerDatabase(`the migrations of "${name}"`, row);
  return set;
}

function newerDatabase(what: string, { app_version, applied_at }: AppliedSet): KernelError {
  const which = app_version == null ? '' : ` ${app_version}`;
  return new KernelError(
    'storage_failed',
    `The database was written by a newer version of Vitrine${which}, at ${applied_at}: it has ${what}, which this version does not know. Start that version, go back with "vitrine database rollback", or restore a backup that this version made.`,
  );
}

/** The first release begins each set with a baseline: what was there before is not brought up to date. */
function unreleasedDatabase(name: string): KernelError {
  return new KernelError(
    'storage_failed',
    `The database was made by Vitrine before its first release, and this version cannot bring its tables ("${name}") up to date. Start with another data folder (--data), or with an empty database of PostgreSQL, and add the libraries there: no media file is changed. Only the version that made the database can open it.`,
  );
}

function assertDistinct(sets: readonly MigrationSet[]): void {
  const names = sets.map(({ name }) => name);
  if (new Set(names).size !== names.length) {
    throw new Error(`Two migration sets have the same name: ${names.join(', ')}.`);
  }
  for (const { name, migrations } of sets) {
    const ids = migrations.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) {
      throw new Error(`Two migrations of "${name}" have the same id: ${ids.join(', ')}.`);
    }
  }
}

function checksumOf(ids: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(ids)).digest('hex');
}
