/**
 * Takes events to plugins: once for all servers, in the order of their numbers, by the server that keeps
 * the duties. How far that is stands in the database, so whoever keeps them next goes on there. A kill
 * may repeat what was handed over last, and loses what waited in memory, as with a single server.
 */
import type { AskLine, SerialisedEvent, Log } from '../../kernel/index.ts';
import { eventsAfter, noteDelivered, readState } from './shared-store.ts';

/** Brings events to plugins. */
export interface EventDelivery {
  /** There may be something to bring. */
  readonly wake: () => void;
  /** Resolves when everything that is stored was brought, or nobody here is to bring it. */
  readonly idle: () => Promise<void>;
  /** Goes on from what the database says. */
  readonly reset: () => void;
}

/** What it is made of. */
export interface EventDeliveryParts {
  readonly ask: AskLine;
  readonly isKeeper: () => boolean;
  readonly deliver: (event: SerialisedEvent) => void;
  /** Waits for plugins that are behind. */
  readonly room: (timeoutMs: number) => Promise<void>;
  readonly log: Log;
}

const portion = 200;
const roomTimeoutMs = 5000;

/** Creates it; nothing is brought before it is woken. */
export function createEventDelivery(parts: EventDeliveryParts): EventDelivery {
  const { ask, isKeeper, deliver, room, log } = parts;
  let at: number | null = null;
  let running: Promise<void> | null = null;
  let isWanted = false;

  async function run(): Promise<void> {
    while (isWanted && isKeeper()) {
      isWanted = false;
      at ??= (await readState(ask)).delivered_event;
      const events = await eventsAfter(ask, at, portion);
      const last = events.at(-1);
      if (last === undefined) return;
      await room(roomTimeoutMs);
      if (!isKeeper()) return;
      for (const event of events) deliver(event);
      at = last.no;
      await noteDelivered(ask, at);
      isWanted = true;
    }
  }

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
    idle: async () => {
      wake();
      await running;
    },
    reset: () => {
      at = null;
    },
  };
}
