import type { Plugin, PluginUsage, Plugins, QuotaUse, SkippedPlugin } from '../../kernel/index.ts';
import { isFullAdmin, type Viewer } from '../accounts/index.ts';

/** Which plugins to list. */
export interface PluginsQuery {
  readonly capability?: string | undefined;
  /** Plugins that have any of them. */
  readonly mediaTypes?: readonly string[] | undefined;
}

/** Plugins, and those that were left out. */
export interface PluginList {
  readonly plugins: readonly Plugin[];
  readonly skipped: readonly SkippedPlugin[];
}

/** The plugins as a viewer may see them: error texts and left-out packages are for admins. */
export interface PluginDirectory {
  readonly list: (viewer: Viewer, query: PluginsQuery) => PluginList;
  readonly get: (id: string, viewer: Viewer) => Plugin;
  /** What a plugin used since the server started, and how much of its quotas it uses now. */
  readonly usage: (id: string) => Promise<WholeUsage>;
}

/** What a plugin used, with what others count for it. */
export interface WholeUsage extends PluginUsage {
  readonly net: NetUsage;
  readonly quotas: readonly QuotaUse[];
  /** Views and actions that were not passed on, since a user asked too often. */
  readonly turnedAway: number;
}

/** What a plugin used of the network. */
export interface NetUsage {
  readonly requests: number;
  readonly failures: number;
  readonly cached: number;
  readonly receivedBytes: number;
}

/** Creates the directory. */
export function createPluginDirectory(
  plugins: Pick<Plugins, 'list' | 'skipped' | 'get' | 'usage' | 'quotas'>,
  netUsage: (pluginId: string) => NetUsage,
  turnedAway: (pluginId: string) => number,
): PluginDirectory {
  return {
    list: (viewer, { capability, mediaTypes }) => ({
      plugins: plugins
        .list({ ...(capability && { capability }), ...(mediaTypes && { mediaTypes }) })
        .map((plugin) => asSeenBy(viewer, plugin)),
      skipped: isFullAdmin(viewer) ? plugins.skipped() : [],
    }),
    get: (id, viewer) => asSeenBy(viewer, plugins.get(id)),
    usage: async (id) => ({
      ...plugins.usage(id),
      net: netUsage(id),
      quotas: await plugins.quotas(id),
      turnedAway: turnedAway(id),
    }),
  };
}

function asSeenBy(viewer: Viewer, plugin: Plugin): Plugin {
  if (isFullAdmin(viewer)) return plugin;
  return { ...plugin, errorMessage: null, suspended: [] };
}
