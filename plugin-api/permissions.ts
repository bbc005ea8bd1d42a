import type { HookName } from './hooks.ts';

/**
 * Events that an admin grants together: `library` is what is in the libraries, `playback` who plays
 * what, `pipeline` how items are read in, `jobs` background work, `users` accounts and sign-ins,
 * `plugins` the life of plugins and the events that other plugins emit, `server` notifications and
 * the scheduler.
 */
export type EventGroup =
  'library' | 'playback' | 'pipeline' | 'jobs' | 'users' | 'plugins' | 'server';

/**
 * What a plugin may ask for. Nothing asked, nothing given: a power that is not in the manifest, or
 * that the admin has not granted, answers every call with `permission_denied`.
 */
export interface Permissions {
  /**
   * Hosts that `host.net.fetch` may reach: `api.example.org`, `*.example.org` for every host below
   * it, `*` for any. `:8443` after it narrows it to that port. Whatever is granted, addresses of the
   * server's own network stay out of reach unless its operator allows the host (`--net-allow`).
   */
  readonly net?: readonly string[];
  /** Files of the libraries that the admin picked, through whichever filesystem plugin holds them. */
  readonly files?: 'read';
  /** Raw local files under the granted roots. For filesystem plugins only. */
  readonly disk?: 'read';
  /** Items, files and entities, of the libraries that the admin picked. `write` includes `read`. */
  readonly library?: 'read' | 'write';
  /** To return metadata that is merged into items (indexers, probes). */
  readonly metadata?: 'write';
  /** A key-value store of the plugin's own, in MB (1 MB = 1 000 000 bytes). */
  readonly kv?: { readonly quotaMb: number };
  /** A full-text index of the plugin's own. */
  readonly textIndex?: true;
  /** To emit events named `plugin.<slug>.<name>`. */
  readonly events?: 'emit';
  /** Every event that an admin may hear, kept until the plugin has taken it. */
  readonly eventLog?: true;
  /** To tell the admins something. */
  readonly notifications?: true;
  /**
   * Job types of others that the plugin may enqueue, such as `scan`. Its own types, `<pluginId>.<name>`,
   * may stand here as well: it runs those.
   */
  readonly jobs?: readonly string[];
  /** To be called at intervals. */
  readonly schedule?: true;
  /** Secrets that the host keeps and injects. */
  readonly secrets?: true;
  /** WebAssembly inside the isolate, which then has a process of its own and a higher memory cap. */
  readonly wasm?: true;
  /**
   * What the plugin serves: `search`, `filesystem:s3`, `probe:mkv`, `library:movies`,
   * `job:steward.duplicates`. The server derives it from the capabilities; a manifest does not say it.
   */
  readonly serves?: readonly string[];
  /**
   * Groups of events that the plugin hears. The server derives it from the subscriptions; a manifest
   * does not say it.
   */
  readonly hears?: readonly EventGroup[];
  /**
   * Hooks that the plugin takes part in. The server derives it from the subscriptions; a manifest does
   * not say it.
   */
  readonly hooks?: readonly HookName[];
  /** Why each power is wanted, in a sentence that the admin reads before granting it. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** The name of one power. */
export type PermissionName = Exclude<keyof Permissions, 'reasons'>;
