/** One thing that a plugin waits for. */
export interface Wake {
  /** 1 to 100 characters of the plugin's own choice. */
  readonly name: string;
  /** When it is due, in Unix milliseconds. */
  readonly at: number;
  /** From one time to the next, in milliseconds; `null` = it comes once. */
  readonly everyMs: number | null;
}

/**
 * `host.schedule`: to be called at a time, with the method `schedule.wake`. Nothing of a plugin runs
 * between calls, so a timer ends with the call that set it; this one survives restarts. A call comes
 * at its time or soon after, at least once: what was due while the plugin or the server did not run
 * comes once when it runs again, and a call that fails is repeated, later each time. Calls of one name
 * never overlap. Permission: `schedule`. 100 names at most; one more is `quota_exceeded`.
 */
export interface ScheduleService {
  /** Sets a time, or another one for the name. A second from now at the earliest, 400 days at most. */
  readonly set: (input: {
    readonly name: string;
    readonly at: number;
    /** At least 60 000; absent or `null` = once. */
    readonly everyMs?: number | null;
  }) => Promise<null>;
  readonly clear: (input: { readonly name: string }) => Promise<null>;
  /** What is set, the next first. */
  readonly list: (input: object) => Promise<{ readonly wakes: readonly Wake[] }>;
}

/** Input of `schedule.wake`. What it gives back is not looked at; when it throws, it is called again. */
export interface WakeInput {
  readonly name: string;
}
