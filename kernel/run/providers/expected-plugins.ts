/**
 * Which plugins an admin assigned to a role, running or not. A caller that looks only at running
 * plugins would treat a restarting plugin as one without an answer.
 */
import type { HookName, ServedKey } from '../../../plugin-api/index.ts';
import { reachesAllOf } from '../../call/reach.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { Obstacle } from '../registry/obstacle.ts';

/** A granted role: in a hook, or as the provider of a key. */
export type PluginRole = { readonly hook: HookName } | { readonly key: ServedKey };

/** A plugin that should answer. */
export interface ExpectedPlugin {
  readonly pluginId: string;
  /** `here`: it runs. `coming`: it will run shortly. `away`: it stays away until an admin acts. */
  readonly presence: 'here' | 'coming' | 'away';
  /** Why it is not here, in a sentence; empty when it is here. */
  readonly reason: string;
}

/** The parts of the finder. */
export interface ExpectedParts {
  readonly all: () => readonly InstalledPlugin[];
  /** The provider that was chosen for a key, then the built-ins that serve it, in order. */
  readonly wantedFor: (key: ServedKey) => readonly InstalledPlugin[];
  readonly obstacle: (plugin: InstalledPlugin) => Obstacle | null;
  /** Whether all starts of the boot have been tried. */
  readonly isBooted: () => boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Creates the finder. With a scope, only plugins that reach all of it count. A plugin counts while it
 * is enabled, has had a grant and is not revoked.
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

  /** A handler whose suspension ends within the wait counts as `coming`. */
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

  /** One plugin answers for a key. While the chosen one does not run, its stand-in counts too. */
  function holdersOf(role: PluginRole, scope: string | null): readonly InstalledPlugin[] {
    const all =
      'hook' in role ? parts.all().filter(receivesHook(role.hook)) : parts.wantedFor(role.key);
    const found = all
      .filter(isWanted)
      .filter(({ reach }) => scope === null || reachesAllOf(reach, scope));
    return 'key' in role && found[0]?.isRunning === true ? found.slice(0, 1) : found;
  }

  return (role: PluginRole, scope: string | null = null): readonly ExpectedPlugin[] =>
    holdersOf(role, scope).map((plugin) => ({ pluginId: plugin.id, ...presenceOf(plugin, role) }));
}

/** How long callers wait for plugins. */
const soonMs = 60_000;

/** The handler by which a plugin serves the role; for a key, the one that describes it. */
const askedBy = (role: PluginRole): { readonly method: string; readonly name?: string } =>
  'hook' in role
    ? { method: 'hook.dispatch', name: role.hook }
    : { method: `${role.key.split(':', 1)[0] ?? role.key}.describe` };

/** Whether admins and sources allow it to answer. */
function isWanted({ settings, revocation }: InstalledPlugin): boolean {
  return settings.isEnabled && settings.grant !== null && revocation === null;
}

const receivesHook =
  (hook: HookName) =>
  ({ granted }: InstalledPlugin): boolean =>
    granted.hooks?.includes(hook) ?? false;
