/**
 * The current package of each marketplace plugin. The row decides: code lies in folders named by
 * their content and never changes, so a swap of code, settings and data is one transaction.
 */
import type { Transaction, Database } from '../../store/index.ts';

/**
 * `starting`: swapped, and has not run yet; an interruption restores the old version. `watched`:
 * runs, and is rolled back if it crashes. `settled`: stays.
 */
export type InstallPhase = 'starting' | 'watched' | 'settled';

/** A package of an earlier time, and the settings row that belongs to it. */
export interface PackageVersion {
  readonly version: string;
  /** Of the archive; the name of its folder. */
  readonly sha256: string;
  readonly publisherKey: string;
}

/** A version that was installed here before. */
export interface EarlierVersion extends PackageVersion {
  /** `null` = there were none. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  /** Unix milliseconds at which another version replaced it. */
  readonly leftAt: number;
  /**
   * The owner of the backup of its data; no plugin can have this id. `null` = neither its data nor
   * its code is kept, so its code comes from a source again.
   */
  readonly kept: string | null;
}

/** An installed package. */
export interface PackageRecord extends PackageVersion {
  readonly pluginId: string;
  /** The id of its marketplace source. */
  readonly source: string | null;
  readonly phase: InstallPhase;
  /** Unix milliseconds at which the phase began. */
  readonly phaseAt: number;
  /** Why it must not run; `null` = it may. */
  readonly revoked: string | null;
  /** The one that was replaced last is the first; each version once. */
  readonly earlier: readonly EarlierVersion[];
}

const table = 'plugin_packages';

export async function createPackageTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('plugin_id').primary();
    columns.text('version').notNullable();
    columns.text('sha256').notNullable();
    columns.text('publisher_key').notNullable();
    columns.text('source');
    columns.text('phase').notNullable();
    columns.bigInteger('phase_at').notNullable();
    columns.text('revoked');
    // All versions that were installed before, as JSON of a list.
    columns.text('earlier');
  });
}

interface Row {
  readonly plugin_id: string;
  readonly version: string;
  readonly sha256: string;
  readonly publisher_key: string;
  readonly source: string | null;
  readonly phase: InstallPhase;
  /** PostgreSQL returns a bigint as text. */
  readonly phase_at: number | string;
  readonly revoked: string | null;
  readonly earlier: string | null;
}

/** All installed packages, by id. */
export async function listPackages(read: Database['read']): Promise<readonly PackageRecord[]> {
  const rows = await read<Row>(table).orderBy('plugin_id').select();
  return rows.map(toRecord);
}

/** The installed package of that id. */
export async function findPackage(
  trx: Transaction,
  pluginId: string,
): Promise<PackageRecord | null> {
  const row = await trx<Row>(table).where({ plugin_id: pluginId }).first();
  return row ? toRecord(row) : null;
}

/** Stores the installed package. */
export async function putPackage(trx: Transaction, record: PackageRecord): Promise<void> {
  const { pluginId, version, sha256, publisherKey, source, phase, phaseAt, revoked } = record;
  const row: Row = {
    plugin_id: pluginId,
    version,
    sha256,
    publisher_key: publisherKey,
    source,
    phase,
    phase_at: phaseAt,
    revoked,
    earlier: JSON.stringify(record.earlier),
  };
  await trx<Row>(table).insert(row).onConflict('plugin_id').merge();
}

export async function removePackage(trx: Transaction, pluginId: string): Promise<void> {
  await trx<Row>(table).where({ plugin_id: pluginId }).delete();
}

/** The settings row of a plugin, to be restored unchanged. */
export async function readSettingsRow(
  trx: Transaction,
  pluginId: string,
): Promise<EarlierVersion['settings']> {
  const row = await trx<Readonly<Record<string, unknown>>>('plugin_settings')
    .where({ plugin_id: pluginId })
    .first();
  return row ?? null;
}

/** Restores the row, or deletes the present one. */
export async function writeSettingsRow(
  trx: Transaction,
  pluginId: string,
  settings: EarlierVersion['settings'],
): Promise<void> {
  if (settings === null) await trx('plugin_settings').where({ plugin_id: pluginId }).delete();
  else await trx('plugin_settings').insert(settings).onConflict('plugin_id').merge();
}

/** The column holds only what `putPackage` wrote. */
function toRecord(row: Row): PackageRecord {
  return {
    pluginId: row.plugin_id,
    version: row.version,
    sha256: row.sha256,
    publisherKey: row.publisher_key,
    source: row.source,
    phase: row.phase,
    phaseAt: Number(row.phase_at),
    revoked: row.revoked,
    earlier: row.earlier === null ? [] : (JSON.parse(row.earlier) as readonly EarlierVersion[]),
  };
}
