/**
 * Installs, upgrades, takes back and removes marketplace plugins. Guarantees: a package is whole on the
 * disk before anything points to it; code, settings and the plugin's own data change in one transaction,
 * and change back in one; whatever fails or ends the server in between, the old version is what runs
 * afterwards; a version that does not come to run, or crashes three times in its first five minutes, is
 * taken back without anybody asking; a package that is revoked neither starts nor takes the place of one
 * that is not.
 */
import type { PluginSource } from './discovery.ts';
import type { Installs } from './install.ts';
import { createPlacePackage } from './place-package.ts';
import { createUninstall } from './uninstall.ts';
import { createRollback } from './rollback.ts';
import { createInstallQueue } from './install-queue.ts';
import { createRevocationCheck, createRevocationRule } from './revocation.ts';
import { createInstallWatch } from './install-watch.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import type { InstallsParts, SharedParts } from './installs-parts.ts';
import { createPackageList } from './package-list.ts';
import { createPackageSwaps } from './package-swaps.ts';
import { excess } from './permissions.ts';
import type { LifeEvent } from './supervisor.ts';
import { createProbations } from './probation.ts';

/** What the plugins themselves need of it. */
export interface Installations extends Installs {
  /** Takes back what was interrupted, and says where packages are. */
  readonly recover: () => Promise<PluginSource>;
  /** Goes on with the probations of an earlier run of the server. */
  readonly resume: () => Promise<void>;
  readonly onLifeEvent: (plugin: InstalledPlugin, event: LifeEvent | 'discovered') => void;
  /** Throws `conflict` while something is under way with the plugin. */
  readonly assertFree: (id: string) => void;
  /** Lets what is under way come to its end, and begins nothing new. */
  readonly close: () => Promise<void>;
}

const longestStartMs = 60_000;

/** Creates it; nothing is read before `recover`. */
export function createInstalls(parts: InstallsParts): Installations {
  const { database, folders, registry, clock } = parts;
  const { setRevocationRule, verdict } = createRevocationRule();
  const swaps = createPackageSwaps({ ...parts, verdict });
  const packages = createPackageList(database);
  const probations = createProbations(clock);
  const queue = createInstallQueue({ ...parts, packages });
  const shared: SharedParts = { ...parts, swaps, packages, probations, queue, verdict };
  const { takeBack, rollBack } = createRollback(shared);
  const watch = createInstallWatch(shared, takeBack);
  const { judge, settle } = createRevocationCheck(shared);

  /** Another server may be starting it just now. */
  const mayBeElsewhere = (phaseAt: number): boolean =>
    parts.isShared === true && clock.now() - phaseAt < longestStartMs;

  async function recover(): Promise<PluginSource> {
    await packages.refresh();
    for (const { pluginId, phase, phaseAt, sha256 } of packages.all()) {
      if (phase === 'starting' && !mayBeElsewhere(phaseAt))
        await swaps.takeBack(pluginId, sha256, 'The server ended before this version ran.');
    }
    await packages.refresh();
    const names = packages.all().map(({ sha256 }) => sha256);
    return { folder: folders.root, type: 'marketplace', names };
  }

  return {
    records: packages.all,
    find: packages.find,
    asksMore: (id, permissions) => {
      const grant = registry.find(id)?.settings.grant;
      return grant ? excess(permissions, grant.asked) : [];
    },
    place: createPlacePackage({ ...shared, watch, takeBack }),
    rollBack,
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
      probations.close();
      await queue.ended();
    },
  };
}
