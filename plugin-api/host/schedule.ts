import type { MethodRecords } from '../server/method-record.ts';

/** One scheduled call. */
export interface Wake {
  /** 1 to 100 characters, chosen by the plugin. */
  readonly name: string;
  /** When it is due, in Unix milliseconds. */
  readonly at: number;
  /** The interval in milliseconds; `null` = once. */
  readonly everyMs: number | null;
}

/**
 * `host.schedule`: schedules calls of the method `schedule.wake`. Nothing of a plugin runs between
 * calls, so a timer ends with its call; a schedule survives restarts. A call comes at its time or
 * soon after, at least once. What was due while the plugin or the server did not run comes once when
 * it runs again, and a failed call is repeated with growing delays. Calls of one name never overlap.
 * Permission: `schedule`. 100 names at most; one more is `quota_exceeded`.
 */
export interface ScheduleService {
  /** Sets or replaces the time of a name: at least a second from now, 400 days at most. */
  readonly set: (input: {
    readonly name: string;
    readonly at: number;
    /** At least 60 000; absent or `null` = once. */
    readonly everyMs?: number | null;
  }) => Promise<null>;
  readonly clear: (input: { readonly name: string }) => Promise<null>;
  /** All schedules, the next first. */
  readonly list: (input: object) => Promise<{ readonly wakes: readonly Wake[] }>;
}

/** Input of `schedule.wake`. The result is ignored; after a throw it is called again. */
export interface WakeInput {
  readonly name: string;
}

const own = { permission: { name: 'schedule' }, scope: 'none', viewer: 'none' } as const;
const name = { type: 'string', minLength: 1, maxLength: 100 } as const;

/** What the server knows of each method. @internal */
export const scheduleMethods = {
  set: {
    ...own,
    needs: { name, at: { type: 'integer', minimum: 0 } },
    takes: { everyMs: { type: ['integer', 'null'], minimum: 60_000, maximum: 400 * 86_400_000 } },
    done: { english: 'set a time to run', german: 'eine Zeit zum Laufen festgelegt' },
  },
  clear: {
    ...own,
    needs: { name },
    done: { english: 'gave up a time to run', german: 'eine Zeit zum Laufen aufgegeben' },
  },
  list: {
    ...own,
    done: { english: 'looked at its times to run', german: 'seine Zeiten zum Laufen angesehen' },
  },
} as const satisfies MethodRecords<ScheduleService>;
