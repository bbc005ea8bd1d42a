import type { HookName } from './hooks.ts';

/**
 * Events that an admin grants together: `library` for changes of libraries, `playback` for who plays
 * what, `pipeline` for the import of items, `jobs` for background work, `users` for accounts and
 * sign-ins, `plugins` for the lifecycle of plugins and the events that they emit, `server` for
 * notifications and the scheduler.
 */
export type EventGroup =
  | 'library'
  | 'playback'
  | 'pipeline'
  | 'jobs'
  | 'users'
  | 'plugins'
  | 'server';

/**
 * What a plugin may ask for. A power that the manifest does not name, or that the admin has not
 * granted, answers every call with `permission_denied`.
 */
export interface Permissions {
  /**
   * Hosts that `host.net.fetch` may reach: `api.example.org`, `*.example.org` for every host below
   * it, `*` for any. `:8443` limits it to that port. Addresses of the server's own network stay out
   * of reach under any grant, unless its operator allows the host (`--net-allow`).
   */
  readonly net?: readonly string[];
  /** Files of the libraries that the admin chose, from any filesystem plugin. */
  readonly files?: 'read';
  /** Raw local files under the granted roots. For filesystem plugins only. */
  readonly disk?: 'read';
  /** Items, files and entities of the libraries that the admin chose. `write` includes `read`. */
  readonly library?: 'read' | 'write';
  /**
   * What people watched, marked and put in lists: of the person of a call, and of profiles that agreed.
   * `write` includes `read`.
   */
  readonly viewing?: 'read' | 'write';
  /** To return metadata that is merged into items (indexers, probes). */
  readonly metadata?: 'write';
  /** A key-value store of the plugin's own, in MB (1 MB = 1 000 000 bytes). */
  readonly kv?: { readonly quotaMb: number };
  /** A full-text index of the plugin's own. */
  readonly textIndex?: true;
  /** To emit events named `plugin.<slug>.<name>`. */
  readonly events?: 'emit';
  /** Every event that an admin may receive, stored until the plugin releases it. */
  readonly eventLog?: true;
  /** To send notifications to the admins. */
  readonly notifications?: true;
  /**
   * Job types of others that the plugin may enqueue, such as `scan`. Its own types,
   * `<pluginId>.<name>`, may be listed too: the plugin runs those.
   */
  readonly jobs?: readonly string[];
  /**
   * Methods that other plugins export and this one may call, as `<pluginId>:<method>`:
   * `film-facts:rating`.
   */
  readonly calls?: readonly string[];
  /** To be called at intervals. */
  readonly schedule?: true;
  /** Secrets that the host stores and inserts into requests. */
  readonly secrets?: true;
  /** WebAssembly inside the isolate, which then has a process of its own and a higher memory cap. */
  readonly wasm?: true;
  /**
   * What the plugin serves: `search`, `filesystem:s3`, `probe:mkv`, `library:movies`,
   * `job:steward.duplicates`. The server derives it from the capabilities; a manifest must not set
   * it.
   */
  readonly serves?: readonly string[];
  /**
   * Groups of events that the plugin receives. The server derives it from the subscriptions; a
   * manifest must not set it.
   */
  readonly hears?: readonly EventGroup[];
  /**
   * Hooks that the plugin takes part in. The server derives it from the subscriptions; a manifest
   * must not set it.
   */
  readonly hooks?: readonly HookName[];
  /** Why each power is needed, in a sentence that the admin reads before granting it. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** The name of one power. */
export type PermissionName = Exclude<keyof Permissions, 'reasons'>;
