/**
 * Starts and stops plugins. Built-ins are started first, each plugin after those that it needs. At the
 * stop, nothing starts any more before the plugins end.
 */
import type { Permissions } from '../../../plugin-api/index.ts';
import type { DispatchCall } from '../../call/dispatch.ts';
import { KernelError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { RunningPlugin } from '../../call/running-plugin.ts';
import type { Suspension } from '../../call/suspended-dispatch.ts';
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

/** Starts, stops and restarts plugins. Unknown ids throw `not_found`. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #boot = Promise.withResolvers<undefined>();
  #isBooted = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /**
   * Finds all plugins. Resolves when each built-in runs or has failed; the others start
   * afterwards.
   */
  readonly start = async (): Promise<void> => {
    const { choices, installed, installs, order } = this.#parts;
    await choices.load();
    await installed.load(await installs.recover());
    await this.#parts.settlement.settleAll();
    await installs.resume();
    const all = installed.all();
    for (const plugin of all) this.#parts.tell(plugin, 'discovered');
    await Promise.all(all.filter(isDisabled).map((plugin) => plugin.supervisor.stop()));
    await order.startAll(all.filter((plugin) => plugin.package.type === 'builtin'));
    void this.#startOthers(all);
  };

  async #startOthers(all: readonly InstalledPlugin[]): Promise<void> {
    try {
      await this.#parts.order.startAll(all);
      await Promise.allSettled(all.map((plugin) => plugin.prepareOnDemand()));
      await this.#parts.packer.sweep();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'Not all plugins could be started.');
    }
    this.#isBooted = true;
    this.#boot.resolve(undefined);
  }

  readonly stop = async (): Promise<void> => {
    const { installs, order, installed } = this.#parts;
    await installs.close();
    order.close();
    await Promise.all(installed.all().map((plugin) => plugin.supervisor.stop()));
    this.#boot.resolve(undefined);
  };

  /** These three return the plugin as it is afterwards; a failed start shows in its state. */
  readonly enable = async (id: string, alongside?: AlongsideChange): Promise<Plugin> => {
    const { free, installed, order } = this.#parts;
    const plugin = free(id);
    await installed.decide(plugin, { isEnabled: true }, alongside);
    await order.startIfReady(plugin);
    return plugin.resource();
  };

  readonly disable = async (id: string, alongside?: AlongsideChange): Promise<Plugin> => {
    const { free, installed } = this.#parts;
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
  };

  readonly restart = async (id: string): Promise<Plugin> => {
    const { free, order } = this.#parts;
    const plugin = free(id);
    if (isDisabled(plugin)) {
      throw new KernelError('conflict', `Plugin ${id} is disabled; enable it to start it.`);
    }
    const now = await this.#parts.local.current(plugin);
    if (now !== plugin) return now.resource();
    const found = order.obstacle(plugin);
    if (found) throw new KernelError('conflict', `Plugin ${id} cannot start. ${found.message}`);
    await order.restart(plugin);
    return plugin.resource();
  };

  /**
   * Another server stored decisions about these plugins; `null` = about any. Resolves when they
   * are in effect; stops and starts follow afterwards.
   */
  readonly decidedElsewhere = async (ids: readonly string[] | null): Promise<void> => {
    const { choices, finder, installed, log } = this.#parts;
    await choices.load();
    finder.refresh();
    for (const { plugin, granted } of await installed.learn(ids)) {
      this.#follow(plugin, granted).catch((error: unknown) =>
        log.error({ err: error, pluginId: plugin.id }, 'A plugin was not started or stopped.'),
      );
    }
  };

  async #follow(plugin: InstalledPlugin, before: Permissions): Promise<void> {
    if (isDisabled(plugin) || plugin.awaitsGrant) return plugin.supervisor.stop();
    if (plugin.isUp && plugin.granted.wasm !== before.wasm) await this.#parts.order.restart(plugin);
    else plugin.supervisor.reattach();
    await this.#parts.order.startIfReady(plugin);
  }

  /** Resolves when every start of the boot has been tried. */
  readonly booted = (): Promise<void> => this.#boot.promise;

  readonly bootComplete = (): boolean => this.#isBooted;

  /** Rescans the folders of local plugins: takes in new and changed ones, ends removed ones. */
  readonly rescan = async (): Promise<Rescan> => {
    await this.#boot.promise;
    return this.#parts.local.rescan();
  };

  /** The running plugin, for the dispatcher; `undefined` for an unknown one too. */
  readonly running = (id: string): RunningPlugin | undefined =>
    this.#parts.installed.find(id)?.supervisor.sandbox ?? undefined;

  /** Why the handler of a call is suspended; `null` = it is not, or the plugin is unknown. */
  readonly suspensionOf = (
    called: Pick<DispatchCall, 'pluginId' | 'method' | 'name'>,
  ): Suspension | null => this.#parts.installed.find(called.pluginId)?.suspensionOf(called) ?? null;
}

/** Creates the lifecycle; nothing is read or started yet. */
export const createLifecycle = (parts: LifecycleParts): Lifecycle => new Lifecycle(parts);

const isDisabled = ({ settings }: InstalledPlugin): boolean => !settings.isEnabled;
