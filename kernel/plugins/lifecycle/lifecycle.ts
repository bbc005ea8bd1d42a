/**
 * Starts and stops plugins. Built-ins are started first, each plugin after those that it needs. At the
 * stop, nothing starts any more before the plugins end.
 */
import type { Permissions } from '../../../plugin-api/index.ts';
import type { DispatchCall } from '../../dispatch.ts';
import { KernelError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { RunningPlugin } from '../../running-plugin.ts';
import type { Suspension } from '../../suspended-dispatch.ts';
import type { PluginSource } from '../packages/discovery.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { SkippedPlugin } from '../plugin/skipped-plugin.ts';
import type { ProviderChoices } from '../providers/provider-choices.ts';
import type { ProviderFinder } from '../providers/provider-finder.ts';
import type { ProviderSettlement } from '../providers/provider-settlement.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { InstalledPlugins } from '../registry/installed-plugins.ts';
import type { Packer } from '../scripts/packer.ts';
import type { AlongsideChange } from '../settings/plugin-store.ts';
import type { StartOrder } from './start-order.ts';

/** The result of a rescan. */
export interface Rescan {
  /** Plugins that were unknown. */
  readonly found: readonly Plugin[];
  /** Plugins with another manifest or other code; they run with it, or wait for a grant. */
  readonly changed: readonly Plugin[];
  /** Ids of plugins whose folder is gone; they have ended. */
  readonly removed: readonly string[];
  /** What does not run in these folders, and why: it is refused, or waits. */
  readonly skipped: readonly SkippedPlugin[];
}

/** Starts, stops and restarts plugins. Unknown ids throw `not_found`. */
export type Lifecycle = ReturnType<typeof createLifecycle>;

export interface LifecycleParts {
  readonly installed: InstalledPlugins;
  readonly order: StartOrder;
  readonly choices: Pick<ProviderChoices, 'load'>;
  readonly finder: Pick<ProviderFinder, 'refresh'>;
  readonly settlement: Pick<ProviderSettlement, 'settleAll'>;
  readonly installs: {
    /** Undoes interrupted installations, and returns the source of the packages. */
    readonly recover: () => Promise<PluginSource>;
    /** Continues what an earlier run of the server began. */
    readonly resume: () => Promise<void>;
    /** Waits for current operations, and starts nothing new. */
    readonly close: () => Promise<void>;
  };
  readonly local: {
    readonly rescan: () => Promise<Rescan>;
    /** The plugin as its folder has it now. */
    readonly current: (plugin: InstalledPlugin) => Promise<InstalledPlugin>;
  };
  readonly packer: Pick<Packer, 'sweep'>;
  /** The plugin, if it may be changed now; else throws `conflict`. */
  readonly free: (id: string) => InstalledPlugin;
  readonly tell: (plugin: InstalledPlugin, event: 'discovered') => void;
  readonly log: Log;
}

/** Creates the lifecycle; nothing is read or started yet. */
export function createLifecycle(parts: LifecycleParts) {
  const { installed, order, choices, finder, installs, free, log } = parts;
  const boot = Promise.withResolvers<undefined>();
  let isBooted = false;

  /**
   * Finds all plugins. Resolves when each built-in runs or has failed; the others start
   * afterwards.
   */
  async function start(): Promise<void> {
    await choices.load();
    await installed.load(await installs.recover());
    await parts.settlement.settleAll();
    await installs.resume();
    const all = installed.all();
    for (const plugin of all) parts.tell(plugin, 'discovered');
    await Promise.all(all.filter(isDisabled).map((plugin) => plugin.supervisor.stop()));
    await order.startAll(all.filter((plugin) => plugin.package.type === 'builtin'));
    void startOthers(all);
  }

  async function startOthers(all: readonly InstalledPlugin[]): Promise<void> {
    try {
      await order.startAll(all);
      await Promise.allSettled(all.map((plugin) => plugin.prepareOnDemand()));
      await parts.packer.sweep();
    } catch (error) {
      log.error({ err: error }, 'Not all plugins could be started.');
    }
    isBooted = true;
    boot.resolve(undefined);
  }

  async function stop(): Promise<void> {
    await installs.close();
    order.close();
    await Promise.all(installed.all().map((plugin) => plugin.supervisor.stop()));
    boot.resolve(undefined);
  }

  /** These three return the plugin as it is afterwards; a failed start shows in its state. */
  async function enable(id: string, alongside?: AlongsideChange): Promise<Plugin> {
    const plugin = free(id);
    await installed.decide(plugin, { isEnabled: true }, alongside);
    await order.startIfReady(plugin);
    return plugin.resource();
  }

  async function disable(id: string, alongside?: AlongsideChange): Promise<Plugin> {
    const plugin = free(id);
    const needing = installed
      .all()
      .filter((other) => other.isUp && installed.needsOf(other).includes(plugin));
    if (needing.length > 0) {
      const names = needing.map((other) => other.id).join(', ');
      throw new KernelError('conflict', `Plugin ${id} is needed by ${names}; disable that first.`);
    }
    await installed.decide(plugin, { isEnabled: false }, alongside);
    await plugin.supervisor.stop();
    return plugin.resource();
  }

  async function restart(id: string): Promise<Plugin> {
    const plugin = free(id);
    if (isDisabled(plugin)) {
      throw new KernelError('conflict', `Plugin ${id} is disabled; enable it to start it.`);
    }
    const now = await parts.local.current(plugin);
    if (now !== plugin) return now.resource();
    const found = order.obstacle(plugin);
    if (found) throw new KernelError('conflict', `Plugin ${id} cannot start. ${found.message}`);
    await order.restart(plugin);
    return plugin.resource();
  }

  /**
   * Another server stored decisions about these plugins; `null` = about any. Resolves when they
   * are in effect; stops and starts follow afterwards.
   */
  async function decidedElsewhere(ids: readonly string[] | null): Promise<void> {
    await choices.load();
    finder.refresh();
    for (const { plugin, granted } of await installed.learn(ids)) {
      follow(plugin, granted).catch((error: unknown) =>
        log.error({ err: error, pluginId: plugin.id }, 'A plugin was not started or stopped.'),
      );
    }
  }

  async function follow(plugin: InstalledPlugin, before: Permissions): Promise<void> {
    if (isDisabled(plugin) || plugin.awaitsGrant) return plugin.supervisor.stop();
    if (plugin.isUp && plugin.granted.wasm !== before.wasm) await order.restart(plugin);
    else plugin.supervisor.reattach();
    await order.startIfReady(plugin);
  }

  return {
    start,
    /** Resolves when every start of the boot has been tried. */
    booted: (): Promise<void> => boot.promise,
    bootComplete: (): boolean => isBooted,
    stop,
    enable,
    disable,
    restart,
    /** Rescans the folders of local plugins: takes in new and changed ones, ends removed ones. */
    rescan: async (): Promise<Rescan> => {
      await boot.promise;
      return parts.local.rescan();
    },
    decidedElsewhere,
    /** The running plugin, for the dispatcher; `undefined` for an unknown one too. */
    running: (id: string): RunningPlugin | undefined =>
      installed.find(id)?.supervisor.sandbox ?? undefined,
    /** Why the handler of a call is suspended; `null` = it is not, or the plugin is unknown. */
    suspensionOf: (called: Pick<DispatchCall, 'pluginId' | 'method' | 'name'>): Suspension | null =>
      installed.find(called.pluginId)?.suspensionOf(called) ?? null,
  };
}

const isDisabled = ({ settings }: InstalledPlugin): boolean => !settings.isEnabled;
