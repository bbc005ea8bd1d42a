/**
 * Secrets that the host stores for plugins: encrypted at rest, each for its plugin, scope and name,
 * so that a copied row does not open elsewhere. A plugin uses them but never reads one. What an admin
 * sets or removes applies to the backup of the version before too, so a rollback does not restore a
 * removed key.
 */
import { createHash } from 'node:crypto';
import type { Permissions, SecretName, SecretScope } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import { coversHost } from '../../host-pattern.ts';
import type { Database, Transaction } from '../../store/index.ts';
import type { Clock } from '../plugin/clock.ts';
import { findPackage } from '../packages/package-store.ts';
import type { SecretSeal } from '../settings/plugin-secrets.ts';
import type { Alongside } from '../settings/plugin-store.ts';
import { deleteAgreementsOfProfile } from '../settings/profile-agreement-store.ts';
import { deleteSettingsOfProfile } from '../settings/profile-settings-store.ts';
import {
  countSecrets,
  deleteSecret,
  deleteSecretsOf,
  deleteSecretsOfProfile,
  findSecret,
  listAllSecrets,
  listSecrets,
  saveSecret,
  type SecretKey,
  type SecretRow,
} from './secret-store.ts';
import {
  assertSecretName,
  bytesOf,
  isProfileScope,
  mostSecrets,
  mostSecretsOfProfile,
  parseHosts,
  refusal,
  scopeOf,
  scopeText,
  secretText,
  type KeptSecret,
  type NewSecret,
  type OpenedSecret,
} from './secret.ts';

/** Secrets to set, and others to remove. */
export interface SecretChange {
  readonly set: readonly NewSecret[];
  readonly removed: readonly SecretName[];
}

/** The secrets of all plugins, for admins and for the services that use them for a plugin. */
export interface Secrets {
  /** By scope and name; of one scope when it is given. Throws `not_found` for an unknown plugin. */
  readonly list: (pluginId: string, scope?: SecretScope) => Promise<readonly KeptSecret[]>;
  /**
   * Sets or replaces a secret. Throws `invalid_argument`, `not_found` (plugin, library or user) or
   * `quota_exceeded`.
   */
  readonly put: (pluginId: string, secret: NewSecret, alongside?: Alongside) => Promise<KeptSecret>;
  /** Returns whether there was one. */
  readonly remove: (pluginId: string, name: SecretName, alongside?: Alongside) => Promise<boolean>;
  /**
   * Sets some secrets and removes others: all of it, or nothing when it throws. Throws as `put` and
   * `remove` do.
   */
  readonly change: (pluginId: string, change: SecretChange, alongside?: Alongside) => Promise<void>;
  /** The value, for a use that the plugin requested; `null` = there is none, or it does not open. */
  readonly open: (pluginId: string, name: SecretName) => Promise<OpenedSecret | null>;
  /** The plugins with secrets that do not open: the key of the server is another one. */
  readonly lost: () => Promise<readonly string[]>;
  /** Deletes the secrets of a deleted library or user, in the caller's transaction. */
  readonly forget: (trx: Transaction, scope: SecretScope) => Promise<void>;
  /** Deletes the secrets, settings and agreements of a deleted profile; `profileIn` gives the profile's name in a plugin. */
  readonly forgetProfile: (
    trx: Transaction,
    profileIn: (pluginId: string) => string,
  ) => Promise<void>;
}

/** What the plugin itself can do. */
export interface OwnSecrets extends Pick<Secrets, 'list' | 'open'> {
  /** Stores random bytes under a free name; false when the name is taken. */
  readonly create: (pluginId: string, name: SecretName) => Promise<boolean>;
  /** Returns whether there was one. The backup of the version before keeps its copy. */
  readonly drop: (pluginId: string, name: SecretName) => Promise<boolean>;
}

