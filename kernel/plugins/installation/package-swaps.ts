/**
 * The transactions that make a version of a plugin the current one. Each covers the package, the
 * settings and the plugin's own data, so there is no intermediate state.
 */
import {
  restorePluginData,
  backUpPluginData,
  removePluginData,
  type Database,
  type Transaction,
} from '../../storage/index.ts';
import type { Clock } from '../plugin/clock.ts';
import type { PackageChange, Verdict } from './install.ts';
import {
  findPackage,
  putPackage,
  readSettingsRow,
  removePackage,
  writeSettingsRow,
  type InstallPhase,
  type PackageRecord,
} from '../packages/package-store.ts';
import { removeChoicesOf } from '../providers/provider-choices.ts';
import { removeProfileSettings } from '../settings/profile-settings-store.ts';
import { restoreSecrets, backUpSecrets, removeSecrets } from '../secrets/index.ts';
import {
  readReach,
  saveSettings,
  writeReach,
  type Alongside,
  type PluginSettings,
} from '../settings/plugin-store.ts';

/** The transactions. */
export interface PackageSwaps {
  /** Makes the new version current; keeps the old one with its settings and data. */
  readonly putInPlace: (
    record: Omit<PackageRecord, 'previous'>,
    what: { readonly settings: PluginSettings; readonly alongside: Alongside | undefined },
  ) => Promise<void>;
  /** Makes the version before current again, at an admin's request. */
  readonly goBack: (id: string, alongside: Alongside | undefined) => Promise<void>;
  /**
   * The same for a failed version; no effect when another one is current. Without a version before,
   * all is removed.
   */
  readonly takeBack: (id: string, sha256: string, reason: string) => Promise<void>;
  readonly setPhase: (id: string, phase: InstallPhase) => Promise<void>;
  /** No effect when it is already stored. */
  readonly setRevoked: (
    record: PackageRecord,
    verdict: { readonly revoked: string | null; readonly reason: string },
  ) => Promise<void>;
  /** Removes all of the plugin. */
  readonly remove: (id: string, alongside: Alongside | undefined) => Promise<void>;
}

/** Creates them over the database. */
export function createPackageSwaps(parts: {
  readonly database: Database;
  readonly onPackageChange: (change: PackageChange) => Alongside;
  readonly verdict: Verdict;
  readonly clock: Clock;
}): PackageSwaps {
  const { database, onPackageChange, verdict, clock } = parts;

  async function restore(trx: Transaction, record: PackageRecord): Promise<void> {
    const { pluginId, previous, source } = record;
    if (!previous) return forget(trx, pluginId);
    const { settings, ...version } = previous;
    await restorePluginData(trx, pluginId);
    await restoreSecrets(trx, pluginId);
    const reach = await readReach(trx, pluginId);
    await writeSettingsRow(trx, pluginId, settings);
    // A reach that an admin limited since then stays limited.
    await writeReach(trx, pluginId, reach);
    await putPackage(trx, {
      ...version,
      pluginId,
      source,
      phase: 'settled',
      phaseAt: clock.now(),
      revoked: verdictBefore(record),
      previous: null,
    });
  }

  /** The version before may have been revoked meanwhile. */
  const verdictBefore = ({ previous, ...record }: PackageRecord): string | null =>
    previous && verdict({ ...record, ...previous, revoked: null });

  return {
    putInPlace: (record, { settings, alongside }) =>
      database.write(async (trx) => {
        const { pluginId } = record;
        const before = await findPackage(trx, pluginId);
        const kept = before && {
          version: before.version,
          sha256: before.sha256,
          publisherKey: before.publisherKey,
          settings: await readSettingsRow(trx, pluginId),
        };
        if (kept) {
          await backUpPluginData(trx, pluginId);
          await backUpSecrets(trx, pluginId);
        }
        await putPackage(trx, { ...record, previous: kept });
        await saveSettings(trx, pluginId, settings);
        await alongside?.(trx);
      }),
    goBack: (id, alongside) =>
      database.write(async (trx) => {
        const record = await findPackage(trx, id);
        if (record?.previous) await restore(trx, record);
        await alongside?.(trx);
      }),
    takeBack: (id, sha256, reason) =>
      database.write(async (trx) => {
        const record = await findPackage(trx, id);
        if (record?.sha256 !== sha256) return;
        await restore(trx, record);
        const { version, previous } = record;
        const instead = previous?.version ?? null;
        const stopped = verdictBefore(record);
        const all = stopped === null ? reason : `${reason} The one before does not run: ${stopped}`;
        await onPackageChange({ pluginId: id, what: 'rolled-back', version, instead, reason: all })(
          trx,
        );
      }),
    setPhase: (id, phase) =>
      database.write(async (trx) => {
        const record = await findPackage(trx, id);
        if (record) await putPackage(trx, { ...record, phase, phaseAt: clock.now() });
      }),
    setRevoked: ({ pluginId, sha256, version }, { revoked, reason }) =>
      database.write(async (trx) => {
        const record = await findPackage(trx, pluginId);
        if (record?.sha256 !== sha256 || record.revoked === revoked) return;
        await putPackage(trx, { ...record, revoked, phase: 'settled', phaseAt: clock.now() });
        const what = revoked === null ? 'allowed-again' : 'revoked';
        await onPackageChange({ pluginId, what, version, instead: null, reason })(trx);
      }),
    remove: (id, alongside) =>
      database.write(async (trx) => {
        await forget(trx, id);
        await alongside?.(trx);
      }),
  };
}

async function forget(trx: Transaction, id: string): Promise<void> {
  await removePackage(trx, id);
  await writeSettingsRow(trx, id, null);
  await removePluginData(trx, id);
  await removeSecrets(trx, id);
  await removeProfileSettings(trx, id);
  await removeChoicesOf(trx, id);
}
