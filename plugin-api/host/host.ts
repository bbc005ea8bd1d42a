import type { ConfigService } from './config.ts';
import type { DiskService } from './disk.ts';
import type { EventLogService } from './event-log.ts';
import type { EventsService } from './events.ts';
import type { FsService } from './fs.ts';
import type { JobsService } from './jobs.ts';
import type { KvService } from './kv.ts';
import type { LibraryService } from './library.ts';
import type { NetService } from './net.ts';
import type { NotificationsService } from './notifications.ts';
import type { ScheduleService } from './schedule.ts';
import type { SecretsService } from './secrets.ts';
import type { TextIndexService } from './text-index.ts';

/**
 * The only way out of an isolate. Every method takes one object and gives a promise; it rejects with
 * a {@link HostError} and nothing else. Calls are checked against the granted permissions, validated,
 * counted, and limited to 64 in flight. An answer that arrives when no call into the plugin is
 * running any more is dropped: nothing runs between calls.
 *
 * A host belongs to the call that it was given to: it acts with the rights of that call, whoever keeps
 * it, and when the call has ended it rejects with `no_call`. Work that has to outlive its call is a job.
 */
export interface Host {
  readonly config: ConfigService;
  readonly disk: DiskService;
  readonly eventLog: EventLogService;
  readonly events: EventsService;
  readonly fs: FsService;
  readonly jobs: JobsService;
  readonly kv: KvService;
  readonly library: LibraryService;
  readonly net: NetService;
  readonly notifications: NotificationsService;
  readonly schedule: ScheduleService;
  readonly secrets: SecretsService;
  readonly textIndex: TextIndexService;
  /** For whom the call runs; `null` when no person caused it. */
  readonly viewer: Viewer | null;
}

/**
 * The person for whom a call into the plugin runs, as far as a plugin may know them: a view, an action
 * and a search have one, an event, a hook, a job and a schedule have none. No input sets it, and while
 * such a call runs, what its `host` is asked for is held to what the plugin was granted **and** to what
 * this person may see; a plugin that needs all of its grant does the work in a job.
 */
export interface Viewer {
  /** What they may do on the server. */
  readonly role: 'admin' | 'user' | 'guest';
  /**
   * Stands for the profile: the same in every call into this plugin, another one in any other plugin.
   * Letters, digits, `_` and `-`, so it is good as a part of a key in `host.kv`.
   */
  readonly profile: string;
  /** The language that the client asks for first (BCP 47, `de-AT`); `null` when it names none. */
  readonly locale: string | null;
}

/** What a refused or failed host call rejects with. */
export interface HostError extends Error {
  /** `permission_denied`, `invalid_argument`, `not_found`, `quota_exceeded`, … */
  readonly code: string;
}
