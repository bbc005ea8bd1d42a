import type { ConfigService, ConfigurationValues } from './config.ts';
import type { CryptoService } from './crypto.ts';
import type { DiskService } from './disk.ts';
import type { EventLogService } from './event-log.ts';
import type { EventsService } from './events.ts';
import type { FsService } from './fs.ts';
import type { JobsService } from './jobs.ts';
import type { KvService } from './kv.ts';
import type { LibraryService } from './library.ts';
import type { MediaService } from './media.ts';
import type { NetService } from './net.ts';
import type { NotificationsService } from './notifications.ts';
import type { PluginsService } from './plugins.ts';
import type { ScheduleService } from './schedule.ts';
import type { SecretsService } from './secrets.ts';
import type { TextIndexService } from './text-index.ts';
import type { ViewingService } from './viewing.ts';

/**
 * The only way out of an isolate. Every method takes one object and returns a promise, which rejects
 * only with a {@link HostError}. Calls are checked against the granted permissions, validated,
 * counted, and limited to 64 in progress. An answer is dropped when no call into the plugin runs:
 * nothing runs between calls.
 *
 * A host belongs to its call: it acts with the rights of that call, even when it is stored, and after
 * the call has ended it rejects with `no_call`. Work that must outlive its call belongs in a job.
 *
 * `Host<Configuration>` is the host of a plugin with that configuration.
 */
export interface Host<
  Configuration extends ConfigurationValues = ConfigurationValues,
  ProfileConfiguration extends ConfigurationValues = ConfigurationValues,
> {
  readonly config: ConfigService<Configuration, ProfileConfiguration>;
  readonly crypto: CryptoService;
  readonly disk: DiskService;
  readonly eventLog: EventLogService;
  readonly events: EventsService;
  readonly fs: FsService;
  readonly jobs: JobsService;
  readonly kv: KvService;
  readonly library: LibraryService;
  readonly media: MediaService;
  readonly net: NetService;
  readonly notifications: NotificationsService;
  readonly plugins: PluginsService;
  readonly schedule: ScheduleService;
  readonly secrets: SecretsService;
  readonly textIndex: TextIndexService;
  readonly viewing: ViewingService;
  /**
   * Acts for a profile that agreed, when no person caused the call: with what that person may see, and with
   * their marks. `profile` is the word of `host.viewing.profiles`. Without its consent each call is
   * `permission_denied`.
   */
  readonly as: (profile: string) => Pick<Host, 'media' | 'viewing'>;
  /** The person for whom the call runs; `null` when no person caused it. */
  readonly viewer: Viewer | null;
}

/**
 * The person for whom a call into the plugin runs, as far as a plugin may know them. Views, actions
 * and searches have one; events, hooks, jobs and schedules have none. No input sets it. During such a
 * call its `host` is limited to what the plugin was granted **and** to what this person may see; a
 * plugin that needs all of its grant does the work in a job.
 */
export interface Viewer {
  /** What they may do on the server. */
  readonly role: 'admin' | 'user' | 'guest';
  /**
   * Identifies the profile: the same in every call into this plugin, another value in every other
   * plugin. Letters, digits, `_` and `-`, so it can be part of a key in `host.kv`.
   */
  readonly profile: string;
  /** The preferred language of the client (BCP 47, `de-AT`); `null` when it names none. */
  readonly locale: string | null;
}

/** The error of a refused or failed host call. */
export interface HostError extends Error {
  /** `permission_denied`, `invalid_argument`, `not_found`, `quota_exceeded`, … */
  readonly code: string;
}
