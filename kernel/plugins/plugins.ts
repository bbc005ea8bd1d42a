/**
 * All plugins: finds them, starts them in the order of their dependencies, and applies what an admin
 * decides. No code here names a plugin by its id.
 */
import { randomBytes } from 'node:crypto';
import type { ActionDeclaration, CapabilityConfig, Permissions } from '../../plugin-api/index.ts';
import type { DispatchCall } from '../dispatch.ts';
import type { DispatchViewer } from '../dispatch-viewer.ts';
import { KernelError } from '../errors.ts';
import { quoted } from '../foreign-text.ts';
import { denyAll, type Reach } from '../reach.ts';
import type { NoteFailure } from '../failure.ts';
import type { Outcome } from '../outcome.ts';
import type { RunningPlugin } from '../running-plugin.ts';
import type { Suspension } from '../suspended-dispatch.ts';
import { systemClock } from './plugin/clock.ts';
import {
  grantedHosts,
  maskedValues,
  parseConfiguration,
  type ConfigValues,
} from './settings/configuration.ts';
import { skippedEntry } from './packages/discovery.ts';
import type { InstalledPlugin } from './registry/installed-plugin.ts';
import { parseGrant, type GivenGrant } from './permissions/grant.ts';
import { consentTo } from './powers/consent.ts';
import type { Installs } from './installation/install.ts';
import { createInstalls, type Installations } from './installation/installs.ts';
import { interfaceSentence } from './powers/interface-sentence.ts';
import { createManifestReader } from './manifest/manifest.ts';
import { createConfigService, createEventsService } from './permissions/own-services.ts';
import { createPackageFolders, realDisk } from './installation/package-folders.ts';
import { declaredActions } from './manifest/declared-actions.ts';
import { callAction } from './lifecycle/plugin-action.ts';
import { createLocalFolders, type Rescan } from './installation/local-folders.ts';
import type { LogLine } from './usage/plugin-log.ts';
import { pluginSlug } from './plugin/plugin-slug.ts';
import type { Alongside } from './settings/plugin-store.ts';
import type { Plugin } from './registry/plugin.ts';
import type { SkippedPlugin } from './plugin/skipped-plugin.ts';
import type { PluginUsage, QuotaUse } from './usage/plugin-usage.ts';
import { judgeLastRun, type DryRun } from './usage/dry-run.ts';
import { exercisedBy } from './usage/meter.ts';
import type { PluginsParts } from './plugins-parts.ts';
import {
  createExpectedPlugins,
  type ExpectedPlugin,
  type PluginRole,
} from './providers/expected-plugins.ts';
import { createProviderChoices } from './providers/provider-choices.ts';
import { createProviders, type ProvidedKey, type Providers } from './providers/providers.ts';
import { isExclusiveKey } from './powers/powers-asked.ts';
import { createPluginRegistry } from './registry/registry.ts';
import { createPacker } from './scripts/packer.ts';
import { createStartOrder } from './lifecycle/start-order.ts';
import {
  createSecrets,
  createSecretsService,
  reachesSecret,
  type Secrets,
} from './secrets/index.ts';
import type { LifeEvent } from './supervision/supervisor.ts';

/** Which plugins to list. */
export interface PluginFilter {
  readonly capability?: string;
  /** Plugins that have any of them. */
  readonly mediaTypes?: readonly string[];
}

/** What a plugin asks for, and what was granted; `null` before a decision. */
export interface PluginPermissions {
  readonly asked: Permissions;
  readonly granted: Permissions | null;
  /** What it may touch with that; before a decision, what it would be able to touch. */
  readonly reach: Reach;
  /** What it adds to the pages, in plain words; `null` = nothing. It needs no grant. */
  readonly adds: string | null;
}

/** Options of a grant. */
export interface GrantOptions {
  /** What the plugin may touch, in the form of the reach policy; unchanged when absent. */
  readonly reach?: unknown;
  readonly alongside?: Alongside;
}

/** How many plugins there are, by state. */
export interface PluginCounts {
  readonly total: number;
  readonly running: number;
  readonly starting: number;
  readonly failed: number;
}

