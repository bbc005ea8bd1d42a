/**
 * Secrets that the host keeps for plugins: sealed at rest, each for its plugin, scope and name, so a
 * row that is moved elsewhere does not open there. A plugin uses them and never gets one; what an admin
 * sets or removes holds for the version before too, so a rollback brings no key back that was taken away.
 */
import { createHash } from 'node:crypto';
import type { Permissions, SecretName, SecretScope } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import { coversHost } from '../../host-pattern.ts';
import type { Database, Transaction } from '../../storage/index.ts';
import type { Clock } from '../clock.ts';
import { findPackage } from '../package-store.ts';
import type { SecretSeal } from '../plugin-secrets.ts';
import type { Alongside } from '../plugin-store.ts';
import {
  countSecrets,
  deleteSecret,
  deleteSecretsOf,
  deleteSecretsOfProfile,
  findSecret,
  backupId,
  listSecrets,
  saveSecret,
  type SecretKey,
  type SecretRow,
} from './secret-store.ts';
import {
  assertSecretName,
  bytesOf,
  mostSecrets,
  parseHosts,
  refusal,
  scopeOf,
  scopeText,
  secretText,
  type KeptSecret,
  type NewSecret,
  type OpenedSecret,
} from './secret.ts';

/** The secrets of all plugins, for whoever sets them and for those who use them on a plugin's behalf. */
export interface Secrets {
  /** By scope and name. Throws `not_found` for an unknown plugin. */
  readonly list: (pluginId: string) => Promise<readonly KeptSecret[]>;
  /**
   * Sets a secret, or sets it anew. Throws `invalid_argument`, `not_found` (plugin, library or user) or
   * `quota_exceeded`.
   */
  readonly put: (pluginId: string, secret: NewSecret, alongside?: Alongside) => Promise<KeptSecret>;
  /** Whether there was one. */
  readonly remove: (pluginId: string, name: SecretName, alongside?: Alongside) => Promise<boolean>;
  /** The value, for the use that the plugin asks for; `null` = there is none, or it does not open. */
  readonly open: (pluginId: string, name: SecretName) => Promise<OpenedSecret | null>;
  /** A library or a user is gone, and with it what was kept for it; in the caller's transaction. */
  readonly forget: (trx: Transaction, scope: SecretScope) => Promise<void>;
  /** A profile is gone, and with it what was kept for it; `profileIn` gives what stands for it in a plugin. */
  readonly forgetProfile: (
    trx: Transaction,
    profileIn: (pluginId: string) => string,
  ) => Promise<void>;
}

/** What the plugin's own side can do beside. */
export interface OwnSecrets extends Pick<Secrets, 'list' | 'open'> {
  /** Keeps random bytes under a name that is free; false when it is not. */
  readonly create: (pluginId: string, name: SecretName) => Promise<boolean>;
  /** Whether there was one. What was kept aside for the version before stays. */
  readonly drop: (pluginId: string, name: SecretName) => Promise<boolean>;
}

/** Whether there is such a library or user. A profile is checked before its word is made. */
export type HasSecretScope = (
  scope: Exclude<SecretScope, 'plugin' | { readonly profile: string }>,
) => Promise<boolean>;

/** What secrets are made of. */
export interface SecretsParts {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly clock: Clock;
  readonly random: (count: number) => Uint8Array;
  /** What the plugin asks for; throws `not_found` for an unknown one. */
  readonly askedBy: (pluginId: string) => Permissions;
  readonly hasScope: HasSecretScope;
}

const randomBytes = 32;

