/**
 * Installs, upgrades, takes back and removes marketplace plugins. Guarantees: a package is whole on the
 * disk before anything points to it; code, settings and the plugin's own data change in one transaction,
 * and change back in one; whatever fails or ends the server in between, the old version is what runs
 * afterwards; a version that does not come to run, or crashes three times in its first five minutes, is
 * taken back without anybody asking.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { KernelError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Database } from '../storage/index.ts';
import type { Clock } from './clock.ts';
import { candidate, type PluginPackage, type PluginSource } from './discovery.ts';
import {
  refused,
  type InstallOutcome,
  type Installs,
  type PackageChange,
  type PlaceOptions,
} from './install.ts';
import { grantFor, misfitOf, missingConsent } from './install-check.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import type { ManifestReader } from './manifest.ts';
import type { PackageFolders } from './package-folders.ts';
import { listPackages, type PackageRecord } from './package-store.ts';
import { createPackageSwaps } from './package-swaps.ts';
import type { OpenedArchive } from './packages/index.ts';
import { excess } from './permissions.ts';
import { findSettings, type Alongside, type PluginSettings } from './plugin-store.ts';
import { newSettings, type Roster } from './roster.ts';
import type { StartOrder } from './start-order.ts';
import type { LifeEvent } from './supervisor.ts';
import { createTrials, type Trial } from './trial.ts';

/** What the plugins themselves need of it. */
export interface InstallDesk extends Installs {
  /** Takes back what was interrupted, and says where packages are. */
  readonly recover: () => Promise<PluginSource>;
  /** Goes on with the trials of an earlier run of the server. */
  readonly resume: () => Promise<void>;
  readonly heard: (plugin: InstalledPlugin, event: LifeEvent | 'discovered') => void;
  /** Throws `conflict` while something is under way with the plugin. */
  readonly assertFree: (id: string) => void;
  /** Lets what is under way come to its end, and begins nothing new. */
  readonly close: () => Promise<void>;
}

/** What it is made of. */
export interface InstallsParts {
  readonly database: Database;
  readonly folders: PackageFolders;
  readonly roster: Roster;
  readonly order: Pick<StartOrder, 'startIfReady' | 'obstacle'>;
  readonly reader: ManifestReader;
  readonly serverVersion: string;
  /** The text index of a plugin is another one from now on. */
  readonly forgetIndex: (pluginId: string) => void;
  /** What is written in the transaction of what the server does by itself. */
  readonly witness: (change: PackageChange) => Alongside;
  readonly tell: (plugin: InstalledPlugin, event: 'discovered') => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** For so long after an upgrade, crashes take it back. */
const watchMs = 5 * 60_000;
/** A database that is away for a moment is no reason to lose the old version. */
const undoDelaysMs = [0, 50, 200, 500, 1000, 2000];

/** Creates it; nothing is read before `recover`. */
export function createInstalls(parts: InstallsParts): InstallDesk {
  const { database, folders, roster, order, reader, clock, log } = parts;
  const swaps = createPackageSwaps(parts);
  const records = new Map<string, PackageRecord>();
  const trials = createTrials(clock);
  const underWay = new Map<string, Promise<unknown>>();
  let sweeping: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function refresh(): Promise<void> {
    const found = await listPackages(database.read);
    records.clear();
    for (const record of found) records.set(record.pluginId, record);
  }

  function assertFree(id: string): void {
    if (!underWay.has(id)) return;
    throw new KernelError('conflict', `Plugin ${id} is being installed or removed; wait for that.`);
  }

  /** One thing at a time with one plugin. */
  async function alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    assertFree(id);
    if (isClosed) throw new KernelError('conflict', 'The server is stopping.');
    const turn = sweeping.then(work);
    underWay.set(id, turn);
    try {
      return await turn;
    } finally {
      underWay.delete(id);
      tidy();
    }
  }

