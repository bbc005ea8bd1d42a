import type { EventEnvelope } from '../events.ts';

/** An event that is kept for the plugin. */
export interface LoggedEvent {
  /** A UUID v7, the same however often the event is read. */
  readonly id: string;
  readonly event: EventEnvelope;
}

/**
 * `host.eventLog`: events that must not be missed. A subscription (`subscriptions.events`) is fire and
 * forget; what is followed here is written down when it happens and kept until the plugin lets it go,
 * also while the plugin or the server does not run. Permission: `eventLog`.
 *
 * When something is there to read, the server calls the method `eventLog.waiting`; it also does so
 * whenever the plugin has started. Two such calls may overlap: a long one does not keep the plugin
 * from hearing of more.
 *
 * An event is read again until it is released: who stores what it makes of an event and then releases
 * it misses none, and knows one that it has seen already by its id. Only what an admin may hear is
 * kept, nothing of hidden libraries. An event above 128 KiB is left out; of more than 100 000 that
 * wait the oldest are lost. Both are logged.
 *
 * @example
 * const { events } = await host.eventLog.read({ limit: 100 });
 * await host.kv.batch({ set: events.map(({ id, event }) => ({ key: `todo/${id}`, value: event })) });
 * await host.eventLog.release({ ids: events.map(({ id }) => id) });
 */
export interface EventLogService {
  /**
   * Which events are kept from now on, in place of those before: names or patterns as in
   * subscriptions, 1000 at most. None = nothing is kept, and what was is let go.
   */
  readonly follow: (input: { readonly patterns: readonly string[] }) => Promise<null>;
  /** The oldest that are kept, up to `limit` (500 at most, 100 when absent) and about 4 MB. */
  readonly read: (input: { readonly limit?: number }) => Promise<{
    readonly events: readonly LoggedEvent[];
    /** Whether there are more than these. */
    readonly more: boolean;
  }>;
  /** Lets go of up to 1000 events; an id that is not there is no error. */
  readonly release: (input: { readonly ids: readonly string[] }) => Promise<null>;
}
