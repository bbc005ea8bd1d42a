/** What admins do with the secrets of plugins. A value goes in and never comes out, nor into the audit log. */
import {
  KernelError,
  type Alongside,
  type KeptSecret,
  type NewSecret,
  type Secrets,
} from '../../kernel/index.ts';
import type { SecretName, SecretScope } from '../../plugin-api/index.ts';
import type { UserFollower, Viewer } from '../accounts/index.ts';
import type { AuditDetail, RecordAudit } from '../audit/index.ts';

/** For whom a secret is kept, as a query says it: neither = for the plugin as a whole. */
export interface ScopeQuery {
  readonly libraryId?: string | undefined;
  readonly userId?: string | undefined;
}

/** What an admin sets. */
export interface SecretValue {
  readonly value: string;
  readonly encoding?: 'utf8' | 'base64' | undefined;
  readonly hosts?: readonly string[] | undefined;
}

/** The secrets of plugins, as an admin sees and sets them. */
export interface PluginSecretsAdmin {
  readonly list: (pluginId: string) => Promise<readonly KeptSecret[]>;
  readonly put: (
    pluginId: string,
    name: SecretName,
    value: SecretValue,
    viewer: Viewer,
  ) => Promise<KeptSecret>;
  /** Throws `not_found` when there is none. */
  readonly remove: (pluginId: string, name: SecretName, viewer: Viewer) => Promise<void>;
}

/** The name in the path and the scope of the query; throws `invalid_argument` for two scopes. */
export function secretNamed(name: string, { libraryId, userId }: ScopeQuery): SecretName {
  if (libraryId !== undefined && userId !== undefined)
    throw new KernelError('invalid_argument', 'query: libraryId and userId exclude each other.');
  if (libraryId !== undefined) return { name, scope: { libraryId } };
  return userId === undefined ? { name } : { name, scope: { userId } };
}

/** What is kept on behalf of a user goes with them. */
export const secretsOfUsers = (secrets: Pick<Secrets, 'forget'>): UserFollower => ({
  created: () => Promise.resolve(),
  removed: (trx, userId) => secrets.forget(trx, { userId }),
});

/** Creates it over the secrets of the kernel. */
export function createPluginSecretsAdmin(parts: {
  readonly secrets: Pick<Secrets, 'list' | 'put' | 'remove'>;
  readonly audit: RecordAudit;
}): PluginSecretsAdmin {
  const { secrets, audit } = parts;

  const noted =
    (
      actor: Viewer,
      action: string,
      pluginId: string,
      details: Readonly<Record<string, AuditDetail>>,
    ): Alongside =>
    (trx) =>
      audit(trx, {
        actor,
        action: `plugin.${action}`,
        target: { type: 'plugin', id: pluginId },
        details,
      });

  return {
    list: secrets.list,
    put: async (pluginId, name, { value, encoding, hosts }, viewer) => {
      const secret: NewSecret = {
        ...name,
        value,
        ...(encoding !== undefined && { encoding }),
        ...(hosts !== undefined && { hosts }),
      };
      const details = { ...told(name), hosts: hosts ?? [] };
      return secrets.put(pluginId, secret, noted(viewer, 'secret_set', pluginId, details));
    },
    remove: async (pluginId, name, viewer) => {
      const entry = noted(viewer, 'secret_removed', pluginId, told(name));
      if (await secrets.remove(pluginId, name, entry)) return;
      throw new KernelError('not_found', `Secret ${name.name} of plugin ${pluginId}`);
    },
  };
}

const told = ({ name, scope = 'plugin' }: SecretName) => ({ name, scope: scopeDetail(scope) });

const scopeDetail = (scope: SecretScope): AuditDetail =>
  scope === 'plugin' ? scope : { ...scope };