/** Whether the library or user exists. A profile is checked before it gets its name. */
export type HasSecretScope = (
  scope: Exclude<SecretScope, 'plugin' | { readonly profile: string }>,
) => Promise<boolean>;

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
    // A plugin can only name its viewer's profile, and the server only an existing one.
    if (scope === 'plugin' || 'profile' in scope || (await parts.hasScope(scope))) return;
    const [kind, id] = 'libraryId' in scope ? ['Library', scope.libraryId] : ['User', scope.userId];
    throw new KernelError('not_found', `${kind} ${id}`);
  }

  /** The secrets of each profile are counted apart, so that people do not use up the room of others. */
  async function assertRoom(trx: Transaction, key: SecretKey): Promise<void> {
    if (await findSecret(trx, key)) return;
    const isOfProfile = isProfileScope(key.scope);
    const most = isOfProfile ? mostSecretsOfProfile : mostSecrets;
    if ((await countSecrets(trx, key)) < most) return;
    const owner = isOfProfile ? 'In this plugin the profile has' : 'The plugin has';
    throw new KernelError(
      'quota_exceeded',
      `${owner} ${most} secrets, which is the limit; remove one first.`,
    );
  }

  /** The owners of the backups for earlier versions. */
  async function backupsOf(trx: Transaction, pluginId: string): Promise<readonly string[]> {
    const record = await findPackage(trx, pluginId);
    return (record?.earlier ?? []).flatMap(({ kept }) => kept ?? []);
  }

  /** Checks a secret, and seals it. */
  async function sealed(pluginId: string, secret: NewSecret): Promise<SecretRow> {
    const asked = parts.askedBy(pluginId);
    if (asked.secrets !== true) throw refusal(`Plugin ${pluginId} does not ask for secrets.`);
    assertSecretName(secret);
    const value = bytesOf(secret);
    const hosts = parseHosts(secret, value);
    assertAskedHosts(pluginId, hosts, asked);
    await assertScope(secret.scope);
    return rowOf(keyOf(pluginId, secret), value, hosts);
  }

  async function store(trx: Transaction, row: SecretRow): Promise<void> {
    await assertRoom(trx, row);
    await saveSecret(trx, row);
    // The seal is bound to the plugin's own id, also in the backup rows.
    for (const kept of await backupsOf(trx, row.plugin_id))
      await saveSecret(trx, { ...row, plugin_id: kept });
  }

  async function discard(trx: Transaction, key: SecretKey): Promise<boolean> {
    const wasThere = await deleteSecret(trx, key);
    for (const kept of await backupsOf(trx, key.plugin_id))
      await deleteSecret(trx, { ...key, plugin_id: kept });
    return wasThere;
  }

  async function put(pluginId: string, secret: NewSecret, alongside?: Alongside) {
    const row = await sealed(pluginId, secret);
    await database.write(async (trx) => {
      await store(trx, row);
      await alongside?.(trx);
    });
    return shown(pluginId, row);
  }

  async function remove(pluginId: string, name: SecretName, alongside?: Alongside) {
    parts.askedBy(pluginId);
    assertSecretName(name);
    return database.write(async (trx) => {
      const wasThere = await discard(trx, keyOf(pluginId, name));
      if (wasThere) await alongside?.(trx);
      return wasThere;
    });
  }

  const change: Secrets['change'] = async (pluginId, { set, removed }, alongside) => {
    parts.askedBy(pluginId);
    for (const name of removed) assertSecretName(name);
    const rows: SecretRow[] = [];
    for (const secret of set) rows.push(await sealed(pluginId, secret));
    await database.write(async (trx) => {
      for (const name of removed) await discard(trx, keyOf(pluginId, name));
      for (const row of rows) await store(trx, row);
      await alongside?.(trx);
    });
  };

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
    list: async (pluginId, scope) => {
      parts.askedBy(pluginId);
      const rows = await listSecrets(database.read, pluginId, scope && scopeText(scope));
      return rows.map((row) => shown(pluginId, row));
    },
    lost: async () => {
      const rows = await listAllSecrets(database.read);
      const lost = rows.filter((row) => valueIn(row.plugin_id, row) === null);
      return [...new Set(lost.map(({ plugin_id }) => plugin_id))];
    },
    put,
    remove,
    change,
    create,
    open,
    drop: (pluginId, name) => {
      const key = keyOf(pluginId, name);
      return database.write((trx) => deleteSecret(trx, key));
    },
    forget: (trx, scope) => deleteSecretsOf(trx, scopeText(scope)),
    forgetProfile: async (trx, profileIn) => {
      await deleteSecretsOfProfile(trx, profileIn);
      await deleteSettingsOfProfile(trx, profileIn);
      await deleteAgreementsOfProfile(trx, profileIn);
    },
  };
}

/** The `not_found` error of a secret that is there, sealed with a key that the server does not have. */
export function sealedElsewhere(name: SecretName): KernelError {
  return new KernelError(
    'not_found',
    `The key that opens ${secretText(name)} (set the secret again)`,
  );
}

/** The `not_found` error with the secret's name. */
export function missing(name: SecretName): KernelError {
  return new KernelError('not_found', secretText(name));
}

const keyOf = (pluginId: string, { name, scope }: SecretName): SecretKey => ({
  plugin_id: pluginId,
  scope: scopeText(scope),
  name,
});

/** The column holds only what `rowOf` wrote. */
const hostsIn = (row: SecretRow): readonly string[] => JSON.parse(row.hosts) as readonly string[];

/** Refuses a host that the plugin did not ask for, since it could never be used. */
function assertAskedHosts(
  pluginId: string,
  hosts: readonly string[],
  { net = [] }: Permissions,
): void {
  const unasked = hosts.find((host) => !net.some((pattern) => coversHost(pattern, host)));
  if (unasked === undefined) return;
  const known = net.length === 0 ? 'no host' : net.join(', ');
  throw refusal(
    `hosts: ${unasked} is not a host that plugin ${pluginId} asks for; it asks for ${known}.`,
  );
}
