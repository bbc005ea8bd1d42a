/**
 * All plugins: finds them, starts them in the order of their dependencies, and applies what an admin
 * decides. No code here names a plugin by its id.
 */
import { randomBytes } from 'node:crypto';
import type { Permissions } from '../../plugin-api/index.ts';
import { denyAll } from '../call/reach.ts';
import { createInstalls, settledInstalls, type Installations } from './installation/installs.ts';
import type { Installs } from './installation/install.ts';
import type { InstallsParts } from './installation/installs-parts.ts';
import { createLocalFolders } from './installation/local-folders.ts';
import { createPackageFolders, realDisk } from './installation/package-folders.ts';
import { createPackageBytes } from './packages/package-bytes.ts';
import { createActions, type Actions } from './lifecycle/actions.ts';
import { createLifecycle, type Lifecycle } from './lifecycle/lifecycle.ts';
import { createStartOrder } from './lifecycle/start-order.ts';
import { createManifestReader } from './manifest/manifest.ts';
import { createGrants, type Grants } from './permissions/grants.ts';
import { createPluginCalls, type PluginCalls } from './calls/index.ts';
import { createCryptoService } from './crypto/index.ts';
import { createConfigService, createEventsService } from './permissions/own-services.ts';
import { systemClock, type Clock } from './plugin/clock.ts';
import type { PluginsParts } from './plugins-parts.ts';
import { createProfileSettings, type ProfileSettings } from './profile-settings/index.ts';
import { createProfileAgreements, type ProfileAgreements } from './settings/profile-agreements.ts';
import { createExpectedPlugins } from './providers/expected-plugins.ts';
import { createProviderChoices } from './providers/provider-choices.ts';
import {
  createProviderFinder,
  type ProviderFinder,
  type ProviderFinderParts,
} from './providers/provider-finder.ts';
import { createProviderSettlement } from './providers/provider-settlement.ts';
import { createProviders, type Providers } from './providers/providers.ts';
import type { InstalledPlugin } from './registry/installed-plugin.ts';
import { createInstalledPlugins, type InstalledPlugins } from './registry/installed-plugins.ts';
import { createRegistry, type Registry } from './registry/registry.ts';
import { createPacker, type Packer } from './scripts/packer.ts';
import {
  countedSecrets,
  createSecrets,
  createSecretsService,
  type OwnSecrets,
  type Secrets,
} from './secrets/index.ts';
import { createConfiguration, type Configuration } from './settings/configuration.ts';
import { enteredHosts } from './settings/form-values.ts';
import type { LifeEvent } from './supervision/supervisor.ts';
import { createUsage, type Usage } from './usage/usage.ts';

/** The plugins of a server. */
export interface Plugins {
  readonly registry: Registry;
  readonly lifecycle: Lifecycle;
  readonly grants: Grants;
  readonly configuration: Configuration;
  readonly usage: Usage;
  readonly providers: Providers;
  readonly actions: Actions;
  /** Methods that plugins export to each other. */
  readonly exported: Pick<PluginCalls, 'call'>;
  /** What each profile entered in the forms of plugins. */
  readonly profileSettings: ProfileSettings;
  /** What each profile lets plugins do for it while it is away. */
  readonly agreements: ProfileAgreements;
  /** The marketplace plugins. */
  readonly installs: Installs;
  /** Secrets that plugins use without reading them. */
  readonly secrets: Secrets;
}

/** Creates the plugins; nothing is read or started yet. */
export function createPlugins(given: PluginsParts): Plugins {
  const { clock = systemClock, judge = denyAll, events, log } = given;
  const reader = createManifestReader();
  const packer = packerOf(given);
  const onChange = () => finder.refresh();
  const tell = (plugin: InstalledPlugin, event: LifeEvent | 'discovered'): void => {
    const { state, errorMessage } = plugin.supervisor;
    const { id: pluginId, version } = plugin.package.manifest;
    installs.onLifeEvent(plugin, event);
    events.emit(`plugin.${event}`, { pluginId, version, state, errorMessage });
  };
  const agreements: ProfileAgreements = createProfileAgreements({
    database: given.database,
    grantedOf: (id) => installed.find(id)?.grantedNow() ?? {},
    profileIn: nameIn(given),
  });
  const agreed = agreements.find;
  const pluginParts = { ...given, clock, judge, agreed, packer, onChange, onLife: tell };
  const installed = createInstalledPlugins({ ...given, reader, pluginParts });
  const { all, find, get } = installed;
  const order = createStartOrder(installed);
  const isBooted = () => lifecycle.bootComplete();
  const registry = createRegistry({ ...given, installed, obstacle: order.obstacle, isBooted });
  const { skipped } = registry;
  const choices = createProviderChoices(given.database);
  const isProvisional = ({ id, package: { manifest } }: InstalledPlugin): boolean =>
    installs.isProvisional(id, manifest.version);
  const finder = createFinder(given, { all, choices, isProvisional });
  const settlement = createProviderSettlement({ installed, choices, finder, log });
  const parts = { ...given, clock, judge, reader, installed, order, tell };
  const installs = createInstallations(given, parts);
  const { assertFree } = installs;
  const local = createLocalFolders({ ...parts, assertFree, onChange, skipped });
  const free = (id: string): InstalledPlugin => {
    assertFree(id);
    return get(id);
  };
  const changedElsewhere = async (ids: readonly string[] | null): Promise<void> => {
    await installs.elsewhere?.follow(ids);
    await settlement.resettle();
  };
  const managed = { ...parts, packer, choices, finder, settlement };
  const lifecycle = createLifecycle({ ...managed, installs, local, free });
  const secrets = createPluginSecrets({ ...given, clock }, installed);
  const { wantedFor } = finder;
  const { obstacle } = order;
  const expected = createExpectedPlugins({ wantedFor, all, obstacle, isBooted, now: clock.now });
  const own = { secrets, agreements };
  const { profileSettings, calls } = provideServices(given, installed, own);
  return {
    registry,
    lifecycle,
    grants: createGrants({
      ...parts,
      plugins: installed,
      free,
      onGrant: settlement.settle,
      kvBytes: async (id) => (await given.keptBytes?.kv(id)) ?? 0,
    }),
    configuration: createConfiguration({ plugins: installed, free, hostFault: given.hostFault }),
    usage: createUsage(installed),
    providers: createProviders(finder, settlement, expected),
    exported: calls,
    profileSettings,
    agreements,
    actions: createActions({ installed, dispatcher: given.dispatcher }),
    installs: { ...settledInstalls(installs, settlement.resettle), changedElsewhere },
    secrets: countedSecrets(secrets, find),
  };
}

