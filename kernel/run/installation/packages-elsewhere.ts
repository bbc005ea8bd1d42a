/**
 * Packages that another server installed, replaced or removed. This server takes their bytes from
 * where all servers find them, checks digest and signature, and runs them with the decisions that
 * are stored. Until a granted package runs here, this server lacks it: it must take no work in
 * which the package has a part.
 */
import type { Undo } from '../../call/host-service.ts';
import { openArchive, packed } from '../packages/index.ts';
import { candidate, type InstalledPackage } from '../packages/discovery.ts';
import type { PackageBytes } from '../packages/package-bytes.ts';
import { readUnpacked } from '../packages/package-source.ts';
import type { PackageRecord } from '../packages/package-store.ts';
import { findSettings, type PluginSettings } from '../settings/plugin-store.ts';
import { newSettings } from '../registry/installed-plugins.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { Lacking } from './install.ts';
import type { SharedParts } from './installs-parts.ts';

/** Follows the packages of other servers. */
export interface PackagesElsewhere {
  /** Unpacks, before the plugins are found, what is not on the disk. */
  readonly fetch: () => Promise<void>;
  /** Another server changed which packages there are; `null` = any. Never rejects. */
  readonly follow: (ids: readonly string[] | null) => Promise<void>;
  /** `null` = this server has all. */
  readonly lacking: () => Lacking | null;
  readonly close: () => void;
}

const retryMs = 5_000;
/** Of a package that is not known yet. */
const anything: PluginSettings['grant'] = {
  asked: {},
  granted: { hooks: ['pipeline.probe.afterProcess'], hears: ['library'] },
  reach: 'all',
};

/** Creates the follower; `bytes` is where all servers find packages. */
export function createPackagesElsewhere(
  parts: SharedParts,
  bytes: PackageBytes,
): PackagesElsewhere {
  const { database, folders, installed, order, packages, probations, queue, clock, log } = parts;
  const lacked = new Map<string, PluginSettings['grant']>();
  let retry: Undo | null = null;

  const look = (expected: InstalledPackage) =>
    candidate(folders.folderOf(expected.sha256), 'marketplace', { ...parts, expected });

  /** Brings the code to this disk, and bytes that only this server has to where all find them. */
  async function found(record: PackageRecord) {
    const there = await look(record);
    if (there.kind === 'found') {
      if (!(await bytes.has(record.sha256))) await offer(record);
      return there.found;
    }
    const read = await bytes.read(record.sha256);
    if (read === null) throw new Error('No server has put its package where all find it.');
    const { pluginId, publisherKey, sha256 } = record;
    const opened = await openArchive(read, {
      reader: parts.reader,
      sha256,
      keyFault: (id, key) =>
        id === pluginId && key === publisherKey
          ? null
          : 'It is not the package that was installed.',
    });
    if (!opened.ok) throw new Error(opened.message);
    await folders.place(opened.archive);
    const placed = await look(record);
    if (placed.kind === 'skipped') throw new Error(placed.entry.message);
    return placed.found;
  }

  async function offer({ sha256, pluginId, publisherKey }: PackageRecord): Promise<void> {
    const files = await readUnpacked(folders.folderOf(sha256));
    const again = files === null ? null : packed(files);
    const opened = again && (await openArchive(again, { reader: parts.reader, sha256 }));
    if (again !== null && opened?.ok === true && opened.archive.publisherKey === publisherKey)
      await bytes.write(sha256, again);
    else
      log.warn({ pluginId }, 'Other servers cannot take this plugin from here: install it again.');
  }

  async function settingsOf(id: string): Promise<PluginSettings> {
    return (await findSettings(database.read, id)) ?? newSettings;
  }

  async function lack(id: string, error: unknown): Promise<void> {
    const settings = await settingsOf(id).catch(() => null);
    lacked.set(id, settings?.isEnabled === false ? null : (settings?.grant ?? null));
    log.warn({ err: error, pluginId: id }, 'This server lacks a plugin that another one has.');
    retry ??= clock.after(retryMs, () => {
      retry = null;
      void follow([...lacked.keys()]);
    });
  }

  const isHere = (record: PackageRecord, plugin: InstalledPlugin | undefined): boolean =>
    plugin?.package.folder === folders.folderOf(record.sha256);

  async function apply(id: string): Promise<void> {
    await packages.refresh();
    const record = packages.find(id);
    const plugin = installed.find(id);
    if (plugin && plugin.package.type !== 'marketplace') return;
    if (!record) {
      lacked.delete(id);
      probations.drop(id);
      await plugin?.supervisor.stop();
      if (plugin) installed.drop(id);
      return;
    }
    if (isHere(record, plugin) && plugin) await judge(plugin, record);
    // The server that installs it tells once more when it runs there.
    else if (record.phase === 'starting') lacked.set(id, (await settingsOf(id)).grant);
    else await take(record, plugin);
  }

  async function judge(plugin: InstalledPlugin, { revoked }: PackageRecord): Promise<void> {
    lacked.delete(plugin.id);
    if (plugin.revocation === revoked) return;
    plugin.revocation = revoked;
    if (revoked === null) await order.startIfReady(plugin);
    else await plugin.supervisor.stop();
  }

  async function take(record: PackageRecord, old: InstalledPlugin | undefined): Promise<void> {
    const { pluginId: id, revoked } = record;
    const settings = await settingsOf(id);
    lacked.set(id, settings.isEnabled && revoked === null ? settings.grant : null);
    const code = await found(record);
    probations.drop(id);
    await old?.supervisor.stop();
    const plugin = await installed.admit(code, settings);
    plugin.revocation = revoked;
    parts.forgetIndex(id);
    parts.tell(plugin, 'discovered');
    if (settings.isEnabled && revoked === null) await order.startIfReady(plugin);
    else await plugin.supervisor.stop();
    lacked.delete(id);
  }

  async function follow(ids: readonly string[] | null): Promise<void> {
    const known = packages.all().map(({ pluginId }) => pluginId);
    if (ids === null) await packages.refresh().catch(() => undefined);
    const all = ids ?? [...known, ...packages.all().map(({ pluginId }) => pluginId)];
    // Before anything is read: no work begins that might be done without the plugin.
    for (const id of all) if (!lacked.has(id)) lacked.set(id, anything);
    for (const id of new Set(all)) {
      if (queue.isClosed()) return;
      await queue.idle(id);
      await queue.exclusive(id, () => apply(id)).catch((error: unknown) => lack(id, error));
    }
  }

  return {
    fetch: async () => {
      for (const record of packages.all())
        if (record.phase !== 'starting')
          await found(record).catch((error: unknown) => lack(record.pluginId, error));
    },
    follow,
    lacking: () => lackingOf(lacked),
    close: () => retry?.(),
  };
}

function lackingOf(lacked: ReadonlyMap<string, PluginSettings['grant']>): Lacking | null {
  const granted = [...lacked].flatMap(([pluginId, grant]) =>
    grant === null ? [] : [{ pluginId, ...grant }],
  );
  if (granted.length === 0) return null;
  const reaches = granted
    .filter(({ granted: { hooks = [] } }) => hooks.length > 0)
    .map(({ reach }) => (reach === 'all' ? 'all' : reach.map(({ id }) => id)));
  return {
    libraries: reaches.includes('all') ? 'all' : reaches.flatMap((one) => one),
    hears: granted.some(
      ({ granted: { hears = [], eventLog } }) => hears.length > 0 || eventLog === true,
    ),
    pluginIds: granted.map(({ pluginId }) => pluginId),
  };
}
