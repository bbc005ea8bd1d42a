/**
 * Rescans the folder of local plugins while the server runs. A folder counts as it does at a start: a
 * plugin that asks for more than was granted waits, even if its earlier version ran. A folder that
 * cannot be read changes nothing: its plugin continues as it was.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import { KernelError } from '../../errors.ts';
import type { Database } from '../../store/index.ts';
import {
  candidate,
  discover,
  duplicate,
  type DiscoveryParts,
  type PluginPackage,
  type PluginSource,
} from '../packages/discovery.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import { findSettings } from '../settings/plugin-store.ts';
import type { SkippedPlugin } from '../plugin/skipped-plugin.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';
import { newSettings, type InstalledPlugins } from '../registry/installed-plugins.ts';
import type { Rescan } from '../lifecycle/lifecycle.ts';
import type { StartOrder } from '../lifecycle/start-order.ts';

export interface LocalFoldersParts extends DiscoveryParts {
  readonly database: Database;
  readonly installed: InstalledPlugins;
  readonly order: Pick<StartOrder, 'startIfReady' | 'restart' | 'obstacle'>;
  readonly tell: (plugin: InstalledPlugin, event: 'discovered') => void;
  /** Throws `conflict` while an operation on the plugin runs. */
  readonly assertFree: (id: string) => void;
  readonly onChange: () => void;
  /** All plugins that do not run. */
  readonly skipped: () => readonly SkippedPlugin[];
}

/** Rescans folders. */
export class LocalFolders {
  readonly #parts: LocalFoldersParts;
  readonly #sources: PluginSource[];
  /** The code hash with which a plugin was last started, where it differs from the hash at discovery. */
  readonly #restarted = new Map<InstalledPlugin, string>();
  readonly #queue = createSerialQueue();

  constructor(parts: LocalFoldersParts) {
    this.#parts = parts;
    this.#sources = parts.sources.filter(({ type }) => type === 'local');
  }

  readonly #hashOf = (plugin: InstalledPlugin): string =>
    this.#restarted.get(plugin) ?? plugin.package.sourceHash;

  async #admit(found: PluginPackage): Promise<InstalledPlugin> {
    const { assertFree, installed, tell, order } = this.#parts;
    const { id } = found.manifest;
    assertFree(id);
    const old = installed.find(id);
    await old?.supervisor.stop();
    const kept =
      old?.settings ?? (await findSettings(this.#parts.database.read, id)) ?? newSettings;
    const plugin = await installed.admit(found, kept);
    tell(plugin, 'discovered');
    if (plugin.settings.isEnabled) await order.startIfReady(plugin);
    else await plugin.supervisor.stop();
    return plugin;
  }

  /** Same manifest in the same place: only the code differs. */
  async #takeCode(plugin: InstalledPlugin, found: PluginPackage): Promise<void> {
    this.#restarted.set(plugin, found.sourceHash);
    if (plugin.settings.isEnabled && this.#parts.order.obstacle(plugin) === null)
      await this.#parts.order.restart(plugin);
  }

  readonly #isSameButCode = (plugin: InstalledPlugin, found: PluginPackage): boolean =>
    plugin.package.folder === found.folder &&
    isDeepStrictEqual(plugin.package.manifest, found.manifest) &&
    isDeepStrictEqual(plugin.package.locales, found.locales);

  async #update(plugin: InstalledPlugin, found: PluginPackage): Promise<boolean> {
    const isSame = this.#isSameButCode(plugin, found);
    if (isSame && this.#hashOf(plugin) === found.sourceHash) return false;
    await (isSame ? this.#takeCode(plugin, found) : this.#admit(found));
    return true;
  }

  /** Ends the plugin and all that need it. */
  async #end(plugin: InstalledPlugin): Promise<void> {
    const needing = this.#parts.installed
      .all()
      .filter((other) => this.#parts.installed.needsOf(other).includes(plugin));
    for (const other of needing) if (other.isUp) await this.#end(other);
    await plugin.supervisor.stop();
  }

  async #remove(plugin: InstalledPlugin): Promise<void> {
    this.#parts.assertFree(plugin.id);
    await this.#end(plugin);
    this.#restarted.delete(plugin);
    this.#parts.installed.drop(plugin.id);
  }

  /** A plugin of another origin with that id, or one whose events would have the same names. */
  readonly #holderOf = ({ manifest }: PluginPackage): InstalledPlugin | undefined =>
    this.#parts.installed
      .all()
      .find(
        (other) =>
          other.package.type !== 'local' && pluginSlug(other.id) === pluginSlug(manifest.id),
      );

  readonly #look = async (): Promise<Rescan> => {
    const { installed } = this.#parts;
    const { packages, skipped } = await discover({ ...this.#parts, sources: this.#sources });
    const held = packages.flatMap((found) => {
      const holder = this.#holderOf(found);
      return holder ? [duplicate(found, holder.package, this.#parts.serverVersion)] : [];
    });
    const free = packages.filter((found) => this.#holderOf(found) === undefined);
    const all = [...skipped, ...held];
    const removed = await this.#removeGone(free, all);
    const [found, changed]: [string[], string[]] = [[], []];
    for (const one of free) {
      const { id } = one.manifest;
      const known = installed.find(id);
      if (known === undefined) {
        await this.#admit(one);
        found.push(id);
      } else if (await this.#update(known, one)) changed.push(id);
    }
    for (const { folder } of this.#sources) installed.noteUnreadable(folder, all);
    this.#parts.onChange();
    const shown = (id: string): Plugin => installed.get(id).resource();
    const left = this.#parts
      .skipped()
      .filter((entry) => this.#sources.some(({ folder }) => path.dirname(entry.path) === folder));
    return { found: found.map(shown), changed: changed.map(shown), removed, skipped: left };
  };

  async #removeGone(
    there: readonly PluginPackage[],
    skipped: readonly SkippedPlugin[],
  ): Promise<readonly string[]> {
    const gone = this.#parts.installed
      .all()
      .filter(({ package: { type } }) => type === 'local')
      .filter(({ id }) => there.every(({ manifest }) => manifest.id !== id))
      .filter(({ package: { folder } }) => skipped.every((entry) => entry.path !== folder));
    for (const plugin of gone) await this.#remove(plugin);
    return gone.map(({ id }) => id);
  }

  async #current(plugin: InstalledPlugin): Promise<InstalledPlugin> {
    const { type, folder } = plugin.package;
    if (type !== 'local') return plugin;
    const looked = await candidate(folder, type, this.#parts);
    if (looked.kind === 'skipped') throw unchanged(plugin, looked.entry.message);
    const { found } = looked;
    if (found.manifest.id !== plugin.id)
      throw unchanged(plugin, `Its folder holds ${found.manifest.id} now; run a rescan.`);
    if (!this.#isSameButCode(plugin, found)) return this.#admit(found);
    this.#restarted.set(plugin, found.sourceHash);
    return plugin;
  }

  readonly rescan = (): Promise<Rescan> => this.#queue.run(this.#look);

  /**
   * The plugin as its folder has it now. With a changed manifest it is a new one, which runs or
   * waits. Throws `conflict` when the folder is refused.
   */
  readonly current = (plugin: InstalledPlugin): Promise<InstalledPlugin> =>
    this.#queue.run(() => this.#current(plugin));
}

/** Creates it. Rescans run one at a time. */
export const createLocalFolders = (parts: LocalFoldersParts): LocalFolders =>
  new LocalFolders(parts);

const unchanged = ({ id }: InstalledPlugin, why: string): KernelError =>
  new KernelError('conflict', `Plugin ${id} was not changed. ${why}`);
