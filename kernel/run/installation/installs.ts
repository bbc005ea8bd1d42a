/**
 * Installs, upgrades, rolls back and removes marketplace plugins. Guarantees: a package is complete
 * on the disk before anything refers to it. Code, settings and the plugin's own data change in one
 * transaction, and change back in one. When a step fails or the server ends in between, the old
 * version runs afterwards. A version that does not start, or crashes three times in its first five
 * minutes, is rolled back by the server. A revoked package neither starts nor replaces one that is
 * not revoked.
 */
import type { PluginSource } from '../packages/discovery.ts';
import type { Installs } from './install.ts';
import { createPlacePackage } from './place-package.ts';
import { createUninstall } from './uninstall.ts';
import { createRollback } from './rollback.ts';
import { createInstallQueue } from './install-queue.ts';
import { createRevocationCheck, createRevocationRule } from './revocation.ts';
import { createInstallWatch } from './install-watch.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { InstallsParts, SharedParts } from './installs-parts.ts';
import { createPackageList } from './package-list.ts';
import { createPackagesElsewhere, type PackagesElsewhere } from './packages-elsewhere.ts';
import { createPackageSwaps } from './package-swaps.ts';
import { excess } from '../powers/permissions.ts';
import type { LifeEvent } from '../supervision/supervisor.ts';
import { createProbations } from './probation.ts';

/** The operations that the plugins use. */
export interface Installations extends Omit<Installs, 'changedElsewhere'> {
  /** Follows the packages of other servers; `null` = there are none. */
  readonly elsewhere: PackagesElsewhere | null;
  /** Rolls back interrupted installations, and returns the source of the packages. */
  readonly recover: () => Promise<PluginSource>;
  /** Continues the probations of an earlier run of the server. */
  readonly resume: () => Promise<void>;
  readonly onLifeEvent: (plugin: InstalledPlugin, event: LifeEvent | 'discovered') => void;
  /** Throws `conflict` while an operation on the plugin runs. */
  readonly assertFree: (id: string) => void;
  /** Waits for current operations, and starts nothing new. */
  readonly close: () => Promise<void>;
}

const longestStartMs = 60_000;

/** Creates the installs; nothing is read before `recover`. */
export function createInstalls(parts: InstallsParts): Installations {
  const { database, folders, installed, clock } = parts;
  const { setRevocationRule, verdict } = createRevocationRule();
  const swaps = createPackageSwaps({ ...parts, verdict });
  const packages = createPackageList(database);
  const probations = createProbations(clock);
  const queue = createInstallQueue({ ...parts, packages });
  const shared: SharedParts = { ...parts, swaps, packages, probations, queue, verdict };
  const { takeBack, rollBack, earlier } = createRollback(shared);
  const watch = createInstallWatch(shared, takeBack);
  const elsewhere = parts.bytes && createPackagesElsewhere(shared, parts.bytes);
  const { judge, settle } = createRevocationCheck(shared);

  /** Another server may be starting it now. */
  const mayBeElsewhere = (phaseAt: number): boolean =>
    parts.bytes !== null && clock.now() - phaseAt < longestStartMs;

  async function recover(): Promise<PluginSource> {
    await packages.refresh();
    for (const { pluginId, phase, phaseAt, sha256 } of packages.all()) {
      if (phase === 'starting' && !mayBeElsewhere(phaseAt))
        await swaps.takeBack(pluginId, sha256, 'The server ended before this version ran.');
    }
    await packages.refresh();
    await elsewhere?.fetch();
    return { folder: folders.root, type: 'marketplace', installed: packages.all() };
  }

  return {
    records: packages.all,
    find: packages.find,
    asksMore: (id, permissions) => {
      const grant = installed.find(id)?.settings.grant;
      return grant ? excess(permissions, grant.asked) : [];
    },
    place: createPlacePackage({ ...shared, watch, takeBack }),
    rollBack,
    isProvisional: (id, version) => {
      const record = packages.find(id);
      if (record === undefined) return false;
      const isWatched = record.phase === 'watched' && record.earlier.length > 0;
      return record.version !== version || record.phase === 'starting' || isWatched;
    },
    earlier,
    elsewhere,
    lacking: () => elsewhere?.lacking() ?? null,
    remove: createUninstall(shared),
    setRevocationRule,
    judge,
    recover,
    resume: async () => {
      await settle();
      await watch.resume();
    },
    onLifeEvent: probations.onLifeEvent,
    assertFree: queue.assertFree,
    close: async () => {
      queue.close();
      elsewhere?.close();
      probations.close();
      await queue.ended();
    },
  };
}

/** The installs, with a step after each change of which packages there are. `settle` never rejects. */
export function settledInstalls<Some extends Pick<Installs, 'place' | 'rollBack' | 'remove'>>(
  installs: Some,
  settle: () => Promise<void>,
): Some {
  async function settled<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    await settle();
    return result;
  }
  return {
    ...installs,
    place: (...what) => settled(installs.place(...what)),
    rollBack: (...what) => settled(installs.rollBack(...what)),
    remove: (...what) => settled(installs.remove(...what)),
  };
}
