/**
 * Versions that were rolled back because they failed: they are installed again only when they are
 * named.
 */
import type { Queries, Transaction } from '../../../kernel/store/index.ts';

/** A version of a plugin that was replaced by another after a failure. */
export interface RolledBackVersion {
  readonly pluginId: string;
  readonly version: string;
  /** Why it failed. */
  readonly reason: string;
}

interface Row {
  readonly plugin_id: string;
  readonly version: string;
  readonly reason: string;
}

const table = 'marketplace_taken_back';

export async function createRolledBackTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('plugin_id').notNullable();
    columns.text('version').notNullable();
    columns.text('reason').notNullable();
    columns.primary(['plugin_id', 'version']);
  });
}

export async function listRolledBack(read: Queries): Promise<readonly RolledBackVersion[]> {
  const rows = await read<Row>(table).orderBy(['plugin_id', 'version']).select();
  return rows.map(({ plugin_id: pluginId, version, reason }) => ({ pluginId, version, reason }));
}

export async function putTakenBack(
  trx: Transaction,
  { pluginId, version, reason }: RolledBackVersion,
): Promise<void> {
  const row: Row = { plugin_id: pluginId, version, reason };
  await trx<Row>(table).insert(row).onConflict(['plugin_id', 'version']).merge();
}

/** Of one version, or of all of a plugin. */
export async function forgetRolledBack(
  trx: Transaction,
  pluginId: string,
  version?: string,
): Promise<void> {
  const which = { plugin_id: pluginId, ...(version !== undefined && { version }) };
  await trx<Row>(table).where(which).delete();
}