/** The plugins of a server. Unknown ids throw `not_found`. */
export interface Plugins extends Providers {
  /** The marketplace plugins. */
  readonly installs: Installs;
  /** Secrets that plugins use without reading them. */
  readonly secrets: Secrets;
  /** Finds all plugins. Resolves when each built-in runs or has failed; the others start afterwards. */
  readonly start: () => Promise<void>;
  /** Resolves when every start of the boot has been tried. */
  readonly booted: () => Promise<void>;
  readonly bootComplete: () => boolean;
  readonly stop: () => Promise<void>;
  readonly list: (filter?: PluginFilter) => readonly Plugin[];
  readonly skipped: () => readonly SkippedPlugin[];
  readonly counts: () => PluginCounts;
  readonly get: (id: string) => Plugin;
  readonly has: (id: string) => boolean;
  /** All plugins that should answer in this role, running or not; with a scope, those that reach it. */
  readonly expected: (role: PluginRole, scope?: string | null) => readonly ExpectedPlugin[];
  /** These three return the plugin as it is afterwards; a failed start shows in its state. */
  readonly enable: (id: string, alongside?: Alongside) => Promise<Plugin>;
  readonly disable: (id: string, alongside?: Alongside) => Promise<Plugin>;
  readonly restart: (id: string) => Promise<Plugin>;
  /** Rescans the folders of local plugins: takes in new and changed ones, ends removed ones. */
  readonly rescan: () => Promise<Rescan>;
  /** The form's values, secrets masked. */
  readonly configuration: (id: string) => ConfigValues;
  /** Replaces the values; `***` keeps a secret. Throws `invalid_config`. */
  readonly configure: (id: string, values: unknown, alongside?: Alongside) => Promise<Plugin>;
  readonly permissions: (id: string) => PluginPermissions;
  /** Takes effect at once, and starts a plugin that waited for it. Throws `invalid_argument`. */
  readonly grant: (
    id: string,
    granted: unknown,
    options?: GrantOptions,
  ) => Promise<PluginPermissions>;
  /**
   * Another server stored decisions about these plugins; `null` = about any. Resolves when they are
   * in effect; stops and starts follow afterwards.
   */
  readonly decidedElsewhere: (ids: readonly string[] | null) => Promise<void>;
  readonly logs: (id: string) => readonly LogLine[];
  readonly usage: (id: string) => PluginUsage;
  /** How much of each quota a plugin uses. */
  readonly quotas: (id: string) => Promise<readonly QuotaUse[]>;
  /**
   * What the plugin could not have done in its last run with another grant, in the manifest's form;
   * for a version that asks for something else, with what that asks for. Changes nothing. Throws
   * `invalid_argument` for a grant beyond what is asked for.
   */
  readonly dryRun: (
    id: string,
    what: Partial<GivenGrant> & { readonly asked?: Permissions },
  ) => Promise<DryRun>;
  /** Records a call into a plugin: it may use a power, and may time out. */
  readonly noteCall: (
    call: Pick<DispatchCall, 'pluginId' | 'method' | 'name' | 'viewer'>,
    outcome: Outcome,
  ) => void;
  /** Why the handler of a call is suspended; `null` = it is not. */
  readonly suspensionOf: (
    call: Pick<DispatchCall, 'pluginId' | 'method' | 'name'>,
  ) => Suspension | null;
  /** Writes a failure into the log and the usage of the plugin. */
  readonly noteFailure: NoteFailure;
  /** Records a reference of the plugin that is not accepted; no effect for an unknown plugin. */
  readonly refuseClaim: (
    id: string,
    claim: { readonly what: string; readonly why: string },
  ) => void;
  /** Calls an action that the manifest lists. Throws `not_found` or `plugin_failed`. */
  readonly callAction: (
    id: string,
    rpcMethod: string,
    params: Readonly<Record<string, unknown>>,
    viewer?: DispatchViewer,
  ) => Promise<unknown>;
  /** The same, with the answer as unparsed JSON text. */
  readonly callActionText: (
    id: string,
    rpcMethod: string,
    params: Readonly<Record<string, unknown>>,
    viewer?: DispatchViewer,
  ) => Promise<string>;
  /** The capability configuration of the plugin; empty for an unknown one. */
  readonly capabilityConfigOf: (id: string) => CapabilityConfig;
  /** The actions in the plugin's manifest; empty for an unknown plugin. */
  readonly actionsOf: (id: string) => readonly ActionDeclaration[];
  /** The running plugin, for the dispatcher. */
  readonly find: (id: string) => RunningPlugin | undefined;
  /** What the plugin was granted; empty for an unknown one. */
  readonly grantedTo: (id: string) => Permissions;
  /** Whether the plugin is a part of the server. */
  readonly isOwn: (id: string) => boolean;
  /** The plugins whose own events are named `plugin.<slug>.<name>`; usually one. */
  readonly withSlug: (slug: string) => readonly string[];
  /** Whether the plugin may receive events of this name. */
  readonly canReceive: (id: string, type: string) => boolean;
  /** Each key that one plugin at a time answers for, in alphabetical order. */
  readonly providedKeys: () => readonly ProvidedKey[];
  /**
   * Makes a plugin the provider of a key that it was granted. Throws `not_found` for a key that no
   * plugin was granted, `invalid_argument` for a plugin that was not granted it.
   */
  readonly chooseProvider: (
    key: string,
    pluginId: string,
    alongside?: Alongside,
  ) => Promise<ProvidedKey>;
  /** What the plugin may touch; nothing for an unknown one. */
  readonly reachOf: (id: string) => Reach;
  /** The number of parallel request lanes in the manifest. */
  readonly netLanesOf: (id: string) => number;
  /** Hosts of the local network that an admin lets the plugin reach, in its configuration. */
  readonly privateHostsOf: (id: string) => readonly string[];
  /** The manifest's own limits of requests per second, by host pattern. */
  readonly netRatesOf: (id: string) => Readonly<Record<string, number>>;
}

