import type { CapabilityConfig, HookName, Manifest } from '../../../plugin-api/index.ts';
import type { Reach } from '../../call/reach.ts';
import { findText, noLocales, type AskedText, type FoundText } from '../locales/index.ts';
import { skippedEntry } from '../packages/discovery.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';
import type { SkippedPlugin } from '../plugin/skipped-plugin.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import type { InstalledPlugins } from './installed-plugins.ts';
import type { Obstacle } from './obstacle.ts';

/** Which plugins to list. */
export interface PluginFilter {
  readonly capability?: string;
  /** Plugins that have any of them. */
  readonly mediaTypes?: readonly string[];
}

/** A part of a plugin whose answers are kept: a hook that it was granted, or a capability. */
export interface GrantedReader {
  readonly pluginId: string;
  readonly name: HookName | 'probe' | 'indexer' | 'library';
  /** Its answers are dropped. */
  readonly isObserver: boolean;
  /** Whether it wants to see what was there before the grant. */
  readonly catchesUp: boolean;
  /** The version of its answers. */
  readonly answersVersion: number;
  /** Whether its plugin runs. */
  readonly isRunning: boolean;
  readonly reach: Reach;
}

/** How many plugins there are, by state. */
export interface PluginCounts {
  readonly total: number;
  readonly running: number;
  readonly starting: number;
  readonly failed: number;
}

/** Which plugins there are, and what their manifests say. */
export type Registry = ReturnType<typeof createRegistry>;

export interface RegistryParts {
  readonly installed: Pick<InstalledPlugins, 'all' | 'find' | 'get' | 'unreadable' | 'unmetNeed'>;
  readonly obstacle: (plugin: InstalledPlugin) => Obstacle | null;
  /** Whether all starts of the boot have been tried. */
  readonly isBooted: () => boolean;
  readonly serverVersion: string;
}

/** Creates the registry over the installed plugins. */
export function createRegistry(parts: RegistryParts) {
  const { installed, serverVersion } = parts;

  /** The obstacle of a plugin. During the boot, only obstacles that will not change count. */
  function held(plugin: InstalledPlugin): Obstacle | null {
    if (!plugin.settings.isEnabled) return null;
    const found = parts.obstacle(plugin);
    const isLasting =
      parts.isBooted() ||
      plugin.revocation !== null ||
      plugin.awaitsGrant ||
      installed.unmetNeed(plugin) !== null;
    return isLasting ? found : null;
  }

  function skipped(locale: string | null = null): readonly SkippedPlugin[] {
    const waiting = installed.all().flatMap((plugin) => {
      const found = held(plugin);
      const { folder } = plugin.package;
      const manifest = plugin.manifestIn(locale);
      return found
        ? [skippedEntry(folder, found.reason, found.message, serverVersion, manifest)]
        : [];
    });
    return [...installed.unreadable(), ...waiting];
  }

  const loaded = (): readonly InstalledPlugin[] =>
    installed.all().filter((plugin) => held(plugin) === null);

  const manifestOf = (id: string): Manifest | undefined => installed.find(id)?.package.manifest;

  return {
    /** The plugins that are not skipped, with words in the language, as far as they have it. */
    list: (filter: PluginFilter = {}, locale: string | null = null): readonly Plugin[] =>
      loaded()
        .map((plugin) => plugin.resource(locale))
        .filter((plugin) => fits(plugin, filter)),
    skipped,
    /**
     * The listed plugins with the capability, and those that only an admin's consent holds back.
     */
    offering: (capability: string, locale: string | null = null): readonly Plugin[] =>
      installed
        .all()
        .filter((plugin) => [undefined, 'permissions-pending'].includes(held(plugin)?.reason))
        .map((plugin) => plugin.resource(locale))
        .filter((plugin) => fits(plugin, { capability })),
    counts: (): PluginCounts => count(loaded()),
    /** The hooks, probes and indexers of all plugins, also of those that do not run now. */
    readers: (): readonly GrantedReader[] => installed.all().flatMap(readersOf),
    /** The version of what a plugin answers; 1 for an unknown one. */
    answersVersionOf: (id: string): number => manifestOf(id)?.answersVersion ?? 1,
    /** Throws `not_found`. */
    get: (id: string, locale?: string | null): Plugin => installed.get(id).resource(locale),
    has: (id: string): boolean => installed.find(id) !== undefined,
    /** A text of its language files. */
    textOf: (id: string, asked: AskedText): FoundText =>
      findText(installed.find(id)?.package.locales ?? noLocales, asked),
    /** Whether the plugin is a part of the server. */
    isOwn: (id: string): boolean => installed.find(id)?.package.type === 'builtin',
    /** The plugins whose own events are named `plugin.<slug>.<name>`; usually one. */
    withSlug: (slug: string): readonly string[] =>
      installed
        .all()
        .map(({ id }) => id)
        .filter((id) => pluginSlug(id) === slug),
    /** The capability configuration of the plugin; empty for an unknown one. */
    capabilityConfigOf: (id: string): CapabilityConfig => manifestOf(id)?.capabilityConfig ?? {},
    /** The number of parallel request lanes in the manifest. */
    netLanesOf: (id: string): number => manifestOf(id)?.resources?.netLanes ?? 1,
    /** The manifest's own limits of requests per second, by host pattern. */
    netRatesOf: (id: string): Readonly<Record<string, number>> =>
      manifestOf(id)?.resources?.netRequestsPerSecond ?? {},
  };
}

function readersOf(plugin: InstalledPlugin): readonly GrantedReader[] {
  const { manifest } = plugin.package;
  const own = {
    pluginId: plugin.id,
    answersVersion: manifest.answersVersion ?? 1,
    isRunning: plugin.isRunning,
    reach: plugin.reach,
  };
  const capabilities = (['probe', 'indexer', 'library'] as const).filter((name) =>
    manifest.capabilities.includes(name),
  );
  return [
    ...plugin.hooks.map(({ hook, isObserver }) => ({
      ...own,
      name: hook.name,
      isObserver,
      catchesUp: hook.catchUp !== false,
    })),
    ...capabilities.map((name) => ({ ...own, name, isObserver: false, catchesUp: true })),
  ];
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
