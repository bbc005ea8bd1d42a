/** What the parts of the installs share: what they are made of, and what they know together. */
import type { Log } from '../log.ts';
import type { ReachPolicy } from '../reach.ts';
import type { Database } from '../storage/index.ts';
import type { Clock } from './clock.ts';
import type { PackageChange, Verdict } from './install.ts';
import type { InstallQueue } from './install-queue.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import type { ManifestReader } from './manifest.ts';
import type { PackageFolders } from './package-folders.ts';
import type { PackageList } from './package-list.ts';
import type { PackageSwaps } from './package-swaps.ts';
import type { Alongside } from './plugin-store.ts';
import type { PluginRegistry } from './registry.ts';
import type { StartOrder } from './start-order.ts';
import type { Probations } from './probation.ts';

/** What the installs are made of. */
export interface InstallsParts {
  readonly database: Database;
  readonly folders: PackageFolders;
  readonly registry: PluginRegistry;
  readonly order: Pick<StartOrder, 'startIfReady' | 'obstacle'>;
  readonly reader: ManifestReader;
  readonly judge: ReachPolicy;
  readonly serverVersion: string;
  /** Other servers work on the database as well. */
  readonly isShared?: boolean;
  /** The text index of a plugin is another one from now on. */
  readonly forgetIndex: (pluginId: string) => void;
  /** What is written in the transaction of what the server does by itself. */
  readonly witness: (change: PackageChange) => Alongside;
  readonly tell: (plugin: InstalledPlugin, event: 'discovered') => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The same with what they know together: one of each, for all of them. */
export interface SharedParts extends InstallsParts {
  readonly swaps: PackageSwaps;
  readonly packages: PackageList;
  readonly probations: Probations;
  readonly queue: InstallQueue;
  readonly verdict: Verdict;
}
