/** The SQL of what profiles agreed to: that a plugin acts for them while they are away. */
import type { Knex } from 'knex';
import type { Transaction } from '../../store/index.ts';

const table = 'plugin_profile_agreements';

/** What a plugin may do for the profile. */
export type AgreedLevel = 'read' | 'write';

interface Row {
  readonly plugin_id: string;
  /** The name of the profile inside the plugin. */
  readonly profile: string;
  readonly profile_id: string;
  readonly level: AgreedLevel;
}

export async function createProfileAgreementTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('plugin_id').notNullable();
    columns.text('profile').notNullable();
    columns.text('profile_id').notNullable();
    columns.text('level').notNullable();
    columns.primary(['plugin_id', 'profile']);
  });
}

export const findAgreement = (
  read: Knex,
  pluginId: string,
  profile: string,
): Promise<Row | undefined> => read<Row>(table).where({ plugin_id: pluginId, profile }).first();

/** Those of a plugin. */
export const listAgreements = (read: Knex, pluginId: string): Promise<readonly Row[]> =>
  read<Row>(table).where({ plugin_id: pluginId }).orderBy('profile').select('*');

export async function saveAgreement(trx: Knex, row: Row): Promise<void> {
  await trx<Row>(table).insert(row).onConflict(['plugin_id', 'profile']).merge();
}

export async function removeAgreement(
  trx: Knex,
  key: Pick<Row, 'plugin_id' | 'profile'>,
): Promise<void> {
  await trx<Row>(table).where(key).delete();
}

/** Deletes those of a plugin. */
export async function removeAgreements(trx: Knex, pluginId: string): Promise<void> {
  await trx<Row>(table).where({ plugin_id: pluginId }).delete();
}

/** Deletes those of a profile; `profileIn` gives its name inside a plugin. */
export async function deleteAgreementsOfProfile(
  trx: Knex,
  profileIn: (pluginId: string) => string,
): Promise<void> {
  const plugins = await trx<Row>(table).distinct<{ readonly plugin_id: string }[]>('plugin_id');
  for (const { plugin_id } of plugins)
    await removeAgreement(trx, { plugin_id, profile: profileIn(plugin_id) });
}
