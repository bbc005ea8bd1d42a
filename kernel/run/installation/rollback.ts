/** The return to an earlier version: after a new one failed, or when an admin asks for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { candidate, type InstalledPackage } from '../packages/discovery.ts';
import { byVersion, isNewer, openArchive, type OpenedArchive } from '../packages/index.ts';
import type { EarlierVersion } from '../packages/package-store.ts';
import { refused } from './install.ts';
import type { InstallOutcome, Installs, JudgedEarlier, RollbackOrder } from './install.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { SharedParts } from './installs-parts.ts';
import { findSettings } from '../settings/plugin-store.ts';
import { newSettings } from '../registry/installed-plugins.ts';

/** A version that is to be removed. */
export interface Failed {
  readonly sha256: string;
  /** The plugin that ran before, if it is still in memory. */
  readonly old?: InstalledPlugin | undefined;
  readonly made: InstalledPlugin | null;
  readonly restarts: boolean;
  readonly reason: string;
}

/** The two kinds of rollback. */
export interface Rollback {
  /** Restores the old version with its settings and data; without one, removes all. */
  readonly takeBack: (id: string, failed: Failed) => Promise<void>;
  readonly rollBack: Installs['rollBack'];
  readonly earlier: Installs['earlier'];
}

/** Retries, so that a database that fails for a moment does not lose the old version. */
const undoDelaysMs = [0, 50, 200, 500, 1000, 2000];

export function createRollback(parts: SharedParts): Rollback {
  const { database, folders, installed, order, log, swaps, packages, probations, queue, verdict } =
    parts;

  const takeBack: Rollback['takeBack'] = async (id, { sha256, old, made, restarts, reason }) => {
    probations.drop(id, reason);
    made?.note('error', `This version is taken back. ${reason}`);
    await made?.supervisor.stop();
    await persistently(() => swaps.takeBack(id, sha256, reason));
    parts.forgetIndex(id);
    await persistently(packages.refresh);
    const back = await reinstate(id, old, made);
    if (back && restarts && !queue.isClosed()) await order.startIfReady(back);
  };

  /** The plugin that the database now names, among the installed ones; `null` when there is none. */
  async function reinstate(
    id: string,
    old: InstalledPlugin | undefined,
    made: InstalledPlugin | null,
  ): Promise<InstalledPlugin | null> {
    const record = packages.find(id);
    // Nothing was changed before the failure, so the old version is still in place.
    if (old && !made) return old;
    if (!record) {
      installed.drop(id);
      return null;
    }
    const found = await look(record);
    if (found.kind === 'skipped') {
      log.error({ pluginId: id }, `The version before cannot be used. ${found.entry.message}`);
      installed.drop(id);
      return null;
    }
    const settings = await findSettings(database.read, id);
    const plugin = await installed.admit(found.found, settings ?? newSettings);
    plugin.revocation = record.revoked;
    return plugin;
  }

  const look = (expected: InstalledPackage) =>
    candidate(folders.folderOf(expected.sha256), 'marketplace', { ...parts, expected });

  async function persistently(work: () => Promise<void>): Promise<void> {
    for (const [index, delayMs] of undoDelaysMs.entries()) {
      await sleep(delayMs);
      try {
        await work();
        return;
      } catch (error) {
        if (index === undoDelaysMs.length - 1) throw error;
        log.warn({ err: error }, 'The rollback to the version before failed and is tried again.');
      }
    }
  }

  const rollBack: Installs['rollBack'] = (id, { version, fetch, alongside } = {}) =>
    queue.exclusive(id, async () => {
      const target = targetIn(earlierOf(id), version);
      if (target === undefined) {
        installed.get(id);
        return refused('NOT_FOUND', absence(id, version, earlierOf(id)));
      }
      if (target.revoked !== null)
        return refused('REVOKED', `There is no version to go back to. ${target.revoked}`);
      const fault = await codeFault({ ...target, pluginId: id }, fetch);
      if (fault !== null) return fault;
      const now = installed.find(id);
      const isIdle = now && !now.isUp && now.supervisor.state !== 'failed';
      // A revoked version was stopped by the server, not by an admin.
      const restarts = !isIdle || now.revocation !== null;
      probations.drop(id);
      await now?.supervisor.stop();
      try {
        await swaps.goBack(id, target.version, alongside?.(target));
      } catch (error) {
        if (now && restarts) await order.startIfReady(now);
        throw error;
      }
      parts.forgetIndex(id);
      await packages.refresh();
      const back = await reinstate(id, undefined, now ?? null);
      if (!back) return refused('START_FAILED', `Version ${target.version} of ${id} is damaged.`);
      if (restarts) await order.startIfReady(back);
      return { kind: 'done', plugin: back.resource() };
    });

  /** Fetches code that is missing or damaged, before anything changes; the refusal if it must not run. */
  async function codeFault(
    target: EarlierVersion & InstalledPackage,
    fetch: RollbackOrder['fetch'],
  ): Promise<InstallOutcome | null> {
    const there = await look(target);
    if (there.kind === 'found') return null;
    const fetched = (await fromOthers(target)) ?? (await fetch?.(target));
    if (fetched) await folders.place(fetched);
    const found = fetched ? await look(target) : there;
    return found.kind === 'found' ? null : refused('START_FAILED', found.entry.message);
  }

  /** The package where all servers find it; `null` = it is not there, or not the one. */
  async function fromOthers(target: InstalledPackage): Promise<OpenedArchive | null> {
    const read = (await parts.bytes?.read(target.sha256)) ?? null;
    if (read === null) return null;
    const opened = await openArchive(read, { reader: parts.reader, sha256: target.sha256 });
    return opened.ok ? opened.archive : null;
  }

  function earlierOf(id: string): readonly JudgedEarlier[] {
    const record = packages.find(id);
    if (!record) return [];
    const judged = record.earlier
      .filter(({ version }) => version !== record.version)
      .map((one) => ({ ...one, revoked: verdict({ ...record, ...one, revoked: null }) }));
    const older = judged
      .filter(({ version }) => isNewer(record.version, version))
      .sort((one, other) => byVersion(one.version, other.version));
    const next = older.find(({ revoked }) => revoked === null) ?? older[0];
    return judged.map((one) => ({ ...one, isNext: one === next }));
  }

  return { takeBack, rollBack, earlier: earlierOf };
}

const targetIn = (
  earlier: readonly JudgedEarlier[],
  version: string | undefined,
): JudgedEarlier | undefined =>
  earlier.find((one) => (version === undefined ? one.isNext : one.version === version));

function absence(
  id: string,
  version: string | undefined,
  earlier: readonly JudgedEarlier[],
): string {
  const versions = earlier.map((one) => one.version).join(', ');
  const known = versions === '' ? '' : ` Versions that were installed here: ${versions}.`;
  return version === undefined
    ? `There is no earlier version of ${id} to go back to.${known}`
    : `Version ${version} of ${id} was not installed here before.${known}`;
}
