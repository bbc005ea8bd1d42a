/** The known plugins, and the decisions about each. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';
import { dependencyFaults } from '../manifest/dependencies.ts';
import { discover, type PluginPackage, type PluginSource } from '../packages/discovery.ts';
import { InstalledPlugin, type InstalledPluginParts } from './installed-plugin.ts';
import type { ManifestReader } from '../manifest/manifest.ts';
import { clamp } from '../powers/permissions.ts';
import { hasPlainSecret } from '../settings/plugin-secrets.ts';
import type { DecidedPlugins } from '../settings/decided-plugins.ts';
import { createPluginStore, type PluginSettings } from '../settings/plugin-store.ts';
import type { SkippedPlugin } from '../plugin/skipped-plugin.ts';
import type { Database } from '../../store/index.ts';

/** All plugins that could be read. */
export interface InstalledPlugins extends DecidedPlugins<InstalledPlugin> {
  /** Reads folders and settings, and grants built-ins what they ask for, except hosts by name. */
  readonly load: (installed: PluginSource) => Promise<void>;
  /** Adds a package; replaces another one with its id. */
  readonly admit: (found: PluginPackage, settings: PluginSettings) => Promise<InstalledPlugin>;
  /** Removes a plugin, which must not run. */
  readonly drop: (id: string) => void;
  readonly all: () => readonly InstalledPlugin[];
  /**
   * Reads decisions of another server again. Returns the plugins that changed, with their earlier
   * grant.
   */
  readonly learn: (ids: readonly string[] | null) => Promise<readonly RemoteDecision[]>;
  /** Replaces the packages of that folder that could not be read. */
  readonly noteUnreadable: (folder: string, entries: readonly SkippedPlugin[]) => void;
  /** Packages that could not be read. */
  readonly unreadable: () => readonly SkippedPlugin[];
  /** Why the installed plugins can never meet the plugin's needs, or `null`. */
  readonly unmetNeed: (plugin: InstalledPlugin) => string | null;
  /** The installed plugins that it needs. */
  readonly needsOf: (plugin: InstalledPlugin) => readonly InstalledPlugin[];
}

/** A plugin with a decision of another server. */
export interface RemoteDecision {
  readonly plugin: InstalledPlugin;
  readonly granted: Permissions;
}

export const newSettings: PluginSettings = {
  isEnabled: true,
  grant: null,
  configuration: {},
  secrets: {},
};

export interface InstalledPluginsParts {
  /** With the tables of `pluginMigrations`. */
  readonly database: Database;
  /** Built-ins first: of two plugins with one id, the first found is taken. */
  readonly sources: readonly PluginSource[];
  readonly serverVersion: string;
  readonly reader: ManifestReader;
  readonly pluginParts: InstalledPluginParts;
}

/** Creates a registry that is empty until it is loaded. */
export function createInstalledPlugins(parts: InstalledPluginsParts): InstalledPlugins {
  const store = createPluginStore(parts.database);
  const plugins = new Map<string, InstalledPlugin>();
  const decisions = createSerialQueue();
  let unreadable: readonly SkippedPlugin[] = [];
  let unmet: ReadonlyMap<string, string> = new Map();

  async function load(installed: PluginSource): Promise<void> {
    const sources = [...parts.sources, installed];
    const [settings, found] = await Promise.all([store.list(), discover({ ...parts, sources })]);
    unreadable = found.skipped;
    for (const one of found.packages) {
      const kept = settings.get(one.manifest.id) ?? newSettings;
      plugins.set(one.manifest.id, new InstalledPlugin(one, kept, parts.pluginParts));
    }
    judgeNeeds();
    await Promise.all([...plugins.values()].map(trustBuiltin));
    await Promise.all([...plugins.values()].map(sealPlainSecrets));
  }

  function judgeNeeds(): void {
    const manifests = [...plugins.values()].map(({ package: { manifest } }) => manifest);
    unmet = dependencyFaults(new Map(manifests.map((manifest) => [manifest.id, manifest])));
  }

  const admit: InstalledPlugins['admit'] = async (found, settings) => {
    const { id } = found.manifest;
    const plugin = new InstalledPlugin(found, settings, parts.pluginParts, plugins.get(id));
    plugins.set(id, plugin);
    unreadable = unreadable.filter((entry) => entry.id !== id);
    judgeNeeds();
    await sealPlainSecrets(plugin);
    return plugin;
  };

  /** Seals values from before secrets were sealed, or before a newer form made them secrets. */
  async function sealPlainSecrets(plugin: InstalledPlugin): Promise<void> {
    for (const key of plugin.lostSecrets) {
      plugin.note('warn', `The secret ${key} does not open with this server's key: set it again.`);
    }
    const { configuration, secrets } = plugin.settings;
    if (!hasPlainSecret(plugin.form, configuration)) return;
    const sealed = plugin.secrets.split(plugin.form, configuration);
    await decide(plugin, { ...sealed, secrets: { ...secrets, ...sealed.secrets } });
  }

  /**
   * Grants a built-in all that it asks for, also what a newer version adds. One that names hosts of
   * the internet tells them what is in the libraries, so it waits for an admin like any other plugin.
   */
  async function trustBuiltin(plugin: InstalledPlugin): Promise<void> {
    if (plugin.package.type !== 'builtin' || !plugin.awaitsGrant) return;
    const { asked } = plugin;
    if (asked.net?.some((host) => host !== '*') === true) return;
    await decide(plugin, { grant: { asked, granted: clamp(asked, asked), reach: 'all' } });
  }

  const decide: InstalledPlugins['decide'] = (plugin, decision, alongside) =>
    decisions.run(async () => {
      plugin.settings = await store.change(plugin.id, plugin.settings, decision, alongside);
    });

  function learn(ids: readonly string[] | null): Promise<readonly RemoteDecision[]> {
    return decisions.run(async () => {
      const kept = await store.list();
      const concerned = [...plugins.values()].filter(({ id }) => ids?.includes(id) ?? true);
      return concerned.flatMap((plugin) => {
        const settings = kept.get(plugin.id) ?? newSettings;
        if (isDeepStrictEqual(settings, plugin.settings)) return [];
        const { granted } = plugin;
        plugin.settings = settings;
        return [{ plugin, granted }];
      });
    });
  }

  function get(id: string): InstalledPlugin {
    const plugin = plugins.get(id);
    if (!plugin) throw new KernelError('not_found', `Plugin ${quoted(id)}`);
    return plugin;
  }

  return {
    load,
    admit,
    drop: (id) => {
      plugins.delete(id);
      unreadable = unreadable.filter((entry) => entry.id !== id);
      judgeNeeds();
    },
    all: () => [...plugins.values()],
    find: (id) => plugins.get(id),
    get,
    decide,
    learn,
    noteUnreadable: (folder, entries) => {
      const others = unreadable.filter((entry) => path.dirname(entry.path) !== folder);
      unreadable = [...others, ...entries.filter((entry) => path.dirname(entry.path) === folder)];
    },
    unreadable: () => unreadable,
    unmetNeed: (plugin) => unmet.get(plugin.id) ?? null,
    needsOf: ({ package: { manifest } }) =>
      Object.keys(manifest.dependencies ?? {}).flatMap((id) => plugins.get(id) ?? []),
  };
}
