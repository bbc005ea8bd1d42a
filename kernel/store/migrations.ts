/**
 * Migrations only go forward; the way back is the backup before the first of them. For each set the
 * database records its applied migrations in order, with a checksum, and the oldest version that may
 * run with them. A build that knows the same list, or a longer one that begins with it, may open the
 * database. So may an older one, if no migration took away what it uses.
 */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { gt, gte, rcompare } from 'semver';
import { KernelError } from '../errors.ts';
import type { Database } from './database.ts';

/** One migration. A released id is never changed or reused. */
export type Migration = MigrationStep & (Expand | Contract);

interface MigrationStep {
  readonly id: string;
  readonly up: (trx: Knex.Transaction) => Promise<void>;
}

/** Servers of older versions may run beside it: it only adds, and what it adds may be left out. */
interface Expand {
  readonly kind: 'expand';
}

/** Takes away or changes what older versions use. */
interface Contract {
  readonly kind: 'contract';
  /** The oldest version that no longer uses it. */
  readonly oldestVersion: string;
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
  /** The oldest version that may run. */
  readonly oldest_version: string | null;
}

export interface RunningServer {
  readonly address: string;
  readonly version: string;
}

export interface Opener {
  /** Its version; `null` = unknown. */
  readonly appVersion: string | null;
  /** Whether it may open a database that a newer version changed, where that version allows it. */
  readonly acceptsNewer: boolean;
}

export interface MigrateOptions extends Opener {
  readonly now: () => Date;
  /** Keeps a copy before the tables change. */
  readonly keep: () => Promise<void>;
  /** The other servers of the database. */
  readonly running: (trx: Knex.Transaction) => Promise<readonly RunningServer[]>;
}

const table = 'schema_migrations';
/** Where no migration took anything away, every version may run. */
const everyVersion = '0.0.0';

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
  assertKnown(sets, applied, options);
  const isUpToDate = sets.every((set) => pendingOf(set, applied, options).length === 0);
  if (isUpToDate && applied.length > 0) return;
  if (applied.length > 0) await options.keep();
  await database.write(async (trx) => {
    await createTable(trx);
    const rows = await readApplied(trx);
    assertKnown(sets, rows, options);
    if (rows.length > 0) await assertNoneTooOld(trx, sets, { ...options, rows });
    for (const set of sets) await applySet(trx, set, { ...options, rows });
  });
}

/** Why this version may not run beside what a newer one did to the database; `null` = it may. */
export async function whyTooOld(
  read: Knex,
  sets: readonly MigrationSet[],
  opener: Opener,
): Promise<string | null> {
  const applied = await readApplied(read);
  try {
    assertKnown(sets, applied, opener);
    for (const set of sets) pendingOf(set, applied, opener);
    return null;
  } catch (error) {
    if (error instanceof KernelError) return error.message;
    throw error;
  }
}

/** Refuses a database that lacks a migration of these sets; changes nothing. */
export async function assertMigrated(
  read: Knex,
  sets: readonly MigrationSet[],
  opener: Opener,
): Promise<void> {
  const applied = await readApplied(read);
  for (const set of sets) {
    if (pendingOf(set, applied, opener).length === 0) continue;
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

async function createTable(trx: Knex.Transaction): Promise<void> {
  if (await trx.schema.hasTable(table)) return;
  await trx.schema.createTable(table, (columns) => {
    columns.text('name').primary();
    columns.text('ids').notNullable();
    columns.text('checksum').notNullable();
    columns.text('applied_at').notNullable();
    columns.text('app_version');
    columns.text('oldest_version');
  });
}

/** The oldest version that may run beside these migrations. */
function oldestOf(migrations: readonly Migration[]): string {
  const [oldest = everyVersion] = migrations
    .flatMap((one) => (one.kind === 'contract' ? [one.oldestVersion] : []))
    .toSorted(rcompare);
  return oldest;
}

/** Before a migration takes away what a server still uses that runs now. */
async function assertNoneTooOld(
  trx: Knex.Transaction,
  sets: readonly MigrationSet[],
  options: MigrateOptions & { readonly rows: readonly AppliedSet[] },
): Promise<void> {
  const oldest = oldestOf(sets.flatMap((set) => pendingOf(set, options.rows, options)));
  if (oldest === everyVersion) return;
  const tooOld = (await options.running(trx)).find(({ version }) => gt(oldest, version));
  if (tooOld === undefined) return;
  throw new KernelError(
    'storage_failed',
    `The server at ${tooOld.address} is of version ${tooOld.version}, and beside this version run only servers of ${oldest} and later. Nothing was changed. Stop that server, or start one of a version in between first.`,
  );
}

async function applySet(
  trx: Knex.Transaction,
  set: MigrationSet,
  { rows, ...options }: MigrateOptions & { readonly rows: readonly AppliedSet[] },
): Promise<void> {
  const { now, appVersion } = options;
  const pending = pendingOf(set, rows, options);
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
      oldest_version: oldestOf(set.migrations),
    })
    .onConflict('name')
    .merge();
}

/** The missing migrations; throws when the database has one that this build may not run beside. */
function pendingOf(
  set: MigrationSet,
  rows: readonly AppliedSet[],
  opener: Opener,
): readonly Migration[] {
  const applied = rows.find(({ name }) => name === set.name);
  if (applied === undefined) return set.migrations;
  const done = parseIds(applied);
  const known = set.migrations.map(({ id }) => id);
  const [baseline] = known;
  if (baseline !== undefined && done.length > 0 && !done.includes(baseline))
    throw unreleasedDatabase(set.name);
  const unknown = done.find((id) => !known.includes(id));
  const isLonger = known.every((id, index) => done[index] === id);
  if (unknown !== undefined && isLonger && mayRun(applied, opener)) return [];
  if (unknown !== undefined)
    throw newerDatabase(`migration "${unknown}" of "${set.name}"`, applied, opener);
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

/** Refuses sets that this build neither knows nor may run beside. */
function assertKnown(
  sets: readonly MigrationSet[],
  rows: readonly AppliedSet[],
  opener: Opener,
): void {
  for (const row of rows) {
    if (sets.some(({ name }) => name === row.name) || mayRun(row, opener)) continue;
    throw newerDatabase(`the migrations of "${row.name}"`, row, opener);
  }
}

/** Whether what a newer version added lets this one run. */
const mayRun = ({ oldest_version }: AppliedSet, { appVersion, acceptsNewer }: Opener): boolean =>
  acceptsNewer && appVersion !== null && oldest_version != null && gte(appVersion, oldest_version);

function newerDatabase(
  what: string,
  { app_version, applied_at, oldest_version }: AppliedSet,
  { appVersion }: Opener,
): KernelError {
  const which = app_version == null ? '' : ` ${app_version}`;
  const own = appVersion === null ? 'this version' : `this version, ${appVersion},`;
  const needed =
    oldest_version == null || oldest_version === everyVersion
      ? ''
      : ` It lets run ${oldest_version} and later.`;
  return new KernelError(
    'storage_failed',
    `The database was written by a newer version of Vitrine${which}, at ${applied_at}: it has ${what}, which ${own} does not know.${needed} Start that version, go back with "vitrine database rollback", or restore a backup that this version made.`,
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
