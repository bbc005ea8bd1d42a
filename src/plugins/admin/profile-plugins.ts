/** What profiles enter in the forms of plugins, on their account page. */
import type { ProfileForm, ProfileSettings } from '../../../kernel/run/index.ts';
import type { Profiles } from '../../people/profiles/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';

/**
 * The forms of plugins for a profile: a user's own, and for admins of all. A profile with a PIN must be
 * unlocked.
 */
export type ProfilePlugins = ReturnType<typeof createProfilePlugins>;

/** Creates it over the settings of the kernel. */
export function createProfilePlugins({
  settings,
  profiles,
}: {
  readonly settings: Pick<ProfileSettings, 'list' | 'set'>;
  readonly profiles: Pick<Profiles, 'open'>;
}) {
  return {
    list: async (profileId: string, viewer: Viewer): Promise<readonly ProfileForm[]> => {
      const { id } = await profiles.open(profileId, viewer);
      return settings.list(id, viewer.locale);
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
