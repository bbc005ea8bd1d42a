/** What the parts of the installs share. */
import type { Log } from '../../log.ts';
import type { ReachPolicy } from '../../call/reach.ts';
import type { Database } from '../../store/index.ts';
import type { Clock } from '../plugin/clock.ts';
import type { PackageChange, Verdict } from './install.ts';
import type { InstallQueue } from './install-queue.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { ManifestReader } from '../manifest/manifest.ts';
import type { PackageFolders } from './package-folders.ts';
import type { PackageList } from './package-list.ts';
import type { PackageBytes } from '../packages/package-bytes.ts';
import type { PackageSwaps } from './package-swaps.ts';
import type { Alongside } from '../settings/plugin-store.ts';
import type { InstalledPlugins } from '../registry/installed-plugins.ts';
import type { StartOrder } from '../lifecycle/start-order.ts';
import type { Probations } from './probation.ts';

export interface InstallsParts {
  readonly database: Database;
  readonly folders: PackageFolders;
  readonly installed: InstalledPlugins;
  readonly order: Pick<StartOrder, 'startIfReady' | 'obstacle'>;
  readonly reader: ManifestReader;
  readonly judge: ReachPolicy;
  readonly serverVersion: string;
  /** Where all servers of the database find packages; `null` = this one is alone. */
  readonly bytes: PackageBytes | null;
  /** Called when a plugin's text index was replaced. */
  readonly forgetIndex: (pluginId: string) => void;
  /** Written in the transaction of a change that the server makes by itself. */
  readonly onPackageChange: (change: PackageChange) => Alongside;
  readonly tell: (plugin: InstalledPlugin, event: 'discovered') => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** With the state that all parts of the installs share. */
export interface SharedParts extends InstallsParts {
  readonly swaps: PackageSwaps;
  readonly packages: PackageList;
  readonly probations: Probations;
  readonly queue: InstallQueue;
  readonly verdict: Verdict;
}
