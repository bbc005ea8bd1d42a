/**
 * The settings that each profile has in a plugin: a form of the manifest, filled in by the people who
 * use the profile. Guarantee: a secret of the form is stored as other secrets of plugins are, under the
 * profile; neither the plugin nor a reply ever gets it.
 */
import type { ConfigField } from '../../../plugin-api/index.ts';
import { shownFields } from '../manifest/config-values.ts';
import type { ShownField } from '../plugin/plugin.ts';
import { agreementSentence } from '../powers/index.ts';
import { KernelError } from '../../errors.ts';
import type { Database } from '../../store/index.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { SecretChange, Secrets } from '../secrets/index.ts';
import {
  effectiveValues,
  fittingValues,
  maskedSecret,
  parseConfiguration,
  type ConfigValues,
} from '../settings/form-values.ts';
import type { AlongsideChange } from '../settings/plugin-store.ts';
import type { AgreedLevel } from '../settings/profile-agreement-store.ts';
import { findProfileSettings, saveProfileSettings } from '../settings/profile-settings-store.ts';
import type { ProfileAgreements } from '../settings/profile-agreements.ts';

/** The form of a plugin for one profile. */
export interface ProfileForm {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly configuration: readonly ShownField[];
  /** With `***` for each secret that is set. */
  readonly values: ConfigValues;
  /** What it asks of the profile; `null` = nothing. */
  readonly agreement: AskedAgreement | null;
}

/** That a plugin may act for a profile while it is away. */
export interface AskedAgreement {
  /** What the plugin was granted. */
  readonly asked: AgreedLevel;
  /** What the profile agreed to. */
  readonly agreed: AgreedLevel | null;
  /** What is asked, in plain words. */
  readonly sentence: string;
}

/** The settings of profiles. `profile` is the id of a profile on the server, except where it says so. */
export type ProfileSettings = ReturnType<typeof createProfileSettings>;

export interface ProfileSettingsParts {
  readonly database: Database;
  readonly all: () => readonly InstalledPlugin[];
  readonly find: (pluginId: string) => InstalledPlugin | undefined;
  readonly secrets: Pick<Secrets, 'list' | 'change'>;
  readonly agreements: Pick<ProfileAgreements, 'of' | 'set'>;
  /** The name of a profile inside a plugin. */
  readonly profileIn: (pluginId: string, profileId: string) => string;
}

export function createProfileSettings(parts: ProfileSettingsParts) {
  const { database, all, find, secrets, agreements, profileIn } = parts;

  async function kept(plugin: InstalledPlugin, profile: string): Promise<ConfigValues> {
    const form = formOf(plugin);
    const plain = await findProfileSettings(database.read, plugin.id, profile);
    const names = secretKeys(form);
    const stored = names.size === 0 ? [] : await secrets.list(plugin.id, { profile });
    const set = stored.filter(({ name }) => names.has(name));
    const masks = set.map(({ name }) => [name, maskedSecret] as const);
    return { ...fittingValues(form, plain), ...Object.fromEntries(masks) };
  }

  async function shown(
    plugin: InstalledPlugin,
    profileId: string,
    locale: string | null,
  ): Promise<ProfileForm> {
    const { id, name, description, profileConfiguration } = plugin.manifestIn(locale);
    const values = effectiveValues(formOf(plugin), await kept(plugin, profileIn(id, profileId)));
    const configuration = shownFields(profileConfiguration);
    const agreement = askedOf(plugin, await agreements.of(id, profileId), locale);
    return { id, name, description, configuration, values, agreement };
  }

  /**
   * Replaces the values of a profile; `***` keeps a secret, and a secret that is left out or empty
   * is removed. All of it is saved, or nothing. Throws `not_found` for a plugin without a form,
   * `invalid_config` and `quota_exceeded`.
   */
  const set = async (
    pluginId: string,
    profileId: string,
    { values: given, locale }: { readonly values: unknown; readonly locale?: string | null },
  ): Promise<ProfileForm> => {
    const plugin = asking(find(pluginId), pluginId);
    const form = formOf(plugin);
    const profile = profileIn(pluginId, profileId);
    const parsed = parseConfiguration(form, given, await kept(plugin, profile));
    if (!parsed.ok) throw new KernelError('invalid_config', parsed.faults.join(' '));
    const names = secretKeys(form);
    const entries = Object.entries(parsed.value);
    const plain = Object.fromEntries(entries.filter(([key]) => !names.has(key)));
    await secrets.change(
      pluginId,
      changeOf([...names], { profile, values: parsed.value, hosts: hostsOf(plugin) }),
      (trx) => saveProfileSettings(trx, pluginId, { profile, values: plain }),
    );
    return shown(plugin, profileId, locale ?? null);
  };

  return {
    /** The plugins that ask a profile for something and may run, by name, in a language as far as they have it. */
    list: (profileId: string, locale: string | null = null): Promise<readonly ProfileForm[]> =>
      Promise.all(
        all()
          .filter(mayRun)
          .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
          .map((plugin) => shown(plugin, profileId, locale)),
      ),
    set,
    /** The profile agrees to what the plugin asks for now, or takes that back. Throws `not_found`. */
    agree: async (
      pluginId: string,
      profileId: string,
      { agrees, locale, alongside }: Answer,
    ): Promise<ProfileForm> => {
      const plugin = asking(find(pluginId), pluginId);
      await agreements.set({ pluginId, profileId }, agrees, alongside);
      return shown(plugin, profileId, locale ?? null);
    },
    /**
     * What the plugin gets: the values with defaults, and `true` in place of each secret that is
     * set. `profile` is the name of the profile inside the plugin.
     */
    valuesFor: async (pluginId: string, profile: string): Promise<ConfigValues> => {
      const plugin = find(pluginId);
      if (!plugin) return {};
      const form = formOf(plugin);
      const names = secretKeys(form);
      const values = Object.entries(effectiveValues(form, await kept(plugin, profile)));
      return Object.fromEntries(
        values.map(([key, value]) => [key, names.has(key) ? true : value] as const),
      );
    },
  };
}

