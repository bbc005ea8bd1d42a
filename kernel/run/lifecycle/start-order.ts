/** The conditions for starting a plugin, and the order of starts. */
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import { powersOf } from '../powers/permissions.ts';
import type { Obstacle } from '../registry/obstacle.ts';
import type { InstalledPlugins } from '../registry/installed-plugins.ts';

/** Starts plugins in the order of their needs. */
export type StartOrder = ReturnType<typeof createStartOrder>;

/** Creates the start order over the installed plugins. */
export function createStartOrder(installed: InstalledPlugins) {
  const asked = new Map<InstalledPlugin, Promise<void>>();
  let isClosed = false;

  /** Starts these, each after the plugins that it needs, otherwise in parallel. */
  async function startAll(plugins: readonly InstalledPlugin[]): Promise<void> {
    await Promise.all(plugins.map(startOnce));
  }

  /** Starts each plugin once, even when several need it. */
  function startOnce(plugin: InstalledPlugin): Promise<void> {
    const known = asked.get(plugin);
    if (known) return known;
    const started = startAfterNeeds(plugin);
    asked.set(plugin, started);
    return started;
  }

  async function startAfterNeeds(plugin: InstalledPlugin): Promise<void> {
    // Plugins that need each other are unmet, so this recursion ends.
    if (installed.unmetNeed(plugin) !== null) return;
    await startAll(installed.needsOf(plugin));
    await startAlone(plugin);
  }

  async function startAlone(plugin: InstalledPlugin): Promise<void> {
    if (isClosed || !plugin.settings.isEnabled || obstacle(plugin)) return;
    await plugin.supervisor.start();
    await stopIfDisabled(plugin);
  }

  /** It may have been disabled while its start waited for an earlier stop. */
  async function stopIfDisabled(plugin: InstalledPlugin): Promise<void> {
    if (isClosed || !plugin.settings.isEnabled) await plugin.supervisor.stop();
  }

  /** Restarts it, then starts the plugins that waited for it. */
  async function restart(plugin: InstalledPlugin): Promise<void> {
    if (isClosed) return;
    await plugin.supervisor.restart();
    await stopIfDisabled(plugin);
    await startDependents(plugin);
  }

  /** Starts it if there is no obstacle, then the plugins that waited for it. */
  async function startIfReady(plugin: InstalledPlugin): Promise<void> {
    await startAlone(plugin);
    await startDependents(plugin);
  }

  async function startDependents(plugin: InstalledPlugin): Promise<void> {
    if (!plugin.isRunning) return;
    const waiting = installed
      .all()
      .filter((other) => other.isIdle && installed.needsOf(other).includes(plugin));
    await Promise.all(waiting.map(startIfReady));
  }

  /** `null` for a plugin that runs or could run. */
  function obstacle(plugin: InstalledPlugin): Obstacle | null {
    if (plugin.revocation !== null) return { reason: 'revoked', message: plugin.revocation };
    if (plugin.isUp) return null;
    const unmet = installed.unmetNeed(plugin);
    if (unmet !== null) return { reason: 'missing-dependency', message: unmet };
    const away = installed.needsOf(plugin).find((need) => !need.isUp);
    if (away) return { reason: 'missing-dependency', message: awayText(away) };
    return plugin.awaitsGrant ? { reason: 'permissions-pending', message: askText(plugin) } : null;
  }

  function awayText(away: InstalledPlugin): string {
    const why = away.settings.isEnabled
      ? (obstacle(away)?.reason ?? away.supervisor.state)
      : 'disabled';
    return `It needs the plugin ${away.id}, which is not running (${why}).`;
  }

  return {
    obstacle,
    startAll,
    startIfReady,
    restart,
    /** Prevents all further starts. */
    close: (): void => {
      isClosed = true;
    },
  };
}

function askText(plugin: InstalledPlugin): string {
  const names = powersOf(plugin.asked);
  return `It waits for an admin to grant what it asks for: ${names.join(', ')}.`;
}