function packerOf({ cacheFolder, builtScripts, log }: PluginsParts): Packer {
  const built = builtScripts === undefined ? {} : { builtFolder: builtScripts };
  return createPacker({ cacheFolder, ...built, log });
}

/** Creates the finder. The report of a lost provider names the plugin that takes its place. */
function createFinder(
  { onLostProvider, onSettledProvider }: PluginsParts,
  parts: Omit<ProviderFinderParts, 'onLost' | 'onSettled'>,
): ProviderFinder {
  const finder = createProviderFinder({
    ...parts,
    onLost: (lost) => onLostProvider?.({ ...lost, instead: finder.of(lost.keys[0] ?? '') ?? null }),
    onSettled: (pluginId) => onSettledProvider?.(pluginId),
  });
  return finder;
}

/** The marketplace plugins, with their code in a folder for each package. */
function createInstallations(
  { packagesFolder, packageDisk, newId, onPackageChange, database, isShared }: PluginsParts,
  parts: Omit<InstallsParts, 'folders' | 'bytes' | 'onPackageChange'>,
): Installations {
  return createInstalls({
    ...parts,
    folders: createPackageFolders({ root: packagesFolder, disk: packageDisk ?? realDisk, newId }),
    bytes: isShared === true ? createPackageBytes(database, parts.clock.now) : null,
    onPackageChange: onPackageChange ?? (() => async () => undefined),
  });
}

const nameIn = ({
  profileIn = (_pluginId, profileId) => profileId,
}: PluginsParts): NonNullable<PluginsParts['profileIn']> => profileIn;

/** Provides what plugins may use of their own: settings, secrets, events, and calls to each other. */
function provideServices(
  given: PluginsParts,
  installed: InstalledPlugins,
  {
    secrets,
    agreements,
  }: { readonly secrets: Secrets & OwnSecrets; readonly agreements: ProfileAgreements },
): { readonly profileSettings: ProfileSettings; readonly calls: PluginCalls } {
  const { dispatcher, events } = given;
  const profileIn = nameIn(given);
  const { all, find, get } = installed;
  const parts = { ...given, all, find, secrets, agreements, profileIn };
  const profileSettings = createProfileSettings(parts);
  const calls = createPluginCalls({ find, dispatcher });
  const values = (id: string) => get(id).configuration;
  const services = [
    createConfigService({ values, ofProfile: profileSettings.valuesFor, profileIn }),
    createCryptoService(randomBytes),
    createEventsService(events.emit),
    calls.service,
    createSecretsService(secrets),
  ];
  for (const service of services) given.services.provide(service);
  return { profileSettings, calls };
}

/** The secrets of plugins. A plugin with a secret in a form that does not open counts as lost, too. */
function createPluginSecrets(
  given: PluginsParts & { readonly clock: Clock },
  { all, get }: Pick<InstalledPlugins, 'all' | 'get'>,
): Secrets & OwnSecrets {
  const secrets = createSecrets({
    ...given,
    seal: given.secretSeal,
    random: randomBytes,
    askedBy: (id) => withEnteredHosts(get(id)),
    hasScope: given.hasSecretScope ?? (() => Promise.resolve(false)),
  });
  return {
    ...secrets,
    lost: async () => {
      const inForms = all().filter((plugin) => plugin.lostSecrets.length > 0);
      const ids = inForms.map(({ package: { manifest } }) => manifest.id);
      return [...new Set([...(await secrets.lost()), ...ids])].toSorted();
    },
  };
}

/** What a plugin asks for; a secret may also be sent to a mirror that an admin entered. */
function withEnteredHosts({
  package: found,
  form,
  keptConfiguration,
}: InstalledPlugin): Permissions {
  const { permissions } = found.manifest;
  if (permissions.net === undefined) return permissions;
  return { ...permissions, net: [...permissions.net, ...enteredHosts(form, keptConfiguration)] };
}