/** Creates the plugins; nothing is read or started yet. */
export function createPlugins(parts: PluginsParts): Plugins {
  const { services, events, serverVersion } = parts;
  const { judge = denyAll } = parts;
  const reader = createManifestReader();
  const packer = createPacker({ cacheFolder: parts.cacheFolder, log: parts.log });
  const registry = createPluginRegistry({
    ...parts,
    reader,
    pluginParts: {
      ...parts,
      clock: parts.clock ?? systemClock,
      judge,
      packer,
      onChange: () => providers.refresh(),
      onLife: tell,
    },
  });
  const order = createStartOrder(registry);
  const choices = createProviderChoices(parts.database);
  const providers = createProviders({
    all: registry.all,
    choices,
    onLost: (lost) => {
      const [key = ''] = lost.keys;
      parts.onLostProvider?.({ ...lost, instead: providers.provider(key) ?? null });
    },
  });
  const folders = createPackageFolders({
    root: parts.packagesFolder,
    disk: parts.packageDisk ?? realDisk,
    newId: parts.newId,
  });
  const installs: Installations = createInstalls({
    ...parts,
    clock: parts.clock ?? systemClock,
    onPackageChange: parts.onPackageChange ?? (() => async () => undefined),
    folders,
    registry,
    order,
    reader,
    judge,
    tell,
  });
  const local = createLocalFolders({
    ...parts,
    reader,
    registry,
    order,
    tell,
    assertFree: installs.assertFree,
    onChange: () => providers.refresh(),
    skipped,
  });
  const secrets = createSecrets({
    database: parts.database,
    seal: parts.secretSeal,
    clock: parts.clock ?? systemClock,
    random: randomBytes,
    askedBy: (id) => registry.get(id).package.manifest.permissions,
    hasScope: parts.hasSecretScope ?? (() => Promise.resolve(false)),
  });
  const boot = Promise.withResolvers<undefined>();
  let isBooted = false;

  async function start(): Promise<void> {
    services.provide(createConfigService((id) => registry.get(id).configuration));
    services.provide(createEventsService(events.emit));
    services.provide(createSecretsService(secrets));
    await choices.load();
    await registry.load(await installs.recover());
    await forgetAbsent();
    await settleProviders();
    await installs.resume();
    const all = registry.all();
    for (const plugin of all) tell(plugin, 'discovered');
    await Promise.all(all.filter(isDisabled).map((plugin) => plugin.supervisor.stop()));
    await order.startAll(all.filter((plugin) => plugin.package.type === 'builtin'));
    void startOthers(all);
  }

  /** Drops choices of removed plugins. A later plugin with the same id does not inherit them. */
  async function forgetAbsent(): Promise<void> {
    providers.refresh();
    const gone = [...choices.all()].filter(([, pluginId]) => registry.find(pluginId) === undefined);
    await choices.drop(gone.map(([key]) => key));
    providers.refresh();
  }

  /**
   * Runs `work`; a failure is logged only. What was not written is written at the next decision or
   * start.
   */
  async function evenIfItFails(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      parts.log.error({ err: error }, 'The providers could not be settled.');
    }
  }

  /** Gives each key without a provider to the first plugin that was granted it. */
  async function settleProviders(): Promise<void> {
    for (const plugin of registry.all()) await settleProvider(plugin);
  }

  async function settleProvider(plugin: InstalledPlugin): Promise<void> {
    if (plugin.package.type === 'builtin') return;
    const keys = (plugin.granted.serves ?? []).filter(isExclusiveKey);
    await choices.claim(providers.unserved(keys), plugin.id);
    providers.refresh();
  }

  async function chooseProvider(
    key: string,
    pluginId: string,
    alongside?: Alongside,
  ): Promise<ProvidedKey> {
    const known = providers.list().find((one) => one.key === key);
    if (!known) throw new KernelError('not_found', `A plugin that serves ${quoted(key)}`);
    if (!known.candidates.includes(pluginId)) {
      const who = known.candidates.join(', ');
      const what = `pluginId: ${quoted(pluginId)} was not granted ${key}; right is ${who}.`;
      throw new KernelError('invalid_argument', what);
    }
    await choices.choose(key, pluginId, alongside);
    providers.refresh();
    return providers.list().find((one) => one.key === key) ?? known;
  }

  async function startOthers(all: readonly InstalledPlugin[]): Promise<void> {
    try {
      await order.startAll(all);
      await Promise.allSettled(all.map((plugin) => plugin.prepareOnDemand()));
      await packer.sweep();
    } catch (error) {
      parts.log.error({ err: error }, 'Not all plugins could be started.');
    }
    isBooted = true;
    boot.resolve(undefined);
  }

  async function stop(): Promise<void> {
    await installs.close();
    order.close();
    await Promise.all(registry.all().map((plugin) => plugin.supervisor.stop()));
    boot.resolve(undefined);
  }

  function tell(plugin: InstalledPlugin, event: LifeEvent | 'discovered'): void {
    const { state, errorMessage } = plugin.supervisor;
    const { id: pluginId, version } = plugin.package.manifest;
    installs.onLifeEvent(plugin, event);
    events.emit(`plugin.${event}`, { pluginId, version, state, errorMessage });
  }

  /** The obstacle of a plugin. During the boot, only obstacles that will not change count. */
  function held(plugin: InstalledPlugin) {
    if (isDisabled(plugin)) return null;
    const found = order.obstacle(plugin);
    const isLasting =
      isBooted ||
      plugin.revocation !== null ||
      plugin.awaitsGrant ||
      registry.unmetNeed(plugin) !== null;
    return isLasting ? found : null;
  }

  function skipped(): readonly SkippedPlugin[] {
    const waiting = registry.all().flatMap((plugin) => {
      const found = held(plugin);
      const { folder, manifest } = plugin.package;
      return found
        ? [skippedEntry(folder, found.reason, found.message, serverVersion, manifest)]
        : [];
    });
    return [...registry.unreadable(), ...waiting];
  }

  /** Plugins that are not skipped. */
  function loaded(): readonly InstalledPlugin[] {
    return registry.all().filter((plugin) => held(plugin) === null);
  }

  /** A plugin that may be changed now: its settings must not change during an upgrade. */
  function free(id: string): InstalledPlugin {
    installs.assertFree(id);
    return registry.get(id);
  }

  async function enable(id: string, alongside?: Alongside): Promise<Plugin> {
    const plugin = free(id);
    await registry.decide(plugin, { isEnabled: true }, alongside);
    await order.startIfReady(plugin);
    return plugin.resource();
  }

  async function disable(id: string, alongside?: Alongside): Promise<Plugin> {
    const plugin = free(id);
    const needing = registry
      .all()
      .filter((other) => other.isUp && registry.needsOf(other).includes(plugin));
    if (needing.length > 0) {
      const names = needing.map((other) => other.id).join(', ');
      throw new KernelError('conflict', `Plugin ${id} is needed by ${names}; disable that first.`);
    }
    await registry.decide(plugin, { isEnabled: false }, alongside);
    await plugin.supervisor.stop();
    return plugin.resource();
  }

  async function restart(id: string): Promise<Plugin> {
    const plugin = free(id);
    if (isDisabled(plugin)) {
      throw new KernelError('conflict', `Plugin ${id} is disabled; enable it to start it.`);
    }
    const now = await local.current(plugin);
    if (now !== plugin) return now.resource();
    const found = order.obstacle(plugin);
    if (found) throw new KernelError('conflict', `Plugin ${id} cannot start. ${found.message}`);
    await order.restart(plugin);
    return plugin.resource();
  }

  async function configure(id: string, values: unknown, alongside?: Alongside): Promise<Plugin> {
    const plugin = free(id);
    const parsed = parseConfiguration(plugin.form, values, plugin.keptConfiguration);
    if (!parsed.ok) throw new KernelError('invalid_config', parsed.faults.join(' '));
    await registry.decide(plugin, plugin.secrets.split(plugin.form, parsed.value), alongside);
    return plugin.resource();
  }

  function permissions(id: string): PluginPermissions {
    const plugin = registry.get(id);
    const { asked } = plugin;
    const granted = plugin.awaitsGrant ? null : plugin.granted;
    const reach = plugin.settings.grant === null ? 'all' : plugin.reach;
    return { asked, granted, reach, adds: interfaceSentence(plugin.package.manifest) };
  }

  /** A built-in with a limited reach would leave some libraries without service. */
  function assertNarrowable({ id, package: { type } }: InstalledPlugin, reach: unknown): void {
    if (type !== 'builtin' || reach === undefined || reach === 'all') return;
    const what = `Plugin ${id} is a part of the server, which works on all libraries.`;
    throw new KernelError('invalid_argument', what);
  }

  async function grant(
    id: string,
    granted: unknown,
    { reach, alongside }: GrantOptions = {},
  ): Promise<PluginPermissions> {
    const asking = free(id);
    assertNarrowable(asking, reach);
    const { grant: before } = asking.settings;
    const decided = { granted, reach };
    const wanted = { id, permissions: asking.asked };
    const given = await parseGrant(wanted, decided, { reader, judge, before });
    // Another version, which asks for something else, may have been installed meanwhile.
    const plugin = free(id);
    if (plugin !== asking) throw new KernelError('conflict', `Plugin ${id} has changed meanwhile.`);
    const hadWasm = plugin.granted.wasm;
    await registry.decide(plugin, { grant: given }, alongside);
    await evenIfItFails(() => settleProvider(plugin));
    const where = plugin.reach === 'all' ? '' : ` for ${judge.text(plugin.reach)}`;
    plugin.note('info', `An admin granted ${JSON.stringify(plugin.granted)}${where}.`);
    // WebAssembly is set when an isolate is created; the gate checks all else at each call.
    if (plugin.isUp && hadWasm !== plugin.granted.wasm) await order.restart(plugin);
    else plugin.supervisor.reattach();
    await order.startIfReady(plugin);
    return permissions(id);
  }

  async function decidedElsewhere(ids: readonly string[] | null): Promise<void> {
    await choices.load();
    providers.refresh();
    for (const { plugin, granted } of await registry.learn(ids)) {
      follow(plugin, granted).catch((error: unknown) =>
        parts.log.error(
          { err: error, pluginId: plugin.id },
          'A plugin was not started or stopped.',
        ),
      );
    }
  }

  async function follow(plugin: InstalledPlugin, before: Permissions): Promise<void> {
    if (isDisabled(plugin) || plugin.awaitsGrant) return plugin.supervisor.stop();
    if (plugin.isUp && plugin.granted.wasm !== before.wasm) await order.restart(plugin);
    else plugin.supervisor.reattach();
    await order.startIfReady(plugin);
  }

  async function dryRun(
    id: string,
    { granted, reach, asked }: Partial<GivenGrant> & { readonly asked?: Permissions },
  ): Promise<DryRun> {
    const plugin = registry.get(id);
    assertNarrowable(plugin, reach);
    const { manifest } = plugin.package;
    const permissions = asked ?? plugin.asked;
    const { grant: before } = plugin.settings;
    const given = { granted: granted ?? consentTo(permissions, before).granted, reach };
    const grant = await parseGrant({ id, permissions }, given, { reader, judge, before });
    return judgeLastRun({
      lastRun: plugin.meter.powers.lastRun(),
      granted: grant.granted,
      reach: grant.reach,
      judge,
      manifest: { ...manifest, permissions },
      kvBytes: (await parts.keptBytes?.kv(id)) ?? 0,
    });
  }

  /** Secrets that are sent in a header are used too, though no call names them. */
  const usedSecrets: Secrets = {
    ...secrets,
    open: (id, name) => {
      const use = { call: 'secrets.send', subject: name.name, need: { name: 'secrets' } as const };
      const plugin = registry.find(id);
      plugin?.meter.powers.note(use);
      // A secret of a library is only for plugins that were granted the library.
      if (plugin && !reachesSecret(plugin.reach, name)) return Promise.resolve(null);
      return secrets.open(id, name);
    },
  };

  const actionText: Plugins['callActionText'] = async (id, rpcMethod, params, viewer) =>
    callAction(registry.get(id), { rpcMethod, params, viewer }, parts.dispatcher);
  /** Settles providers after a package was added or removed. */
  async function settled<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    await evenIfItFails(async () => {
      await forgetAbsent();
      await settleProviders();
    });
    return result;
  }

  return {
    installs: {
      ...installs,
      place: (...what) => settled(installs.place(...what)),
      rollBack: (...what) => settled(installs.rollBack(...what)),
      remove: (...what) => settled(installs.remove(...what)),
    },
    secrets: usedSecrets,
    start,
    stop,
    booted: () => boot.promise,
    bootComplete: () => isBooted,
    list: (filter = {}) =>
      loaded()
        .map((plugin) => plugin.resource())
        .filter((plugin) => fits(plugin, filter)),
    skipped,
    counts: () => count(loaded()),
    get: (id) => registry.get(id).resource(),
    has: (id) => registry.find(id) !== undefined,
    expected: createExpectedPlugins({
      wantedFor: providers.wantedFor,
      all: registry.all,
      obstacle: order.obstacle,
      isBooted: () => isBooted,
      now: (parts.clock ?? systemClock).now,
    }),
    enable,
    disable,
    restart,
    rescan: async () => {
      await boot.promise;
      return local.rescan();
    },
    configuration: (id) => {
      const { form, keptConfiguration } = registry.get(id);
      return maskedValues(form, keptConfiguration);
    },
    configure,
    permissions,
    grant,
    decidedElsewhere,
    logs: (id) => registry.get(id).log.lines(),
    usage: (id) => registry.get(id).usage(),
    quotas: async (id) => registry.get(id).quotaUse(),
    dryRun,
    noteCall: (called, outcome) => {
      const { pluginId, method, name, viewer } = called;
      const plugin = registry.find(pluginId);
      plugin?.noteOutcome(called, outcome);
      if (viewer) plugin?.countViewerCall();
      const permission = exercisedBy(method, name);
      // An observer of items uses no power over them.
      if (permission !== null && plugin?.granted[permission] !== undefined)
        plugin.meter.powers.exercise(permission);
    },
    suspensionOf: (called) => registry.find(called.pluginId)?.suspensionOf(called) ?? null,
    noteFailure: (id, ...failed) => registry.find(id)?.noteFailure(...failed),
    callAction: async (...call) => JSON.parse(await actionText(...call)) as unknown,
    callActionText: actionText,
    refuseClaim: (id, { what, why }) => registry.find(id)?.refuseClaim(what, why),
    actionsOf: (id) => declaredActions(registry.find(id)?.package.manifest ?? {}),
    find: (id) => registry.find(id)?.supervisor.sandbox ?? undefined,
    grantedTo: (id) => registry.find(id)?.granted ?? {},
    reachOf: (id) => registry.find(id)?.reach ?? [],
    capabilityConfigOf: (id) => registry.find(id)?.package.manifest.capabilityConfig ?? {},
    netLanesOf: (id) => registry.find(id)?.package.manifest.resources?.netLanes ?? 1,
    privateHostsOf: (id) => {
      const plugin = registry.find(id);
      return plugin ? grantedHosts(plugin.form, plugin.keptConfiguration) : [];
    },
    netRatesOf: (id) => registry.find(id)?.package.manifest.resources?.netRequestsPerSecond ?? {},
    isOwn: (id) => registry.find(id)?.package.type === 'builtin',
    withSlug: (slug) =>
      registry
        .all()
        .map(({ package: { manifest } }) => manifest.id)
        .filter((id) => pluginSlug(id) === slug),
    canReceive: (id, type) => registry.find(id)?.canReceive(type) ?? false,
    providedKeys: providers.list,
    chooseProvider,
    provider: providers.provider,
    providers: providers.providers,
    filesystemFor: providers.filesystemFor,
    jobRunner: providers.jobRunner,
    jobTypes: providers.jobTypes,
  };
}

function isDisabled(plugin: InstalledPlugin): boolean {
  return !plugin.settings.isEnabled;
}

function fits(plugin: Plugin, { capability, mediaTypes }: PluginFilter): boolean {
  if (capability !== undefined && !plugin.capabilities.includes(capability)) return false;
  return !mediaTypes || mediaTypes.some((type) => plugin.mediaTypes.includes(type));
}

function count(plugins: readonly InstalledPlugin[]): PluginCounts {
  const states = plugins.map((plugin) => plugin.supervisor.state);
  const of = (state: string) => states.filter((other) => other === state).length;
  return {
    total: plugins.length,
    running: of('running'),
    starting: of('starting'),
    failed: of('failed'),
  };
}
