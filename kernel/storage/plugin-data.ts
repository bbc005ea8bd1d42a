/**
 * Backup and restore of a plugin's own data. All functions run in a transaction of the caller, so
 * they succeed or fail with its other changes.
 */
import type { Knex } from 'knex';
import { copyIndex, renameIndex } from './text-index/index-copy.ts';
import { dropIndex } from './text-index/index-catalogue.ts';

/** The id for backups; no plugin can have it. */
const backupId = (pluginId: string): string => `${pluginId}#kept`;

/** Backs up the present data; replaces an earlier backup. */
export async function backUpPluginData(trx: Knex.Transaction, pluginId: string): Promise<void> {
  const kept = backupId(pluginId);
  await removeOf(trx, kept);
  await trx.raw(
    `insert into kv_entries (plugin_id, key, value, size_bytes)
     select ?, key, value, size_bytes from kv_entries where plugin_id = ?`,
    [kept, pluginId],
  );
  await trx.raw(
    'insert into kv_usage (plugin_id, used_bytes) select ?, used_bytes from kv_usage where plugin_id = ?',
    [kept, pluginId],
  );
  // The original becomes the backup, and the plugin gets the copy, whose faults would be noticed.
  await renameIndex(trx, pluginId, kept);
  await copyIndex(trx, kept, pluginId);
}

/** Replaces the present data by the backup. */
export async function restorePluginData(trx: Knex.Transaction, pluginId: string): Promise<void> {
  const kept = backupId(pluginId);
  await removeOf(trx, pluginId);
  for (const table of ['kv_entries', 'kv_usage'])
    await trx(table).where({ plugin_id: kept }).update({ plugin_id: pluginId });
  await renameIndex(trx, kept, pluginId);
}

/** Deletes the data and the backup. */
export async function removePluginData(trx: Knex.Transaction, pluginId: string): Promise<void> {
  await removeOf(trx, pluginId);
  await removeOf(trx, backupId(pluginId));
}

async function removeOf(trx: Knex.Transaction, pluginId: string): Promise<void> {
  for (const table of ['kv_entries', 'kv_usage'])
    await trx(table).where({ plugin_id: pluginId }).delete();
  await dropIndex(trx, pluginId);
}
