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
} from '../../store/index.ts';
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
import { removeAgreements } from '../settings/profile-agreement-store.ts';
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

interface PackageSwapsParts {
  readonly database: Database;
  readonly onPackageChange: (change: PackageChange) => Alongside;
  readonly verdict: Verdict;
  readonly clock: Clock;
}

/** The transactions. */
export class PackageSwaps {
  readonly #parts: PackageSwapsParts;

  constructor(parts: PackageSwapsParts) {
    this.#parts = parts;
  }

  /** Keeps the current version, with its settings and data, as the first of the earlier ones. */
  async #leave(trx: Transaction, record: PackageRecord): Promise<readonly EarlierVersion[]> {
    const { pluginId, version, sha256, publisherKey } = record;
    const others = await without(trx, record.earlier, version);
    const kept = `${pluginId}#${sha256}`;
    await backUpPluginData(trx, pluginId, kept);
    await backUpSecrets(trx, pluginId, kept);
    const settings = await readSettingsRow(trx, pluginId);
    const leftAt = this.#parts.clock.now();
    return [{ version, sha256, publisherKey, settings, leftAt, kept }, ...others];
  }

  async #enter(
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
      phaseAt: this.#parts.clock.now(),
      // It may have been revoked meanwhile.
      revoked: this.#parts.verdict({ ...current, revoked: null }),
      earlier: await bounded(
        trx,
        earlier.filter((one) => one.version !== version),
      ),
    });
  }

  /** Makes the new version current; keeps the old one with its settings and data. */
  readonly putInPlace = (
    record: Omit<PackageRecord, 'earlier'>,
    {
      settings,
      alongside,
    }: { readonly settings: PluginSettings; readonly alongside: Alongside | undefined },
  ): Promise<void> =>
    this.#parts.database.write(async (trx) => {
      const { pluginId } = record;
      const before = await findPackage(trx, pluginId);
      const others = await without(trx, before?.earlier ?? [], record.version);
      const earlier = before ? await this.#leave(trx, { ...before, earlier: others }) : [];
      await putPackage(trx, { ...record, earlier: await bounded(trx, earlier) });
      await saveSettings(trx, pluginId, settings);
      await alongside?.(trx);
    });

  /**
   * Makes an earlier version current again, at an admin's request; keeps the one that it replaces.
   */
  readonly goBack = (
    id: string,
    version: string,
    alongside: Alongside | undefined,
  ): Promise<void> =>
    this.#parts.database.write(async (trx) => {
      const record = await findPackage(trx, id);
      const target = record?.earlier.find((one) => one.version === version);
      if (record && target)
        await this.#enter(trx, record, { target, earlier: await this.#leave(trx, record) });
      await alongside?.(trx);
    });

  /**
   * Makes the version current again that a failed one replaced, and forgets the failed one; no
   * effect when another one is current. Without a version before, all is removed.
   */
  readonly takeBack = (id: string, sha256: string, reason: string): Promise<void> =>
    this.#parts.database.write(async (trx) => {
      const record = await findPackage(trx, id);
      if (record?.sha256 !== sha256) return;
      const { version, earlier } = record;
      const [target] = earlier;
      if (target) await this.#enter(trx, record, { target, earlier });
      else await forget(trx, record);
      const instead = target?.version ?? null;
      const stopped = target ? this.#parts.verdict({ ...record, ...target, revoked: null }) : null;
      const all = stopped === null ? reason : `${reason} The one before does not run: ${stopped}`;
      await this.#parts.onPackageChange({
        pluginId: id,
        what: 'rolled-back',
        version,
        instead,
        reason: all,
      })(trx);
    });

  readonly setPhase = (id: string, phase: InstallPhase): Promise<void> =>
    this.#parts.database.write(async (trx) => {
      const record = await findPackage(trx, id);
      if (record) await putPackage(trx, { ...record, phase, phaseAt: this.#parts.clock.now() });
    });

  /** No effect when it is already stored. */
  readonly setRevoked = (
    { pluginId, sha256, version }: PackageRecord,
    { revoked, reason }: { readonly revoked: string | null; readonly reason: string },
  ): Promise<void> =>
    this.#parts.database.write(async (trx) => {
      const record = await findPackage(trx, pluginId);
      if (record?.sha256 !== sha256 || record.revoked === revoked) return;
      await putPackage(trx, {
        ...record,
        revoked,
        phase: 'settled',
        phaseAt: this.#parts.clock.now(),
      });
      const what = revoked === null ? 'allowed-again' : 'revoked';
      await this.#parts.onPackageChange({ pluginId, what, version, instead: null, reason })(trx);
    });

  /** Removes all of the plugin. */
  readonly remove = (id: string, alongside: Alongside | undefined): Promise<void> =>
    this.#parts.database.write(async (trx) => {
      const record = await findPackage(trx, id);
      await forget(trx, record ?? { pluginId: id, earlier: [] });
      await alongside?.(trx);
    });
}

export const createPackageSwaps = (parts: PackageSwapsParts): PackageSwaps =>
  new PackageSwaps(parts);

async function forget(
  trx: Transaction,
  { pluginId, earlier }: Pick<PackageRecord, 'pluginId' | 'earlier'>,
): Promise<void> {
  await removePackage(trx, pluginId);
  await writeSettingsRow(trx, pluginId, null);
  for (const owner of [pluginId, ...earlier.flatMap(({ kept }) => kept ?? [])])
    await forgetData(trx, owner);
  await removeProfileSettings(trx, pluginId);
  await removeAgreements(trx, pluginId);
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
