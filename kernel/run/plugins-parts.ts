import type { ReachPolicy } from '../call/reach.ts';
import type { Database } from '../store/index.ts';
import type { PackageChange } from './installation/install.ts';
import type { PackageDisk } from './installation/package-folders.ts';
import type { PluginSource } from './packages/discovery.ts';
import type { Clock } from './plugin/clock.ts';
import type { OnLostProvider } from './providers/lost-provider.ts';
import type { InstalledPluginParts } from './registry/installed-plugin.ts';
import type { HasSecretScope } from './secrets/index.ts';
import type { Alongside } from './settings/plugin-store.ts';

export interface PluginsParts extends Omit<
  InstalledPluginParts,
  'agreed' | 'clock' | 'judge' | 'packer' | 'onChange' | 'onLife'
> {
  /** With the tables of `pluginMigrations`. */
  readonly database: Database;
  /** Whether a library or user exists; none exists when absent. */
  readonly hasSecretScope?: HasSecretScope;
  /** Why no plugin may reach a host, after its name; `null` = an admin decides. */
  readonly hostFault?: (host: string) => string | null;
  /** The name of a profile inside a plugin; its id when absent. */
  readonly profileIn?: (pluginId: string, profileId: string) => string;
  /** Decides what a limited grant reaches; absent where grants cannot be limited. */
  readonly judge?: ReachPolicy;
  /** Built-ins first: of two plugins with one id, the first found is taken. */
  readonly sources: readonly PluginSource[];
  /** The cache of packed scripts. Write access to it decides what plugins do. */
  readonly cacheFolder: string;
  /** Scripts that were packed with the server, where there are any. Nothing is written there. */
  readonly builtScripts?: string;
  /** The code of marketplace plugins, a folder for each package. */
  readonly packagesFolder: string;
  readonly packageDisk?: PackageDisk;
  /** Written in the transaction of a package change that the server makes by itself. */
  readonly onPackageChange?: (change: PackageChange) => Alongside;
  /** Called when a provider stops serving a key. */
  readonly onLostProvider?: OnLostProvider;
  /** Called when a plugin serves all keys again for which it was chosen, or lost the choice. */
  readonly onSettledProvider?: (pluginId: string) => void;
  /** Called when a plugin's text index was replaced. */
  readonly forgetIndex: (pluginId: string) => void;
  /** Other servers use the database too. */
  readonly isShared?: boolean;
  readonly serverVersion: string;
  readonly clock?: Clock;
}
