/**
 * Which plugins have a part in something by the will of an admin, whether they can answer just now or
 * not. Who asks only those that run takes a plugin that restarts for one that has nothing to say.
 */
import type { HookName, ServedKey } from '../../plugin-api/index.ts';
import { reachesAllOf } from '../reach.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import type { Obstacle } from './start-order.ts';

/** A part that a plugin was granted: in a hook, or as the provider of a key. */
export type PluginRole = { readonly hook: HookName } | { readonly key: ServedKey };

/** A plugin that should answer. */
export interface ExpectedPlugin {
  readonly pluginId: string;
  /** `here`: it runs. `coming`: it does not, and is about to. `away`: it stays away until somebody acts. */
  readonly presence: 'here' | 'coming' | 'away';
  /** Why it is not here, in a sentence; empty when it is. */
  readonly reason: string;
}

/** What is looked at to tell how a plugin is. */
export interface ExpectedParts {
  readonly all: () => readonly InstalledPlugin[];
  /** The plugin that was chosen for a key, and the parts of the server that serve it, in their order. */
  readonly wantedFor: (key: ServedKey) => readonly InstalledPlugin[];
  readonly obstacle: (plugin: InstalledPlugin) => Obstacle | null;
  /** Every plugin that is to be started has been. */
  readonly isBooted: () => boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Creates the finder. With a scope, only plugins that reach all of it count. A plugin counts while it is
 * enabled, was granted once and is not revoked.
 */
export function createExpectedPlugins(parts: ExpectedParts) {
  function presenceOf(
    plugin: InstalledPlugin,
    role: PluginRole,
  ): Pick<ExpectedPlugin, 'presence' | 'reason'> {
    const { state, errorMessage } = plugin.supervisor;
    switch (state) {
      case 'running':
        return ofRunning(plugin, role);
      case 'failed':
        return { presence: 'away', reason: `It failed: ${errorMessage ?? 'it gave no reason.'}` };
      case 'starting':
        return { presence: 'coming', reason: errorMessage ?? 'It is being started.' };
      case 'stopping':
        return { presence: 'coming', reason: 'It is being restarted.' };
      case 'discovered':
      case 'stopped':
        return whyIdle(plugin);
    }
  }

  /** A handler that is called again within the wait is worth the wait. */
  function ofRunning(
    plugin: InstalledPlugin,
    role: PluginRole,
  ): Pick<ExpectedPlugin, 'presence' | 'reason'> {
    const suspension = plugin.suspensionOf(askedBy(role));
    if (suspension === null) return { presence: 'here', reason: '' };
    const isSoon = Date.parse(suspension.until) - parts.now() <= soonMs;
    return { presence: isSoon ? 'coming' : 'away', reason: suspension.reason };
  }

  function whyIdle(plugin: InstalledPlugin): Pick<ExpectedPlugin, 'presence' | 'reason'> {
    const found = parts.isBooted() ? parts.obstacle(plugin) : null;
    return found
      ? { presence: 'away', reason: found.message }
      : { presence: 'coming', reason: 'It is being started.' };
  }

  /** Of a key one plugin answers. While the chosen one does not run, who stands in for it counts too. */
  function holdersOf(role: PluginRole, scope: string | null): readonly InstalledPlugin[] {
    const all = 'hook' in role ? parts.all().filter(hears(role.hook)) : parts.wantedFor(role.key);
    const found = all
      .filter(isWanted)
      .filter(({ reach }) => scope === null || reachesAllOf(reach, scope));
    return 'key' in role && found[0]?.isRunning === true ? found.slice(0, 1) : found;
  }

  return (role: PluginRole, scope: string | null = null): readonly ExpectedPlugin[] =>
    holdersOf(role, scope).map((plugin) => ({ pluginId: plugin.id, ...presenceOf(plugin, role) }));
}

/** Whoever waits for plugins waits a minute. */
const soonMs = 60_000;

/** The handler by which a plugin takes its part; of a key, the one that describes it. */
const askedBy = (role: PluginRole): { readonly method: string; readonly name?: string } =>
  'hook' in role
    ? { method: 'hook.dispatch', name: role.hook }
    : { method: `${role.key.split(':', 1)[0] ?? role.key}.describe` };

/** It may answer, as far as admins and sources have decided. */
function isWanted({ settings, revocation }: InstalledPlugin): boolean {
  return settings.isEnabled && settings.grant !== null && revocation === null;
}

const hears =
  (hook: HookName) =>
  ({ granted }: InstalledPlugin): boolean =>
    granted.hooks?.includes(hook) ?? false;