  /** Code that nothing points to any more goes, as soon as nothing is being put in place. */
  function tidy(): void {
    if (underWay.size > 0) return;
    const keep = [...records.values()].flatMap(({ sha256, previous }) =>
      previous ? [sha256, previous.sha256] : [sha256],
    );
    sweeping = folders.sweep(new Set(keep)).catch((error: unknown) => {
      log.warn({ err: error }, 'Packages that are not needed any more could not be removed.');
    });
  }

  // ---- putting in place

  const place: Installs['place'] = (archive, options) =>
    alone(archive.manifest.id, async () => {
      const { manifest } = archive;
      const misfit = misfitOf(manifest, parts);
      if (misfit !== null) return refused('INCOMPATIBLE_VERSION', misfit);
      const old = roster.find(manifest.id);
      const settings = await settingsOf(manifest.id);
      const more = missingConsent(manifest, settings);
      if (old && more.length > 0 && options.granted === undefined) {
        const asked = manifest.permissions;
        return { kind: 'waiting', plugin: old.resource(), asked, more };
      }
      const grant = grantFor(manifest, settings, { granted: options.granted, reader });
      const folder = await unpacked(archive);
      if (folder === null) return refused('START_FAILED', `${manifest.id} could not be unpacked.`);
      const found = await candidate(folder, 'marketplace', parts);
      if (found.kind === 'skipped') return refused('INVALID_MANIFEST', found.entry.message);
      return swap(found.found, { archive, options, settings: { ...settings, grant } });
    });

  async function unpacked(archive: OpenedArchive): Promise<string | null> {
    try {
      return await folders.place(archive);
    } catch (error) {
      log.error({ err: error, pluginId: archive.manifest.id }, 'A package was not unpacked.');
      return null;
    }
  }

  async function settingsOf(id: string): Promise<PluginSettings> {
    const known = roster.find(id)?.settings;
    return known ?? (await findSettings(database.read, id)) ?? newSettings;
  }

  /** The one moment in which the new version counts, and what follows it. */
  async function swap(
    found: PluginPackage,
    {
      archive,
      options,
      settings,
    }: { archive: OpenedArchive; options: PlaceOptions; settings: PluginSettings },
  ): Promise<InstallOutcome> {
    const { id, version } = archive.manifest;
    const old = roster.find(id);
    const startsNow = settings.isEnabled && settings.grant !== null;
    const wasUp = old?.isUp ?? false;
    const record = {
      pluginId: id,
      version,
      sha256: archive.sha256,
      publisherKey: archive.publisherKey,
      source: options.source,
      phase: startsNow ? ('starting' as const) : ('settled' as const),
      phaseAt: clock.now(),
      revoked: null,
    };
    let made: InstalledPlugin | null = null;
    try {
      await old?.supervisor.stop();
      await swaps.putInPlace(record, { settings, alongside: options.alongside });
      parts.forgetIndex(id);
      await refresh();
      made = await roster.admit(found, settings);
      parts.tell(made, 'discovered');
      if (!startsNow) return { kind: 'done', plugin: made.resource() };
      await begin(made, { version, wasUp });
      return { kind: 'done', plugin: made.resource() };
    } catch (error) {
      const why = error instanceof NotBegun ? error.message : 'It could not be put in place.';
      if (!(error instanceof NotBegun))
        log.error({ err: error, pluginId: id }, 'A plugin could not be put in place.');
      await takeBack(id, { sha256: archive.sha256, old, made, restarts: startsNow, reason: why });
      return refused('START_FAILED', `${id} ${version} was taken back. ${why}`);
    }
  }

  /** Starts a version, waits until it runs, and watches it from then on. */
  async function begin(
    plugin: InstalledPlugin,
    { version, wasUp }: { version: string; wasUp: boolean },
  ): Promise<void> {
    const found = order.obstacle(plugin);
    if (found && wasUp) throw new NotBegun(found.message);
    // It waits for what the version before waited for as well.
    if (found) return setPhase(plugin.id, 'settled');
    const trial = trials.begin(plugin);
    order.startIfReady(plugin).catch((error: unknown) => trial.giveUp(String(error)));
    const why = await trial.begun;
    if (why !== null) throw new NotBegun(why);
    await setPhase(plugin.id, 'watched');
    watch(trial, { version, afterMs: watchMs });
  }

