import type {
  Plugin,
  PluginUsage,
  QuotaUse,
  Registry,
  SkippedPlugin,
  Usage,
} from '../../../kernel/run/index.ts';
import { causeIn } from '../../platform/cause-text.ts';
import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';

/** The filter of the list. */
export interface PluginsQuery {
  readonly capability?: string | undefined;
  /** Plugins with any of these. */
  readonly mediaTypes?: readonly string[] | undefined;
}

/** The plugins, and those that were skipped. */
export interface PluginList {
  readonly plugins: readonly Plugin[];
  readonly skipped: readonly SkippedPlugin[];
}

/**
 * The plugins as a viewer may see them, in the language of the viewer where a plugin has it: error
 * texts and skipped packages are for admins only.
 */
export type PluginDirectory = ReturnType<typeof createPluginDirectory>;

/** The use of a plugin, with the counts of other parts. */
export interface WholeUsage extends PluginUsage {
  readonly net: NetUsage;
  readonly quotas: readonly QuotaUse[];
  /** Views and actions that were refused because a user called too often. */
  readonly turnedAway: number;
}

/** The network use of a plugin. */
export interface NetUsage {
  readonly requests: number;
  readonly failures: number;
  readonly cached: number;
  readonly receivedBytes: number;
}

export function createPluginDirectory(
  plugins: {
    readonly registry: Pick<Registry, 'list' | 'skipped' | 'get'>;
    readonly usage: Pick<Usage, 'of' | 'quotasOf'>;
  },
  netUsage: (pluginId: string) => NetUsage,
  {
    turnedAway,
    whyRevoked,
  }: {
    readonly turnedAway: (pluginId: string) => number;
    /** Why a plugin was revoked, in the language of a reader; `null` = no source says so now. */
    readonly whyRevoked: (pluginId: string, locale: string | null) => string | null;
  },
) {
  const skipped = (locale: string | null): readonly SkippedPlugin[] =>
    plugins.registry.skipped(locale).map((one) => {
      const why = one.reason === 'revoked' ? whyRevoked(one.id, locale) : null;
      return why === null ? one : { ...one, message: why };
    });
  return {
    list: (viewer: Viewer, { capability, mediaTypes }: PluginsQuery): PluginList => ({
      plugins: plugins.registry
        .list(
          { ...(capability && { capability }), ...(mediaTypes && { mediaTypes }) },
          viewer.locale,
        )
        .map((plugin) => asSeenBy(viewer, plugin)),
      skipped: isFullAdmin(viewer) ? skipped(viewer.locale ?? null) : [],
    }),
    get: (id: string, viewer: Viewer): Plugin =>
      asSeenBy(viewer, plugins.registry.get(id, viewer.locale)),
    /**
     * The resources that a plugin used since the server started, and the current use of its quotas.
     */
    usage: async (id: string): Promise<WholeUsage> => ({
      ...plugins.usage.of(id),
      net: netUsage(id),
      quotas: await plugins.usage.quotasOf(id),
      turnedAway: turnedAway(id),
    }),
  };
}

function asSeenBy(viewer: Viewer, plugin: Plugin): Plugin {
  if (isFullAdmin(viewer))
    return { ...plugin, errorMessage: causeIn(plugin.errorMessage, viewer.locale) };
  return { ...plugin, errorMessage: null, suspended: [] };
}
