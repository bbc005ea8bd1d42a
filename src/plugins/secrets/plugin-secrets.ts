/** Secrets of plugins, as admins set them. A stored value is never returned, and never written to the audit log. */
import { KernelError } from '../../../kernel/index.ts';
import type { Alongside } from '../../../kernel/run/index.ts';
import type { KeptSecret, NewSecret, Secrets } from '../../../kernel/run/secrets/index.ts';
import type { SecretName } from '../../../plugin-api/index.ts';
import type { ProfileFollower } from '../../people/profiles/index.ts';
import type { UserFollower } from '../../people/accounts/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { AuditDetail, RecordAudit } from '../../platform/audit/index.ts';
import type { ScopeQuery, SecretValue } from '../../contract/resources/plugins/plugin-secrets.ts';

/** A secret as an admin names it. */
export interface AskedSecret extends ScopeQuery {
  readonly name: string;
}

/**
 * The secrets of plugins, as an admin lists and sets them. All throw `not_found` for a plugin or a scope
 * that does not exist, and `invalid_argument` for two scopes.
 */
export type PluginSecretsAdmin = ReturnType<typeof createPluginSecretsAdmin>;

/** The pseudonym of a profile in a plugin; throws `not_found` for a profile that the viewer does not see. */
export type ProfileWord = (pluginId: string, profileId: string, viewer: Viewer) => Promise<string>;

/** Removes the secrets of a user together with the user. */
export const secretsOfUsers = (secrets: Pick<Secrets, 'forget'>): UserFollower => ({
  created: () => Promise.resolve(),
  removed: (trx, userId) => secrets.forget(trx, { userId }),
});

/** Removes the secrets of a profile together with the profile. */
export const secretsOfProfiles = (
  secrets: Pick<Secrets, 'forgetProfile'>,
  profileIn: (pluginId: string, profileId: string) => string,
): ProfileFollower => ({
  removed: (trx, profileId) =>
    secrets.forgetProfile(trx, (pluginId) => profileIn(pluginId, profileId)),
});

/** Creates it over the secrets of the kernel. */
export function createPluginSecretsAdmin(parts: {
  readonly secrets: Pick<Secrets, 'list' | 'put' | 'remove'>;
  readonly audit: RecordAudit;
  readonly profileWord: ProfileWord;
  /** What a plugin could not do without the secret may begin; `isNew`: it had none of that name. */
  readonly isSet: (pluginId: string, isNew: boolean) => Promise<void>;
}) {
  const { secrets, audit, profileWord } = parts;

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
        change: 'event',
        target: { type: 'plugin', id: pluginId },
        details,
      });

  /** The name and scope under which the plugin knows the secret. */
  async function named(pluginId: string, asked: AskedSecret, viewer: Viewer): Promise<SecretName> {
    assertOneScope(asked);
    const { name, libraryId, userId, profileId } = asked;
    if (libraryId !== undefined) return { name, scope: { libraryId } };
    if (userId !== undefined) return { name, scope: { userId } };
    if (profileId === undefined) return { name };
    return { name, scope: { profile: await profileWord(pluginId, profileId, viewer) } };
  }

  return {
    list: secrets.list,
    put: async (
      pluginId: string,
      asked: AskedSecret,
      { value, encoding, hosts }: SecretValue,
      viewer: Viewer,
    ): Promise<KeptSecret> => {
      const secret: NewSecret = {
        ...(await named(pluginId, asked, viewer)),
        value,
        ...(encoding !== undefined && { encoding }),
        ...(hosts !== undefined && { hosts }),
      };
      const details = { ...auditDetails(asked), hosts: hosts ?? [] };
      const before = await secrets.list(pluginId);
      const kept = await secrets.put(
        pluginId,
        secret,
        noted(viewer, 'secret_set', pluginId, details),
      );
      await parts.isSet(pluginId, !before.some((one) => one.name === kept.name));
      return kept;
    },
    /** Throws `not_found` when there is none. */
    remove: async (pluginId: string, asked: AskedSecret, viewer: Viewer): Promise<void> => {
      const entry = noted(viewer, 'secret_removed', pluginId, auditDetails(asked));
      if (await secrets.remove(pluginId, await named(pluginId, asked, viewer), entry)) return;
      throw new KernelError('not_found', `Secret ${asked.name} of plugin ${pluginId}`);
    },
  };
}

function assertOneScope({ libraryId, userId, profileId }: ScopeQuery): void {
  const scopes = [libraryId, userId, profileId].filter((id) => id !== undefined);
  if (scopes.length <= 1) return;
  throw new KernelError(
    'invalid_argument',
    'query: libraryId, userId and profileId exclude each other; right is one of them, or none.',
  );
}

/** Audit details, with the ids that admins know and not the pseudonym of a profile. */
function auditDetails({ name, libraryId, userId, profileId }: AskedSecret) {
  const ids = Object.entries({ libraryId, userId, profileId }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const scope: AuditDetail = ids.length === 0 ? 'plugin' : Object.fromEntries(ids);
  return { name, scope };
}
