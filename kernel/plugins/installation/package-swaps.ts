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
  type EarlierVersion,
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

/** As many earlier versions are listed, and of the last ones code and data are kept. */
const mostEarlier = 50;
const mostKept = 3;

/** The transactions. */
export type PackageSwaps = ReturnType<typeof createPackageSwaps>;

export function createPackageSwaps(parts: {
  readonly database: Database;
  readonly onPackageChange: (change: PackageChange) => Alongside;
  readonly verdict: Verdict;
  readonly clock: Clock;
}) {
  const { database, onPackageChange, verdict, clock } = parts;

  /** Keeps the current version, with its settings and data, as the first of the earlier ones. */
  async function leave(
    trx: Transaction,
    record: PackageRecord,
  ): Promise<readonly EarlierVersion[]> {
    const { pluginId, version, sha256, publisherKey } = record;
    const others = await without(trx, record.earlier, version);
    const kept = `${pluginId}#${sha256}`;
    await backUpPluginData(trx, pluginId, kept);
    await backUpSecrets(trx, pluginId, kept);
    const settings = await readSettingsRow(trx, pluginId);
    const leftAt = clock.now();
    return [{ version, sha256, publisherKey, settings, leftAt, kept }, ...others];
  }

  async function enter(
    trx: Transaction,
    { pluginId, source }: PackageRecord,
    { target, earlier }: { target: EarlierVersion; earlier: readonly EarlierVersion[] },
  ): Promise<void> {
    const { version, sha256, publisherKey, settings, kept } = target;
    if (kept !== null) {
      await restorePluginData(trx, pluginId, kept);
      await restoreSecrets(trx, pluginId, kept);
    }
    const reach = await readReach(trx, pluginId);
    await writeSettingsRow(trx, pluginId, settings);
    // A reach that an admin limited since then stays limited.
    await writeReach(trx, pluginId, reach);
    const current = { pluginId, version, sha256, publisherKey, source };
    await putPackage(trx, {
      ...current,
      phase: 'settled',
      phaseAt: clock.now(),
      // It may have been revoked meanwhile.
      revoked: verdict({ ...current, revoked: null }),
      earlier: await bounded(
        trx,
        earlier.filter((one) => one.version !== version),
      ),
    });
  }

  return {
    /** Makes the new version current; keeps the old one with its settings and data. */
    putInPlace: (
      record: Omit<PackageRecord, 'earlier'>,
      {
        settings,
        alongside,
      }: { readonly settings: PluginSettings; readonly alongside: Alongside | undefined },
    ): Promise<void> =>
      database.write(async (trx) => {
        const { pluginId } = record;
        const before = await findPackage(trx, pluginId);
        const others = await without(trx, before?.earlier ?? [], record.version);
        const earlier = before ? await leave(trx, { ...before, earlier: others }) : [];
        await putPackage(trx, { ...record, earlier: await bounded(trx, earlier) });
        await saveSettings(trx, pluginId, settings);
        await alongside?.(trx);
      }),
    /**
     * Makes an earlier version current again, at an admin's request; keeps the one that it replaces.
     */
    goBack: (id: string, version: string, alongside: Alongside | undefined): Promise<void> =>
      database.write(async (trx) => {
        const record = await findPackage(trx, id);
        const target = record?.earlier.find((one) => one.version === version);
        if (record && target)
          await enter(trx, record, { target, earlier: await leave(trx, record) });
        await alongside?.(trx);
      }),
    /**
     * Makes the version current again that a failed one replaced, and forgets the failed one; no
     * effect when another one is current. Without a version before, all is removed.
     */
    takeBack: (id: string, sha256: string, reason: string): Promise<void> =>
      database.write(async (trx) => {
        const record = await findPackage(trx, id);
        if (record?.sha256 !== sha256) return;
        const { version, earlier } = record;
        const [target] = earlier;
        if (target) await enter(trx, record, { target, earlier });
        else await forget(trx, record);
        const instead = target?.version ?? null;
        const stopped = target ? verdict({ ...record, ...target, revoked: null }) : null;
        const all = stopped === null ? reason : `${reason} The one before does not run: ${stopped}`;
        await onPackageChange({ pluginId: id, what: 'rolled-back', version, instead, reason: all })(
          trx,
        );
      }),
    setPhase: (id: string, phase: InstallPhase): Promise<void> =>
      database.write(async (trx) => {
        const record = await findPackage(trx, id);
        if (record) await putPackage(trx, { ...record, phase, phaseAt: clock.now() });
      }),
    /** No effect when it is already stored. */
    setRevoked: (
      { pluginId, sha256, version }: PackageRecord,
      { revoked, reason }: { readonly revoked: string | null; readonly reason: string },
    ): Promise<void> =>
      database.write(async (trx) => {
        const record = await findPackage(trx, pluginId);
        if (record?.sha256 !== sha256 || record.revoked === revoked) return;
        await putPackage(trx, { ...record, revoked, phase: 'settled', phaseAt: clock.now() });
        const what = revoked === null ? 'allowed-again' : 'revoked';
        await onPackageChange({ pluginId, what, version, instead: null, reason })(trx);
      }),
    /** Removes all of the plugin. */
    remove: (id: string, alongside: Alongside | undefined): Promise<void> =>
      database.write(async (trx) => {
        const record = await findPackage(trx, id);
        await forget(trx, record ?? { pluginId: id, earlier: [] });
        await alongside?.(trx);
      }),
  };
}

async function forget(
  trx: Transaction,
  { pluginId, earlier }: Pick<PackageRecord, 'pluginId' | 'earlier'>,
): Promise<void> {
  await removePackage(trx, pluginId);
  await writeSettingsRow(trx, pluginId, null);
  for (const owner of [pluginId, ...earlier.flatMap(({ kept }) => kept ?? [])])
    await forgetData(trx, owner);
  await removeProfileSettings(trx, pluginId);
  await removeChoicesOf(trx, pluginId);
}

/** The list without a version, whose data is deleted. */
async function without(
  trx: Transaction,
  earlier: readonly EarlierVersion[],
  version: string,
): Promise<readonly EarlierVersion[]> {
  const dropped = earlier.filter((one) => one.version === version);
  for (const { kept } of dropped) if (kept !== null) await forgetData(trx, kept);
  return earlier.filter((one) => one.version !== version);
}

/** The first of the list; the backups of all but a few are deleted. */
async function bounded(
  trx: Transaction,
  earlier: readonly EarlierVersion[],
): Promise<readonly EarlierVersion[]> {
  for (const { kept } of earlier.slice(mostKept)) if (kept !== null) await forgetData(trx, kept);
  return earlier
    .slice(0, mostEarlier)
    .map((one, index) => (index < mostKept ? one : { ...one, kept: null }));
}

async function forgetData(trx: Transaction, owner: string): Promise<void> {
  await removePluginData(trx, owner);
  await removeSecrets(trx, owner);
}