/** Creates them over the database. */
export function createSecrets(parts: SecretsParts): Secrets & OwnSecrets {
  const { database, seal, clock } = parts;

  const contextOf = (pluginId: string, { scope, name }: SecretKey): string =>
    JSON.stringify(['host secret', pluginId, scope, name]);

  function valueIn(pluginId: string, row: SecretRow): Uint8Array | null {
    const text = seal.open(row.sealed, contextOf(pluginId, row));
    return text === null ? null : Buffer.from(text, 'base64');
  }

  function rowOf(key: SecretKey, value: Uint8Array, hosts: readonly string[]): SecretRow {
    return {
      ...key,
      sealed: seal.seal(Buffer.from(value).toString('base64'), contextOf(key.plugin_id, key)),
      hosts: JSON.stringify(hosts),
      updated_at: new Date(clock.now()).toISOString(),
    };
  }

  const shown = (pluginId: string, row: SecretRow): KeptSecret => ({
    name: row.name,
    scope: scopeOf(row.scope),
    hosts: hostsIn(row),
    updatedAt: row.updated_at,
    isLost: valueIn(pluginId, row) === null,
  });

  async function assertScope(scope: SecretScope = 'plugin'): Promise<void> {
    // The plugin names the profile of its viewer alone, and the server one that is there.
    if (scope === 'plugin' || 'profile' in scope || (await parts.hasScope(scope))) return;
    const [kind, id] = 'libraryId' in scope ? ['Library', scope.libraryId] : ['User', scope.userId];
    throw new KernelError('not_found', `${kind} ${id}`);
  }

  async function assertRoom(trx: Transaction, key: SecretKey): Promise<void> {
    if (await findSecret(trx, key)) return;
    if ((await countSecrets(trx, key.plugin_id)) < mostSecrets) return;
    throw new KernelError(
      'quota_exceeded',
      `The plugin has ${mostSecrets} secrets, and may have no more; remove one first.`,
    );
  }

  /** What is kept aside for the version before, if there is one to go back to. */
  async function hasKept(trx: Transaction, pluginId: string): Promise<boolean> {
    const record = await findPackage(trx, pluginId);
    return record !== null && record.previous !== null;
  }

  async function put(pluginId: string, secret: NewSecret, alongside?: Alongside) {
    const asked = parts.askedBy(pluginId);
    if (asked.secrets !== true) throw refusal(`Plugin ${pluginId} does not ask for secrets.`);
    assertSecretName(secret);
    const value = bytesOf(secret);
    const hosts = parseHosts(secret, value);
    assertAskedHosts(pluginId, hosts, asked);
    await assertScope(secret.scope);
    const row = rowOf(keyOf(pluginId, secret), value, hosts);
    await database.write(async (trx) => {
      await assertRoom(trx, row);
      await saveSecret(trx, row);
      // The seal is the plugin's, whatever the row is filed under.
      if (await hasKept(trx, pluginId))
        await saveSecret(trx, { ...row, plugin_id: backupId(pluginId) });
      await alongside?.(trx);
    });
    return shown(pluginId, row);
  }

  async function remove(pluginId: string, name: SecretName, alongside?: Alongside) {
    parts.askedBy(pluginId);
    assertSecretName(name);
    const key = keyOf(pluginId, name);
    return database.write(async (trx) => {
      const wasThere = await deleteSecret(trx, key);
      await deleteSecret(trx, { ...key, plugin_id: backupId(pluginId) });
      if (wasThere) await alongside?.(trx);
      return wasThere;
    });
  }

  async function create(pluginId: string, name: SecretName): Promise<boolean> {
    assertSecretName(name);
    await assertScope(name.scope);
    const key = keyOf(pluginId, name);
    return database.write(async (trx) => {
      if (await findSecret(trx, key)) return false;
      await assertRoom(trx, key);
      await saveSecret(trx, rowOf(key, parts.random(randomBytes), []));
      return true;
    });
  }

  async function open(pluginId: string, name: SecretName): Promise<OpenedSecret | null> {
    const row = await findSecret(database.read, keyOf(pluginId, name));
    const value = row && valueIn(pluginId, row);
    if (!row || !value) return null;
    const version = createHash('sha256').update(row.sealed).digest('hex').slice(0, 16);
    return { value, hosts: hostsIn(row), version };
  }

  return {
    list: async (pluginId) => {
      parts.askedBy(pluginId);
      const rows = await listSecrets(database.read, pluginId);
      return rows.map((row) => shown(pluginId, row));
    },
    put,
    remove,
    create,
    open,
    drop: (pluginId, name) => {
      const key = keyOf(pluginId, name);
      return database.write((trx) => deleteSecret(trx, key));
    },
    forget: (trx, scope) => deleteSecretsOf(trx, scopeText(scope)),
    forgetProfile: deleteSecretsOfProfile,
  };
}

/** Throws `not_found` with the secret's name. */
export function missing(name: SecretName): KernelError {
  return new KernelError('not_found', secretText(name));
}

const keyOf = (pluginId: string, { name, scope }: SecretName): SecretKey => ({
  plugin_id: pluginId,
  scope: scopeText(scope),
  name,
});

/** The column holds what `rowOf` wrote. */
const hostsIn = (row: SecretRow): readonly string[] => JSON.parse(row.hosts) as readonly string[];

/** A host that the plugin can never reach is a mistake, and better heard of now. */
function assertAskedHosts(
  pluginId: string,
  hosts: readonly string[],
  { net = [] }: Permissions,
): void {
  const stranger = hosts.find((host) => !net.some((pattern) => coversHost(pattern, host)));
  if (stranger === undefined) return;
  const known = net.length === 0 ? 'no host' : net.join(', ');
  throw refusal(
    `hosts: ${stranger} is not a host that plugin ${pluginId} asks for; it asks for ${known}.`,
  );
}