  async function setPhase(id: string, phase: PackageRecord['phase']): Promise<void> {
    await swaps.setPhase(id, phase);
    await refresh();
  }

  function watch(trial: Trial, { version, afterMs }: { version: string; afterMs: number }): void {
    const { plugin } = trial;
    trials.watch(trial, {
      afterMs,
      passed: () =>
        void setPhase(plugin.id, 'settled').catch((error: unknown) =>
          log.warn({ err: error, pluginId: plugin.id }, 'An upgrade was not marked as settled.'),
        ),
      spoiled: (why) => void revert(plugin, { version, why }),
    });
  }

  /** By itself: a version that ran, and was not good enough. */
  async function revert(
    plugin: InstalledPlugin,
    { version, why }: { version: string; why: string },
  ): Promise<void> {
    const record = records.get(plugin.id);
    if (isClosed || !record?.previous || record.version !== version) return;
    try {
      await alone(plugin.id, async () => {
        const { sha256 } = record;
        await takeBack(plugin.id, { sha256, made: plugin, restarts: true, reason: why });
      });
    } catch (error) {
      log.error({ err: error, pluginId: plugin.id }, 'A failing upgrade could not be taken back.');
    }
  }

  // ---- taking back

  interface Failed {
    /** Of the version that is to go. */
    readonly sha256: string;
    /** What ran before, where it is still at hand. */
    readonly old?: InstalledPlugin | undefined;
    readonly made: InstalledPlugin | null;
    readonly restarts: boolean;
    readonly reason: string;
  }

  /** Puts the old version back, with its settings and data; without one, nothing is left. */
  async function takeBack(
    id: string,
    { sha256, old, made, restarts, reason }: Failed,
  ): Promise<void> {
    trials.drop(id, reason);
    made?.note('error', `This version is taken back. ${reason}`);
    await made?.supervisor.stop();
    await persistently(() => swaps.takeBack(id, sha256, reason));
    parts.forgetIndex(id);
    await persistently(refresh);
    const back = await reinstate(id, old, made);
    if (back && restarts && !isClosed) await order.startIfReady(back);
  }

  /** The plugin as the database has it now, in the roster; `null` when there is none. */
  async function reinstate(
    id: string,
    old: InstalledPlugin | undefined,
    made: InstalledPlugin | null,
  ): Promise<InstalledPlugin | null> {
    const record = records.get(id);
    // Nothing was changed before the failure: what was there is still there.
    if (old && !made) return old;
    if (!record) {
      roster.drop(id);
      return null;
    }
    const found = await candidate(folders.folderOf(record.sha256), 'marketplace', parts);
    if (found.kind === 'skipped') {
      log.error({ pluginId: id }, `The version before cannot be used. ${found.entry.message}`);
      roster.drop(id);
      return null;
    }
    const settings = await findSettings(database.read, id);
    return roster.admit(found.found, settings ?? newSettings);
  }

  async function persistently(work: () => Promise<void>): Promise<void> {
    for (const [index, delayMs] of undoDelaysMs.entries()) {
      await sleep(delayMs);
      try {
        await work();
        return;
      } catch (error) {
        if (index === undoDelaysMs.length - 1) throw error;
        log.warn({ err: error }, 'Going back to the version before is tried again.');
      }
    }
  }

  const rollBack: Installs['rollBack'] = (id, alongside) =>
    alone(id, async () => {
      const record = records.get(id);
      if (!record?.previous) {
        roster.get(id);
        return refused('NOT_FOUND', `There is no earlier version of ${id} to go back to.`);
      }
      const now = roster.find(id);
      const restarts = now ? now.isUp || now.supervisor.state === 'failed' : true;
      trials.drop(id);
      await now?.supervisor.stop();
      try {
        await swaps.goBack(id, alongside);
      } catch (error) {
        if (now && restarts) await order.startIfReady(now);
        throw error;
      }
      parts.forgetIndex(id);
      await refresh();
      const back = await reinstate(id, undefined, now ?? null);
      if (!back) return refused('START_FAILED', `The version of ${id} before is damaged.`);
      if (restarts) await order.startIfReady(back);
      return { kind: 'done', plugin: back.resource() };
    });

