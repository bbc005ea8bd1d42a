/**
 * Delivers events to plugins: on the leader only, in the order of their numbers. The position is
 * stored in the database, so the next leader continues there. After a kill, the last events may be
 * delivered again, and events that waited in memory are lost, as with a single server.
 */
import type { Log } from '../../../kernel/index.ts';
import type { SerialisedEvent } from '../../../kernel/call/events/index.ts';
import type { AskLine } from '../../../kernel/store/index.ts';
import { eventsAfter, noteDelivered, readState } from './shared-store.ts';

/** Delivers events to plugins. */
export type EventDelivery = ReturnType<typeof createEventDelivery>;

export interface EventDeliveryParts {
  readonly ask: AskLine;
  readonly isLeader: () => boolean;
  /** The term of this server; `null` = it is not the leader. */
  readonly term: () => number | null;
  readonly deliver: (event: SerialisedEvent) => void;
  /** Waits for plugins that are behind. */
  readonly room: (timeoutMs: number) => Promise<void>;
  readonly log: Log;
}

const portion = 200;
const roomTimeoutMs = 5000;

/** Creates it; it delivers nothing before `wake`. */
export function createEventDelivery(parts: EventDeliveryParts) {
  const { ask, isLeader, term, deliver, room, log } = parts;
  let at: number | null = null;
  let running: Promise<void> | null = null;
  let isWanted = false;

  async function run(): Promise<void> {
    while (isWanted && isLeader()) {
      isWanted = false;
      at ??= (await readState(ask)).delivered_event;
      const events = await eventsAfter(ask, at, portion);
      const last = events.at(-1);
      if (last === undefined) return;
      await room(roomTimeoutMs);
      const now = term();
      if (now === null || !isLeader()) return;
      for (const event of events) deliver(event);
      at = last.no;
      if (!(await noteDelivered(ask, at, now))) return;
      isWanted = true;
    }
  }

  /** There may be events to deliver. */
  function wake(): void {
    isWanted = true;
    running ??= run()
      .catch((error: unknown) => log.debug({ err: error }, 'Events wait for PostgreSQL.'))
      .finally(() => {
        running = null;
      });
  }

  return {
    wake,
    /** Resolves when all stored events are delivered, or this server is not the leader. */
    idle: async (): Promise<void> => {
      wake();
      await running;
    },
    /** Continues from the position in the database. */
    reset: (): void => {
      at = null;
    },
  };
}
