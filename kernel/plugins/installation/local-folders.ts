/**
 * Rescans the folder of local plugins while the server runs. A folder counts as it does at a start: a
 * plugin that asks for more than was granted waits, even if its earlier version ran. A folder that
 * cannot be read changes nothing: its plugin continues as it was.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import { KernelError } from '../../errors.ts';
import type { Database } from '../../storage/index.ts';
import {
  candidate,
  discover,
  duplicate,
  type DiscoveryParts,
  type PluginPackage,
} from '../packages/discovery.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import { findSettings } from '../settings/plugin-store.ts';
import type { SkippedPlugin } from '../plugin/skipped-plugin.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';
import { newSettings, type InstalledPlugins } from '../registry/installed-plugins.ts';
import type { Rescan } from '../lifecycle/lifecycle.ts';
import type { StartOrder } from '../lifecycle/start-order.ts';

/** Rescans folders. */
export type LocalFolders = ReturnType<typeof createLocalFolders>;

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

/** Creates it. Rescans run one at a time. */
export function createLocalFolders(parts: LocalFoldersParts) {
  const { installed, order, tell, assertFree } = parts;
  const sources = parts.sources.filter(({ type }) => type === 'local');
  /** The code hash with which a plugin was last started, where it differs from the hash at discovery. */
  const restarted = new Map<InstalledPlugin, string>();
  const queue = createSerialQueue();

  const hashOf = (plugin: InstalledPlugin): string =>
    restarted.get(plugin) ?? plugin.package.sourceHash;

  async function admit(found: PluginPackage): Promise<InstalledPlugin> {
    const { id } = found.manifest;
    assertFree(id);
    const old = installed.find(id);
    await old?.supervisor.stop();
    const kept = old?.settings ?? (await findSettings(parts.database.read, id)) ?? newSettings;
    const plugin = await installed.admit(found, kept);
    tell(plugin, 'discovered');
    if (plugin.settings.isEnabled) await order.startIfReady(plugin);
    else await plugin.supervisor.stop();
    return plugin;
  }

  /** Same manifest in the same place: only the code differs. */
  async function takeCode(plugin: InstalledPlugin, found: PluginPackage): Promise<void> {
    restarted.set(plugin, found.sourceHash);
    if (plugin.settings.isEnabled && order.obstacle(plugin) === null) await order.restart(plugin);
  }

  const isSameButCode = (plugin: InstalledPlugin, found: PluginPackage): boolean =>
    plugin.package.folder === found.folder &&
    isDeepStrictEqual(plugin.package.manifest, found.manifest) &&
    isDeepStrictEqual(plugin.package.locales, found.locales);

  async function update(plugin: InstalledPlugin, found: PluginPackage): Promise<boolean> {
    const isSame = isSameButCode(plugin, found);
    if (isSame && hashOf(plugin) === found.sourceHash) return false;
    await (isSame ? takeCode(plugin, found) : admit(found));
    return true;
  }

  /** Ends the plugin and all that need it. */
  async function end(plugin: InstalledPlugin): Promise<void> {
    const needing = installed.all().filter((other) => installed.needsOf(other).includes(plugin));
    for (const other of needing) if (other.isUp) await end(other);
    await plugin.supervisor.stop();
  }

  async function remove(plugin: InstalledPlugin): Promise<void> {
    assertFree(plugin.id);
    await end(plugin);
    restarted.delete(plugin);
    installed.drop(plugin.id);
  }

  /** A plugin of another origin with that id, or one whose events would have the same names. */
  const holderOf = ({ manifest }: PluginPackage): InstalledPlugin | undefined =>
    installed
      .all()
      .find(
        (other) =>
          other.package.type !== 'local' && pluginSlug(other.id) === pluginSlug(manifest.id),
      );

  async function look(): Promise<Rescan> {
    const { packages, skipped } = await discover({ ...parts, sources });
    const held = packages.flatMap((found) => {
      const holder = holderOf(found);
      return holder ? [duplicate(found, holder.package, parts.serverVersion)] : [];
    });
    const free = packages.filter((found) => holderOf(found) === undefined);
    const all = [...skipped, ...held];
    const removed = await removeGone(free, all);
    const [found, changed]: [string[], string[]] = [[], []];
    for (const one of free) {
      const { id } = one.manifest;
      const known = installed.find(id);
      if (known === undefined) {
        await admit(one);
        found.push(id);
      } else if (await update(known, one)) changed.push(id);
    }
    for (const { folder } of sources) installed.noteUnreadable(folder, all);
    parts.onChange();
    const shown = (id: string): Plugin => installed.get(id).resource();
    const left = parts
      .skipped()
      .filter((entry) => sources.some(({ folder }) => path.dirname(entry.path) === folder));
    return { found: found.map(shown), changed: changed.map(shown), removed, skipped: left };
  }

  async function removeGone(
    there: readonly PluginPackage[],
    skipped: readonly SkippedPlugin[],
  ): Promise<readonly string[]> {
    const gone = installed
      .all()
      .filter(({ package: { type } }) => type === 'local')
      .filter(({ id }) => there.every(({ manifest }) => manifest.id !== id))
      .filter(({ package: { folder } }) => skipped.every((entry) => entry.path !== folder));
    for (const plugin of gone) await remove(plugin);
    return gone.map(({ id }) => id);
  }

  async function current(plugin: InstalledPlugin): Promise<InstalledPlugin> {
    const { type, folder } = plugin.package;
    if (type !== 'local') return plugin;
    const looked = await candidate(folder, type, parts);
    if (looked.kind === 'skipped') throw unchanged(plugin, looked.entry.message);
    const { found } = looked;
    if (found.manifest.id !== plugin.id)
      throw unchanged(plugin, `Its folder holds ${found.manifest.id} now; run a rescan.`);
    if (!isSameButCode(plugin, found)) return admit(found);
    restarted.set(plugin, found.sourceHash);
    return plugin;
  }

  return {
    rescan: (): Promise<Rescan> => queue.run(look),
    /**
     * The plugin as its folder has it now. With a changed manifest it is a new one, which runs or
     * waits. Throws `conflict` when the folder is refused.
     */
    current: (plugin: InstalledPlugin): Promise<InstalledPlugin> =>
      queue.run(() => current(plugin)),
  };
}

const unchanged = ({ id }: InstalledPlugin, why: string): KernelError =>
  new KernelError('conflict', `Plugin ${id} was not changed. ${why}`);
