import type { ConfigInput } from './config-input.ts';
import type { HookName } from './hooks.ts';
import type { IndexStage } from './indexing.ts';
import type { Permissions } from './permissions.ts';
import type { ViewName } from './views.ts';

/** What a plugin can provide. The kernel finds providers by these words, never by a plugin's id. */
export type Capability =
  | 'filesystem'
  | 'library'
  | 'probe'
  | 'indexer'
  | 'search'
  | 'license'
  | 'notifier'
  | 'transcode'
  | 'webhooks';

/**
 * A part of the server that a plugin can answer for: a capability as a whole, or one part of it, such as
 * `filesystem:s3`, `library:movies`, `probe:mkv` or `job:scan`.
 */
export type ServedKey = Capability | `${Capability | 'job'}:${string}`;

/** One field of a plugin's configuration form. */
export interface ConfigField {
  readonly key: string;
  readonly label: string;
  readonly input: ConfigInput;
  readonly required?: boolean;
  readonly default?: unknown;
  /** For `select` and `multi-select`: the values to choose from. */
  readonly options?: readonly unknown[];
  /** For `number` and `slider`. */
  readonly min?: number;
  readonly max?: number;
  readonly description?: string;
  /**
   * What the host makes of the value by itself. `private-hosts`, for a `string-list` without a default:
   * the plugin may reach these hosts (`HOST[:PORT]`) on the server's own network and without
   * encryption, as if the operator had named them with `--net-allow` for this plugin alone.
   */
  readonly grants?: 'private-hosts';
}

/** One hook that the plugin takes part in. */
export interface HookSubscription {
  readonly name: HookName;
  /** 0 to 100, ascending; 50 when absent. Equal orders keep the order of plugin ids. */
  readonly order?: number;
  /** The chain's files must be on the local disk, as `localPath` of each media file. */
  readonly requiresLocalFile?: boolean;
}

/** What the plugin listens to. A name declared here without a handler answers `unknown handler`. */
export interface Subscriptions {
  /** Event names; `*` stands for exactly one segment. */
  readonly events?: readonly string[];
  readonly hooks?: readonly HookSubscription[];
  readonly views?: readonly ViewName[];
}

/** How a capability works. */
export interface CapabilityConfig {
  readonly library?: {
    /**
     * What scans take as media in libraries of a type, without `library.describe`: files with one of
     * these extensions, and files whose path below the root fits one of these rules.
     */
    readonly paths: readonly {
      /** The type of the libraries, such as `movies`, or one of the plugin's own. */
      readonly type: string;
      /** Globs on the path below the root, such as `Comics/**\/*.pdf`; `*` stays in a folder. */
      readonly rules: readonly string[];
      /** Extensions without dot. */
      readonly extensions: readonly string[];
    }[];
  };
  readonly filesystem?: {
    readonly supportsWatch: boolean;
    readonly supportsLocalFileAccess: boolean;
    readonly supportsWrite: boolean;
    /** URI schemes that this plugin serves, without the colon: `["file"]`. */
    readonly schemes?: readonly string[];
  };
  readonly probe?: {
    /** Extensions of the files that this plugin reads, lower case, without dot. */
    readonly extensions: readonly string[];
  };
  readonly jobs?: {
    /**
     * Job types that the plugin runs: its own, `<pluginId>.<name>`, or one of the server such as `scan`,
     * for which an admin may choose it as the provider.
     */
    readonly runs: readonly string[];
  };
  readonly indexer?: {
    /** When the indexer is asked; `["name"]` when absent. */
    readonly stages: readonly IndexStage[];
  };
}

/** An action, and who may call it. */
export interface ActionDeclaration {
  readonly name: string;
  /** `admin`: admins of the whole server. `user`: everybody who signs in, with what they may see. */
  readonly access: 'admin' | 'user';
}

/** `manifest.json`: who the plugin is, what it provides, and what it asks for. */
export interface Manifest {
  /** Where an editor finds the schema of this file; a server does not look at it. */
  readonly $schema?: string;
  readonly manifestVersion: 1;
  /** `^(@[a-z0-9-]+/)?[a-z0-9][a-z0-9-]*$` */
  readonly id: string;
  readonly name: string;
  /** Strict semver. */
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly license: string;
  readonly repository?: string;
  readonly homepage?: string;
  /** The bundled ES module, relative to the manifest. */
  readonly main: string;
  /** Semver range of the servers that the plugin runs on. */
  readonly minVersion: string;
  /**
   * `2026-11-21`: the day whose behaviour of the server the plugin is written for. What changes later
   * happens to the plugin when its author moves the date on, which `vitrine plugin migrate` does; a
   * plugin without it has none of the changes after 2026-11-21.
   */
  readonly compatibilityDate?: string;
  /** Plugins that must be there, by id, with a semver range each. */
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly capabilities: readonly Capability[];
  readonly mediaTypes: readonly string[];
  readonly permissions: Permissions;
  readonly resources?: {
    /** Memory of the isolate in MiB: 64 when absent, 512 at most. */
    readonly memoryMb?: number;
    /**
     * CPU milliseconds per second that the plugin may use in the long run, all its isolates together: 500
     * when absent. Ten seconds' worth can be saved up; who has used it up waits.
     */
    readonly cpuMsPerSecond?: number;
    /**
     * Isolates of the plugin that work side by side, 1 to 4; 1 when absent. A call goes to the one
     * with the least to do, so nothing may be kept in a variable from one call to the next.
     */
    readonly instances?: number;
    /**
     * `on-demand`: the isolates are made at the first call and end when nobody has called for five
     * minutes, for a plugin that is large and seldom needed. An event is a call. `at-once` when absent.
     */
    readonly starts?: 'at-once' | 'on-demand';
    /**
     * How many lanes of requests the plugin has (`lane` of `host.net.fetch`), 1 to 64; 1 when absent.
     * As many requests may be under way, 8 at least.
     */
    readonly netLanes?: number;
    /**
     * Requests that may start in a second, by pattern of hosts as in `permissions.net`; the pattern
     * that names a host most closely counts, and 5 when none does. `0.5` is one in two seconds.
     */
    readonly netRequestsPerSecond?: Readonly<Record<string, number>>;
  };
  readonly configuration?: readonly ConfigField[];
  readonly capabilityConfig?: CapabilityConfig;
  readonly subscriptions?: Subscriptions;
  /** Methods that a button, a form or a client may call. A name alone is for admins. */
  readonly actions?: readonly (string | ActionDeclaration)[];
}