  const remove: Installs['remove'] = (id, alongside) =>
    alone(id, async () => {
      const plugin = records.has(id) ? roster.find(id) : roster.get(id);
      if (plugin && plugin.package.type !== 'marketplace') {
        const how = plugin.package.type === 'builtin' ? 'disable it' : 'remove its folder';
        throw new KernelError('conflict', `Plugin ${id} came with no package; ${how} instead.`);
      }
      const needing = roster
        .all()
        .filter((other) => other.isUp && plugin && roster.needsOf(other).includes(plugin));
      if (needing.length > 0) {
        const names = needing.map((other) => other.id).join(', ');
        throw new KernelError('conflict', `Plugin ${id} is needed by ${names}; remove that first.`);
      }
      const wasUp = plugin?.isUp ?? false;
      trials.drop(id);
      await plugin?.supervisor.stop();
      try {
        await swaps.remove(id, alongside);
      } catch (error) {
        if (plugin && wasUp) await order.startIfReady(plugin);
        throw error;
      }
      parts.forgetIndex(id);
      records.delete(id);
      roster.drop(id);
    });

  // ---- revocation

  async function judge(verdict: (record: PackageRecord) => string | null): Promise<void> {
    for (const { pluginId } of [...records.values()]) {
      await underWay.get(pluginId)?.catch(() => undefined);
      const record = records.get(pluginId);
      if (!record || isClosed) continue;
      const revoked = verdict(record);
      if (revoked !== record.revoked) await alone(pluginId, () => mark(record, revoked));
    }
  }

  async function mark(record: PackageRecord, revoked: string | null): Promise<void> {
    const { pluginId } = record;
    const plugin = roster.find(pluginId);
    const reason = revoked ?? 'It is not revoked any more.';
    if (plugin) plugin.revocation = revoked;
    plugin?.note(revoked === null ? 'info' : 'error', reason);
    trials.drop(pluginId);
    // First: what may not run stops, even when nobody can write that down.
    if (revoked !== null) await plugin?.supervisor.stop();
    await swaps.setRevoked(record, { revoked, reason });
    await refresh();
    if (plugin && revoked === null) await order.startIfReady(plugin);
  }

  // ---- start and stop

  async function recover(): Promise<PluginSource> {
    await refresh();
    for (const { pluginId, phase, sha256 } of [...records.values()]) {
      if (phase === 'starting')
        await swaps.takeBack(pluginId, sha256, 'The server ended before this version ran.');
    }
    await refresh();
    const names = [...records.values()].map(({ sha256 }) => sha256);
    return { folder: folders.root, type: 'marketplace', names };
  }

  async function resume(): Promise<void> {
    for (const { pluginId, phase, phaseAt, version, revoked } of records.values()) {
      const plugin = roster.find(pluginId);
      if (plugin) plugin.revocation = revoked;
      if (!plugin || phase !== 'watched') continue;
      const afterMs = Math.max(0, phaseAt + watchMs - clock.now());
      watch(trials.begin(plugin), { version, afterMs });
    }
    tidy();
    await sweeping;
  }

  async function close(): Promise<void> {
    isClosed = true;
    trials.close();
    await Promise.allSettled([...underWay.values(), sweeping]);
  }

  return {
    records: () => [...records.values()],
    find: (id) => records.get(id),
    asksMore: (id, permissions) => {
      const grant = roster.find(id)?.settings.grant;
      return grant ? excess(permissions, grant.asked) : [];
    },
    place,
    rollBack,
    remove,
    judge,
    recover,
    resume,
    heard: trials.heard,
    assertFree,
    close,
  };
}

/** A version that was started and does not run, for reasons of its own. */
class NotBegun extends Error {}
