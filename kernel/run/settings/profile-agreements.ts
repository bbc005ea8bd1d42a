/**
 * What profiles agreed to: that a plugin acts for them while they are away. Guarantee: an agreement
 * covers what the plugin was granted when it was given, and no more. A grant that was widened since has
 * to be agreed to again.
 */
import type { Permissions } from '../../../plugin-api/index.ts';
import type { Database } from '../../store/index.ts';
import {
  findAgreement,
  listAgreements,
  removeAgreement,
  saveAgreement,
  type AgreedLevel,
} from './profile-agreement-store.ts';
import type { AlongsideChange } from './plugin-store.ts';

/** An agreement, as the plugin learns of it. */
export interface ProfileAgreement {
  /** The name of the profile inside the plugin. */
  readonly profile: string;
  readonly level: AgreedLevel;
}

/** The agreements. `profileId` is the id of a profile on the server. */
export type ProfileAgreements = ReturnType<typeof createProfileAgreements>;

export interface ProfileAgreementsParts {
  readonly database: Database;
  /** What the plugin was granted; nothing for one that is not there, or is disabled. */
  readonly grantedOf: (pluginId: string) => Permissions;
  /** The name of a profile inside a plugin. */
  readonly profileIn: (pluginId: string, profileId: string) => string;
}

export function createProfileAgreements({
  database,
  grantedOf,
  profileIn,
}: ProfileAgreementsParts) {
  /** What is agreed to and granted. */
  const levelNow = (pluginId: string, agreed: AgreedLevel): AgreedLevel | null => {
    const granted = grantedOf(pluginId).viewing ?? null;
    return granted === 'write' ? agreed : granted;
  };

  return {
    /** Those of a plugin, as far as they are granted, too. */
    list: async (pluginId: string): Promise<readonly ProfileAgreement[]> => {
      const rows = await listAgreements(database.read, pluginId);
      return rows.flatMap(({ profile, level }) => {
        const now = levelNow(pluginId, level);
        return now === null ? [] : [{ profile, level: now }];
      });
    },
    /** The profile behind its name in a plugin, and what it agreed to; `null` = to nothing. */
    find: async (
      pluginId: string,
      profile: string,
    ): Promise<{ readonly profileId: string; readonly level: AgreedLevel } | null> => {
      const row = await findAgreement(database.read, pluginId, profile);
      const level = row && levelNow(pluginId, row.level);
      return row && level ? { profileId: row.profile_id, level } : null;
    },
    /** What a profile agreed to; `null` = to nothing. */
    of: async (pluginId: string, profileId: string): Promise<AgreedLevel | null> => {
      const row = await findAgreement(database.read, pluginId, profileIn(pluginId, profileId));
      return row?.level ?? null;
    },
    /** The profile agrees to what is granted now, or to nothing any more. */
    set: async (
      { pluginId, profileId }: { readonly pluginId: string; readonly profileId: string },
      agrees: boolean,
      alongside?: AlongsideChange,
    ): Promise<void> => {
      const level = grantedOf(pluginId).viewing;
      const key = { plugin_id: pluginId, profile: profileIn(pluginId, profileId) };
      await database.write(async (trx) => {
        const before = (await findAgreement(trx, key.plugin_id, key.profile))?.level ?? null;
        const after = agrees ? (level ?? null) : null;
        if (after === null) await removeAgreement(trx, key);
        else await saveAgreement(trx, { ...key, profile_id: profileId, level: after });
        await alongside?.(trx, { before, after });
      });
    },
  };
}
