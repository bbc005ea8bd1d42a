/**
 * The SQL of the secrets that plugins use without reading them. Like all data of a plugin, they can
 * be backed up and restored in the transaction that swaps its versions.
 */
import type { Knex } from 'knex';
import { byteOrdered, type Transaction } from '../../store/index.ts';
import { isProfileScope, scopeText } from './secret.ts';

export interface SecretRow {
  readonly plugin_id: string;
  /** In the form of `scopeText`. */
  readonly scope: string;
  readonly name: string;
  readonly sealed: string;
  /** JSON of a list. */
  readonly hosts: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

/** The key of a row. */
export type SecretKey = Pick<SecretRow, 'plugin_id' | 'scope' | 'name'>;

const table = 'plugin_secrets';

export async function createSecretTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    byteOrdered(columns, 'plugin_id').notNullable();
    byteOrdered(columns, 'scope').notNullable();
    byteOrdered(columns, 'name').notNullable();
    columns.text('sealed').notNullable();
    columns.text('hosts').notNullable();
    columns.text('updated_at').notNullable();
    columns.primary(['plugin_id', 'scope', 'name']);
    columns.index(['scope']);
  });
}

/** The secrets of one plugin, by scope and name; those of one scope when it is given. */
export async function listSecrets(
  read: Knex,
  pluginId: string,
  scope?: string,
): Promise<readonly SecretRow[]> {
  return read<SecretRow>(table)
    .where({ plugin_id: pluginId, ...(scope === undefined ? {} : { scope }) })
    .orderBy(['scope', 'name'])
    .select('*');
}

/** The secrets of all plugins, without backups. */
export async function listAllSecrets(read: Knex): Promise<readonly SecretRow[]> {
  const rows = await read<SecretRow>(table).orderBy(['plugin_id', 'scope', 'name']).select('*');
  return rows.filter(({ plugin_id }) => ownerOf(plugin_id) === plugin_id);
}

export async function findSecret(read: Knex, key: SecretKey): Promise<SecretRow | undefined> {
  return read<SecretRow>(table)
    .where({ plugin_id: key.plugin_id, scope: key.scope, name: key.name })
    .first();
}

/** How many there are: in the scope of a profile, or in all scopes but those of profiles. */
export async function countSecrets(
  read: Knex,
  { plugin_id, scope }: Pick<SecretKey, 'plugin_id' | 'scope'>,
): Promise<number> {
  const rows = read<SecretRow>(table).where({ plugin_id });
  const counted = isProfileScope(scope)
    ? rows.andWhere({ scope })
    : rows.andWhere('scope', 'not like', 'profile:%');
  const found = await counted.count({ count: '*' });
  return Number(found[0]?.['count'] ?? 0);
}

export async function saveSecret(trx: Knex, row: SecretRow): Promise<void> {
  await trx<SecretRow>(table).insert(row).onConflict(['plugin_id', 'scope', 'name']).merge();
}

/** Returns whether there was one. */
export async function deleteSecret(trx: Knex, key: SecretKey): Promise<boolean> {
  const { plugin_id, scope, name } = key;
  return (await trx<SecretRow>(table).where({ plugin_id, scope, name }).delete()) > 0;
}

/** Deletes them for every plugin, in backups too. */
export async function deleteSecretsOf(trx: Knex, scope: string): Promise<void> {
  await trx<SecretRow>(table).where({ scope }).delete();
}

/** Deletes them for every plugin, in backups too. Each plugin has another name for the profile. */
export async function deleteSecretsOfProfile(
  trx: Knex,
  profileIn: (pluginId: string) => string,
): Promise<void> {
  const owners = await trx<SecretRow>(table)
    .where('scope', 'like', 'profile:%')
    .distinct<{ readonly plugin_id: string }[]>('plugin_id');
  for (const { plugin_id } of owners) {
    const scope = scopeText({ profile: profileIn(ownerOf(plugin_id)) });
    await trx<SecretRow>(table).where({ plugin_id, scope }).delete();
  }
}

/** The plugin of a row, in use or in a backup. */
const ownerOf = (pluginId: string): string => pluginId.replace(/#.*$/, '');

/** Copies the present secrets to the owner `kept`, whose secrets are replaced. */
export async function backUpSecrets(trx: Knex, pluginId: string, kept: string): Promise<void> {
  await removeSecrets(trx, kept);
  await trx.raw(
    `insert into ${table} (plugin_id, scope, name, sealed, hosts, updated_at)
     select ?, scope, name, sealed, hosts, updated_at from ${table} where plugin_id = ?`,
    [kept, pluginId],
  );
}

/** Replaces the present secrets by those of the owner `kept`, which has none afterwards. */
export async function restoreSecrets(trx: Knex, pluginId: string, kept: string): Promise<void> {
  await removeSecrets(trx, pluginId);
  await trx<SecretRow>(table).where({ plugin_id: kept }).update({ plugin_id: pluginId });
}

/** Deletes the secrets of a plugin, or a backup. */
export async function removeSecrets(trx: Knex, owner: string): Promise<void> {
  await trx<SecretRow>(table).where({ plugin_id: owner }).delete();
}
