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
}

/** What a refused or failed host call rejects with. */
export interface HostError extends Error {
  /** `permission_denied`, `invalid_argument`, `not_found`, `quota_exceeded`, … */
  readonly code: string;
}
