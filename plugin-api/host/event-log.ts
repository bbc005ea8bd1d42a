import type { MethodRecords } from '../server/method-record.ts';
import type { EventEnvelope } from '../events.ts';

/** An event that is stored for the plugin. */
export interface LoggedEvent {
  /** A UUID v7, the same each time the event is read. */
  readonly id: string;
  readonly event: EventEnvelope;
}

/**
 * `host.eventLog`: events that must not be missed. A subscription (`subscriptions.events`) is fire
 * and forget. Followed events are stored when they happen and kept until the plugin releases them,
 * also while the plugin or the server does not run. Permission: `eventLog`.
 *
 * When there are events to read, the server calls the method `eventLog.waiting`; it also does so
 * after every start of the plugin. Two such calls may overlap, so a long one does not delay the next.
 *
 * An event is returned again until it is released. So a plugin that stores its result and then
 * releases the event misses none, and recognises repeated ones by their id. Only events that an admin
 * may receive are stored, none of hidden libraries. An event above 128 KiB is left out; beyond 100
 * 000 waiting events the oldest are lost. Both are logged.
 *
 * @example
 * const { events } = await host.eventLog.read({ limit: 100 });
 * await host.kv.batch({ set: events.map(({ id, event }) => ({ key: `todo/${id}`, value: event })) });
 * await host.eventLog.release({ ids: events.map(({ id }) => id) });
 */
export interface EventLogService {
  /**
   * Sets which events are stored from now on: names or patterns as in subscriptions, 1000 at most.
   * With none, nothing is stored, and waiting events are dropped.
   */
  readonly follow: (input: { readonly patterns: readonly string[] }) => Promise<null>;
  /** The oldest stored events, up to `limit` (500 at most, 100 when absent) and about 4 MB. */
  readonly read: (input: { readonly limit?: number }) => Promise<{
    readonly events: readonly LoggedEvent[];
    /** Whether there are more. */
    readonly more: boolean;
  }>;
  /** Releases up to 1000 events; unknown ids are ignored. */
  readonly release: (input: { readonly ids: readonly string[] }) => Promise<null>;
}

/** It reveals the actions of all users. */
const forAdmins = { permission: { name: 'eventLog' }, scope: 'filtered', viewer: 'admin' } as const;

/** What the server knows of each method. @internal */
export const eventLogMethods = {
  follow: {
    ...forAdmins,
    needs: {
      patterns: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 200 } },
    },
    done: {
      english: 'began to follow the events of the server',
      german: 'begonnen, die Ereignisse des Servers zu verfolgen',
    },
  },
  read: {
    ...forAdmins,
    takes: { limit: { type: 'integer', minimum: 1, maximum: 500 } },
    raw: true,
    done: {
      english: 'read the events of the server',
      german: 'die Ereignisse des Servers gelesen',
    },
  },
  release: {
    ...forAdmins,
    scope: 'none',
    needs: { ids: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 100 } } },
    done: {
      english: 'stopped following the events of the server',
      german: 'aufgehört, die Ereignisse des Servers zu verfolgen',
    },
  },
} as const satisfies MethodRecords<EventLogService>;
