import type { Dispatcher } from '../dispatch.ts';
import type { EventBus } from '../events/index.ts';
import type { HookChains } from '../hooks/index.ts';
import type { Log } from '../log.ts';
import type { ReachPolicy } from '../reach.ts';
import type { Sandboxes } from '../sandbox/index.ts';
import type { Database } from '../storage/index.ts';
import type { ViewAggregator } from '../views/index.ts';
import type { Permissions } from '../../plugin-api/index.ts';
import type { Clock } from './clock.ts';
import type { OnLostProvider } from './lifecycle/lost-provider.ts';
import type { PluginSource } from './installation/discovery.ts';
import type { PackageChange } from './installation/install.ts';
import type { PackageDisk } from './installation/package-folders.ts';
import type { Alongside } from './plugin-store.ts';
import type { OftenFailing } from './lifecycle/failure-log.ts';
import type { SecretSeal } from './plugin-secrets.ts';
import type { HasSecretScope } from './secrets/index.ts';
import type { Services } from './permissions/services.ts';
import type { PowerUse } from './usage/power-log.ts';

/** A use of a power that was refused. */
export interface RefusedUse {
  readonly pluginId: string;
  readonly use: PowerUse;
  readonly code: string;
  readonly message: string;
}

/** A plugin that fails often. */
export interface FailingPlugin extends OftenFailing {
  readonly pluginId: string;
  readonly name: string;
}

/** Powers that a plugin had before consent covered them, and keeps. */
export interface KeptPowers {
  readonly pluginId: string;
  readonly powers: Permissions;
}

/** The parts of the plugins. */
export interface PluginsParts {
  readonly sandboxes: Pick<Sandboxes, 'start'>;
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'unknownHandlers'>;
  readonly events: Pick<EventBus, 'emit' | 'subscribePlugin' | 'counters'>;
  readonly hooks: Pick<HookChains, 'subscribe'>;
  readonly views: Pick<ViewAggregator, 'subscribe'>;
  /** With the tables of `pluginMigrations`. */
  readonly database: Database;
  /** `config` and `events` are provided by the plugins themselves. */
  readonly services: Services;
  /** Encrypts the secrets of configuration forms, and those that plugins use without reading them. */
  readonly secretSeal: SecretSeal;
  /** Whether a library or user exists; none exists when absent. */
  readonly hasSecretScope?: HasSecretScope;
  /** Decides what a limited grant reaches; absent where grants cannot be limited. */
  readonly judge?: ReachPolicy;
  /** Built-ins first: of two plugins with one id, the first found is taken. */
  readonly sources: readonly PluginSource[];
  /** The cache of packed scripts. Write access to it decides what plugins do. */
  readonly cacheFolder: string;
  /** The code of marketplace plugins, a folder for each package. */
  readonly packagesFolder: string;
  readonly packageDisk?: PackageDisk;
  /** Written in the transaction of a package change that the server makes by itself. */
  readonly onPackageChange?: (change: PackageChange) => Alongside;
  /** Written in the transaction that upgrades a grant made before these powers existed. */
  readonly onKeptPowers?: (kept: KeptPowers) => Alongside;
  /** Called when a provider stops serving a key. */
  readonly onLostProvider?: OnLostProvider;
  /** Called for each refused use of a power. */
  readonly onRefusal?: (refusal: RefusedUse) => void;
  /** Called when a plugin fails often. */
  readonly onOftenFailing?: (failing: FailingPlugin) => void;
  /** Bytes that a plugin stores in the database; not measured when absent. */
  readonly keptBytes?: {
    readonly kv: (pluginId: string) => Promise<number>;
    readonly textIndex: (pluginId: string) => Promise<number>;
  };
  /** Called when a plugin's text index was replaced. */
  readonly forgetIndex: (pluginId: string) => void;
  /** Other servers use the database too. */
  readonly isShared?: boolean;
  readonly serverVersion: string;
  readonly newId: () => string;
  readonly log: Log;
  readonly clock?: Clock;
}
