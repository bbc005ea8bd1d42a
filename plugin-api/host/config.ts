import type { MethodRecords } from '../server/method-record.ts';

/** What a form gives, by the keys of its fields. */
export type ConfigurationValues = Readonly<Record<string, unknown>>;

/**
 * `host.config`: the plugin's own configuration. No permission needed. The types of the values are
 * those that `definePlugin<Configuration, ProfileConfiguration>` names.
 */
export interface ConfigService<
  Configuration extends ConfigurationValues = ConfigurationValues,
  ProfileConfiguration extends ConfigurationValues = ConfigurationValues,
> {
  /** The values that the admin set, with defaults for the rest. */
  readonly get: (input: Readonly<Record<string, never>>) => Promise<Configuration>;
  /**
   * What a profile entered in the form `profileConfiguration`, with defaults for the rest. A secret is
   * `true` when it is set: use it as `{secret:key;profile=<profile>}` in `host.net.fetch`, or in
   * `host.secrets`. In a view, an action or a search it is the profile of `host.viewer`, and no other.
   * Elsewhere name one: `profileId` as events have it, for a plugin that was granted `hears: playback`
   * or `eventLog`; or `profile`, the word that the plugin knows. A profile that entered nothing has the
   * defaults.
   *
   * Errors: `invalid_argument` (no profile, or two), `permission_denied`.
   */
  readonly ofProfile: (input: {
    readonly profileId?: string;
    readonly profile?: string;
  }) => Promise<{
    /** The word that stands for the profile in this plugin, as in `host.viewer.profile`. */
    readonly profile: string;
    readonly values: ProfileConfiguration;
  }>;
}

const own = { permission: null, scope: 'none', viewer: 'none' } as const;
const id = { type: 'string', minLength: 1, maxLength: 200, description: 'an id' } as const;

/** What the server knows of each method. @internal */
export const configMethods = {
  get: { ...own, done: { english: 'read its settings', german: 'seine Einstellungen gelesen' } },
  ofProfile: {
    ...own,
    takes: { profile: id, profileId: id },
    done: {
      english: 'read the settings of a profile',
      german: 'die Einstellungen eines Profils gelesen',
    },
  },
} as const satisfies MethodRecords<ConfigService>;
