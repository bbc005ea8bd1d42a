/**
 * What a plugin itself has stored, as one thing that can be kept aside and brought back. Everything
 * happens inside a transaction of the caller, so it stands or falls with what else changes there.
 */
import type { Knex } from 'knex';
import { copyIndex, renameIndex } from './text-index/index-copy.ts';
import { dropIndex } from './text-index/index-catalogue.ts';

/** No plugin can have this id. */
const backupId = (pluginId: string): string => `${pluginId}#kept`;

/** Keeps a copy of what is there now, instead of one that was kept before. */
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
  // The original is the one to keep: a copy that is not quite right would be found out by its user.
  await renameIndex(trx, pluginId, kept);
  await copyIndex(trx, kept, pluginId);
}

/** Puts back what was kept, instead of what is there now. */
export async function restorePluginData(trx: Knex.Transaction, pluginId: string): Promise<void> {
  const kept = backupId(pluginId);
  await removeOf(trx, pluginId);
  for (const table of ['kv_entries', 'kv_usage'])
    await trx(table).where({ plugin_id: kept }).update({ plugin_id: pluginId });
  await renameIndex(trx, kept, pluginId);
}

/** Forgets what there is, and what was kept. */
export async function removePluginData(trx: Knex.Transaction, pluginId: string): Promise<void> {
  await removeOf(trx, pluginId);
  await removeOf(trx, backupId(pluginId));
}

async function removeOf(trx: Knex.Transaction, pluginId: string): Promise<void> {
  for (const table of ['kv_entries', 'kv_usage'])
    await trx(table).where({ plugin_id: pluginId }).delete();
  await dropIndex(trx, pluginId);
}
