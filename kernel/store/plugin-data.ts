/**
 * Backup and restore of a plugin's own data. All functions run in a transaction of the caller, so
 * they succeed or fail with its other changes.
 */
import type { Knex } from 'knex';
import { copyIndex, renameIndex } from './text-index/index-copy.ts';
import { dropIndex } from './text-index/index-catalogue.ts';

/** Copies the present data to the owner `kept`, whose data is replaced. */
export async function backUpPluginData(
  trx: Knex.Transaction,
  pluginId: string,
  kept: string,
): Promise<void> {
  await removePluginData(trx, kept);
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

/** Replaces the present data by that of the owner `kept`, which has none afterwards. */
export async function restorePluginData(
  trx: Knex.Transaction,
  pluginId: string,
  kept: string,
): Promise<void> {
  await removePluginData(trx, pluginId);
  for (const table of ['kv_entries', 'kv_usage'])
    await trx(table).where({ plugin_id: kept }).update({ plugin_id: pluginId });
  await renameIndex(trx, kept, pluginId);
}

/** Deletes the data of a plugin, or a backup. */
export async function removePluginData(trx: Knex.Transaction, owner: string): Promise<void> {
  for (const table of ['kv_entries', 'kv_usage'])
    await trx(table).where({ plugin_id: owner }).delete();
  await dropIndex(trx, owner);
}