/** How a profile answers a plugin that asks to act for it. */
interface Answer {
  readonly agrees: boolean;
  readonly locale?: string | null;
  readonly alongside?: AlongsideChange;
}

const formOf = (plugin: InstalledPlugin): readonly ConfigField[] =>
  plugin.package.manifest.profileConfiguration ?? [];

/** Whether an admin has let it run, and it asks a profile for something. */
const mayRun = (plugin: InstalledPlugin): boolean =>
  (formOf(plugin).length > 0 || plugin.grantedNow().viewing !== undefined) &&
  plugin.resource().enabled &&
  !plugin.awaitsGrant;

/** Throws `not_found` for a plugin that asks profiles for nothing. */
function asking(plugin: InstalledPlugin | undefined, pluginId: string): InstalledPlugin {
  if (plugin && mayRun(plugin)) return plugin;
  throw new KernelError('not_found', `A form of plugin ${pluginId} for profiles`);
}

function askedOf(
  plugin: InstalledPlugin,
  agreed: AgreedLevel | null,
  locale: string | null,
): AskedAgreement | null {
  const { viewing: asked } = plugin.grantedNow();
  return asked ? { asked, agreed, sentence: agreementSentence(asked, locale) } : null;
}

const nameOf = (plugin: InstalledPlugin): string => plugin.package.manifest.name;

const mostHosts = 20;

/** Where a secret of a form may be sent: the hosts that the plugin asks for by name. */
const hostsOf = ({ package: { manifest } }: InstalledPlugin): readonly string[] =>
  (manifest.permissions.net ?? []).filter((host) => !host.startsWith('*')).slice(0, mostHosts);

/** What a form changes in the secrets of its profile: a masked one stays. */
function changeOf(
  names: readonly string[],
  {
    profile,
    values,
    hosts,
  }: {
    readonly profile: string;
    readonly values: ConfigValues;
    readonly hosts: readonly string[];
  },
): SecretChange {
  const scope = { profile };
  const changed = names.filter((name) => values[name] !== maskedSecret);
  const set = changed.flatMap((name) => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? [{ name, scope, value, hosts }] : [];
  });
  const isSet = new Set(set.map(({ name }) => name));
  const removed = changed.filter((name) => !isSet.has(name)).map((name) => ({ name, scope }));
  return { set, removed };
}

const secretKeys = (form: readonly ConfigField[]): ReadonlySet<string> =>
  new Set(form.filter(({ input }) => input === 'secret').map(({ key }) => key));
