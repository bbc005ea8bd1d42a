/** What profiles enter in the forms of plugins, on their account page. */
import type { AlongsideChange, ProfileForm, ProfileSettings } from '../../../kernel/run/index.ts';
import type { Profiles } from '../../people/profiles/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';

/**
 * The forms of plugins for a profile: a user's own, and for admins of all. A profile with a PIN must be
 * unlocked.
 */
export type ProfilePlugins = ReturnType<typeof createProfilePlugins>;

/** Creates it over the settings of the kernel. */
export function createProfilePlugins({
  settings,
  profiles,
  audit,
}: {
  readonly settings: Pick<ProfileSettings, 'list' | 'set' | 'agree'>;
  readonly profiles: Pick<Profiles, 'open'>;
  readonly audit: RecordAudit;
}) {
  return {
    list: async (profileId: string, viewer: Viewer): Promise<readonly ProfileForm[]> => {
      const { id } = await profiles.open(profileId, viewer);
      return settings.list(id, viewer.locale);
    },
    /** The profile lets a plugin act for it while it is away, or no longer. Throws `not_found`. */
    agree: async (
      { profileId, pluginId }: { readonly profileId: string; readonly pluginId: string },
      agrees: boolean,
      viewer: Viewer,
    ): Promise<ProfileForm> => {
      const { id } = await profiles.open(profileId, viewer);
      const { locale = null } = viewer;
      const alongside: AlongsideChange = (trx, change) =>
        audit(trx, {
          actor: viewer,
          action: 'plugin.agreement_changed',
          change,
          target: { type: 'plugin', id: pluginId },
          details: { profileId: id, agrees },
        });
      return settings.agree(pluginId, id, { agrees, locale, alongside });
    },
    /** Throws `not_found` for a plugin without such a form, and `invalid_config`. */
    set: async (
      { profileId, pluginId }: { readonly profileId: string; readonly pluginId: string },
      values: unknown,
      viewer: Viewer,
    ): Promise<ProfileForm> => {
      const { id } = await profiles.open(profileId, viewer);
      const { locale = null } = viewer;
      return settings.set(pluginId, id, { values, locale });
    },
  };
}
