/** The SQL of what profiles entered in the forms of plugins. Their secrets are stored as secrets are. */
import type { Knex } from 'knex';
import type { Transaction } from '../../store/index.ts';
import type { ConfigValues } from './form-values.ts';

const table = 'plugin_profile_settings';

export async function createProfileSettingsTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('plugin_id').notNullable();
    columns.text('profile').notNullable();
    columns.text('configuration').notNullable();
    columns.primary(['plugin_id', 'profile']);
  });
}

interface Row {
  readonly plugin_id: string;
  /** The name of the profile inside the plugin. */
  readonly profile: string;
  readonly configuration: string;
}

/** The values, without secrets; none when nothing was entered. */
export async function findProfileSettings(
  read: Knex,
  pluginId: string,
  profile: string,
): Promise<ConfigValues> {
  const row = await read<Row>(table).where({ plugin_id: pluginId, profile }).first();
  return row ? (JSON.parse(row.configuration) as ConfigValues) : {};
}

export async function saveProfileSettings(
  trx: Knex,
  pluginId: string,
  { profile, values }: { readonly profile: string; readonly values: ConfigValues },
): Promise<void> {
  const row = { plugin_id: pluginId, profile, configuration: JSON.stringify(values) };
  await trx<Row>(table).insert(row).onConflict(['plugin_id', 'profile']).merge();
}

/** Deletes those of a plugin. */
export async function removeProfileSettings(trx: Knex, pluginId: string): Promise<void> {
  await trx<Row>(table).where({ plugin_id: pluginId }).delete();
}

/** Deletes those of a profile. Each plugin has another name for it. */
export async function deleteSettingsOfProfile(
  trx: Knex,
  profileIn: (pluginId: string) => string,
): Promise<void> {
  const plugins = await trx<Row>(table).distinct<{ readonly plugin_id: string }[]>('plugin_id');
  for (const { plugin_id } of plugins)
    await trx<Row>(table)
      .where({ plugin_id, profile: profileIn(plugin_id) })
      .delete();
}
