import type { MethodRecords } from '../server/method-record.ts';

/** `host.events`: emits events. Permission: `events: emit`. */
export interface EventsService {
  /**
   * Emits `plugin.<slug>.<name>`, where the slug is the plugin's id with everything but `a-z0-9`
   * left out. Any other name is refused with `invalid_argument`.
   */
  readonly emit: (input: {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }) => Promise<null>;
}

/** Limits of an event, in characters of JSON. @internal */
export const eventLimits = { dataLength: 65_536 } as const;

/** What the server knows of each method. @internal */
export const eventsMethods = {
  emit: {
    permission: { name: 'events' },
    scope: 'none',
    viewer: 'none',
    needs: { type: { type: 'string' }, data: { type: 'object' } },
    maxLength: eventLimits.dataLength + 1024,
    done: { english: 'sent an event', german: 'ein Ereignis gesendet' },
  },
} as const satisfies MethodRecords<EventsService>;
