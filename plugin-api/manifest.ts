import type { ConfigInput } from './config-input.ts';
import type { HookName } from './hooks.ts';
import type { IndexStage } from './indexing.ts';
import type { Permissions } from './permissions.ts';
import type { ViewName } from './views.ts';

/** What a plugin can provide. The kernel finds providers by capability, never by a plugin's id. */
export type Capability =
  | 'filesystem'
  | 'library'
  | 'probe'
  | 'indexer'
  | 'search'
  | 'license'
  | 'notifier'
  | 'transcode'
  | 'pictures'
  | 'texts'
  | 'webhooks';

/**
 * A part of the server that a plugin can provide: a capability as a whole, or one part of it, such as
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
   * A power that the host derives from the value. `private-hosts`, for a `string-list` without a
   * default: the plugin may reach these hosts (`HOST[:PORT]`) on the server's own network and without
   * encryption, as if the operator had named them with `--net-allow` for this plugin only. `host`, for
   * a `text` with an https address as its default: the plugin may reach the host of the address that
   * an admin enters in its place, if it was granted `net` at all.
   */
  readonly grants?: 'private-hosts' | 'host';
}

/** One hook that the plugin takes part in. */
export interface HookSubscription {
  readonly name: HookName;
  /** 0 to 100, ascending; 50 when absent. Equal orders keep the order of plugin ids. */
  readonly order?: number;
  /** The files of the chain must be on the local disk, as `localPath` of each media file. */
  readonly requiresLocalFile?: boolean;
  /**
   * Once it is granted, the hook also runs over what is in the libraries already. With `false` it sees
   * only what is ingested from then on.
   */
  readonly catchUp?: boolean;
}

/** The plugin's subscriptions. A name without a handler answers `unknown handler`. */
export interface Subscriptions {
  /** Event names; `*` stands for exactly one segment. */
  readonly events?: readonly string[];
  readonly hooks?: readonly HookSubscription[];
  readonly views?: readonly ViewName[];
}

/** The configuration of each capability. */
export interface CapabilityConfig {
  readonly library?: {
    /**
     * What scans treat as media in libraries of a type, without `library.describe`: files with one of
     * these extensions, and files whose path below the root matches one of these rules.
     */
    readonly paths: readonly {
      /** The type of the libraries, such as `movies`, or one of the plugin's own. */
      readonly type: string;
      /** Globs on the path below the root, such as `Comics/**\/*.pdf`; `*` does not match a slash. */
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
     * Job types that the plugin runs: its own, `<pluginId>.<name>`, or one of the server such as
     * `scan`, for which an admin may choose it as the provider.
     */
    readonly runs: readonly string[];
  };
  readonly indexer?: {
    /** When the indexer is called; `["name"]` when absent. */
    readonly stages: readonly IndexStage[];
  };
}

/** An action, and who may call it. */
export interface ActionDeclaration {
  readonly name: string;
  /** `admin`: admins of the whole server. `user`: every signed-in user, limited to what they may see. */
  readonly access: 'admin' | 'user';
}

/**
 * The shape of a value, in a small part of JSON Schema (2020-12): without references, patterns and
 * choices, so that a check is cheap and cannot be made slow by its author. Without
 * `additionalProperties: false` an object may have other keys too.
 */
export interface DataSchema {
  /** One type, or several, such as `["string", "null"]`. */
  readonly type: DataType | readonly DataType[];
  /** What the value means, for messages and for people. */
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: DataSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  /** In characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A type of JSON values. */
export type DataType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** A method that other plugins may call, if an admin allows it. */
export interface ExportedMethod {
  /** A letter, then letters, digits, dots, dashes and underscores. */
  readonly name: string;
  /** What it does, for the authors of other plugins. */
  readonly description: string;
  /** The shape of the input, which is an object. The server refuses another input before the call. */
  readonly input: DataSchema;
  /** The shape of the answer. The server gives no other answer to the caller. */
  readonly output: DataSchema;
}

/** `manifest.json`: the identity of the plugin, what it provides, and what it asks for. */
export interface Manifest {
  /** The schema of this file, for editors; a server ignores it. */
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
   * `2026-11-21`: the day for whose server behaviour the plugin is written. Later changes apply only
   * after its author moves the date, which `vitrine plugin migrate` does. Without it, no change after
   * 2026-11-21 applies.
   */
  readonly compatibilityDate?: string;
  /** Plugins that must be installed, by id, each with a semver range. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /**
   * The version of what the plugin answers about files and items, from 1; 1 when absent. Raise it in a
   * release that answers better about the same file. The server keeps these answers, and has them made
   * again in the background when it meets a higher number than theirs. What people edited stays.
   */
  readonly answersVersion?: number;
  readonly capabilities: readonly Capability[];
  readonly mediaTypes: readonly string[];
  readonly permissions: Permissions;
  readonly resources?: {
    /** Memory of the isolate in MiB: 64 when absent, 512 at most. */
    readonly memoryMb?: number;
    /**
     * Long-term CPU milliseconds per second for all isolates of the plugin together: 500 when absent.
     * Up to ten seconds' worth can be saved; beyond that the plugin waits.
     */
    readonly cpuMsPerSecond?: number;
    /**
     * Parallel isolates of the plugin, 1 to 4; 1 when absent. A call goes to the least busy one, so
     * variables must not carry state from one call to the next.
     */
    readonly instances?: number;
    /**
     * `on-demand`: isolates are created at the first call and end after five minutes without a call,
     * for a large plugin that is seldom needed. An event is a call. `at-once` when absent.
     */
    readonly starts?: 'at-once' | 'on-demand';
    /**
     * The number of request lanes (`lane` of `host.net.fetch`), 1 to 64; 1 when absent. As many
     * requests may run at a time, but at least 8.
     */
    readonly netLanes?: number;
    /**
     * The most requests that start per second, by host pattern as in `permissions.net`; the most
     * specific pattern counts, and 5 is the default. `0.5` is one in two seconds.
     */
    readonly netRequestsPerSecond?: Readonly<Record<string, number>>;
  };
  readonly configuration?: readonly ConfigField[];
  /**
   * The form that each profile fills in on its account page, such as the account of a service. The
   * plugin reads it with `host.config.ofProfile`; a field `secret` is a secret of that profile.
   */
  readonly profileConfiguration?: readonly Omit<ConfigField, 'grants'>[];
  readonly capabilityConfig?: CapabilityConfig;
  readonly subscriptions?: Subscriptions;
  /** Methods that a button, a form or a client may call. A plain name is for admins. */
  readonly actions?: readonly (string | ActionDeclaration)[];
  /** Methods that other plugins may call, if an admin allows it; at most 50. */
  readonly exports?: readonly ExportedMethod[];
}
