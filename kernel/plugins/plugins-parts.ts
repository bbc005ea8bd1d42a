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
import type { OnLostProvider } from './lost-provider.ts';
import type { PluginSource } from './discovery.ts';
import type { PackageChange } from './install.ts';
import type { PackageDisk } from './package-folders.ts';
import type { Alongside } from './plugin-store.ts';
import type { OftenFailing } from './failure-log.ts';
import type { SecretSeal } from './plugin-secrets.ts';
import type { HasSecretScope } from './secrets/index.ts';
import type { Services } from './services.ts';
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

/** What a plugin could do before anybody was asked about it, and still can. */
export interface KeptPowers {
  readonly pluginId: string;
  readonly powers: Permissions;
}

/** What the plugins are made of. */
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
  /** For the secrets of configuration forms, and those that plugins use and never see. */
  readonly secretSeal: SecretSeal;
  /** Whether there is such a library or user; none is when absent. */
  readonly hasSecretScope?: HasSecretScope;
  /** Knows what plugins may be narrowed to; absent where there is nothing to narrow them to. */
  readonly judge?: ReachPolicy;
  /** Built-ins first: of two plugins with one id, the first found is taken. */
  readonly sources: readonly PluginSource[];
  /** Where packed scripts are kept. Whoever writes there decides what plugins do. */
  readonly cacheFolder: string;
  /** Where the code of marketplace plugins is, a folder for each package. */
  readonly packagesFolder: string;
  readonly packageDisk?: PackageDisk;
  /** What is written in the transaction of what the server does with a package by itself. */
  readonly witness?: (change: PackageChange) => Alongside;
  /** What is written in the transaction in which a grant from before these powers gets its whole form. */
  readonly onKeptPowers?: (kept: KeptPowers) => Alongside;
  /** Hears of a plugin that answered for something, and does not any more. */
  readonly onLostProvider?: OnLostProvider;
  /** Hears of each use of a power that is refused. */
  readonly onRefusal?: (refusal: RefusedUse) => void;
  /** Hears of a plugin that fails often. */
  readonly onOftenFailing?: (failing: FailingPlugin) => void;
  /** Bytes that a plugin keeps in the database; nothing is measured when absent. */
  readonly keptBytes?: {
    readonly kv: (pluginId: string) => Promise<number>;
    readonly textIndex: (pluginId: string) => Promise<number>;
  };
  /** A plugin's text index is another one from now on. */
  readonly forgetIndex: (pluginId: string) => void;
  /** Other servers work on the database as well. */
  readonly isShared?: boolean;
  readonly serverVersion: string;
  readonly newId: () => string;
  readonly log: Log;
  readonly clock?: Clock;
}
