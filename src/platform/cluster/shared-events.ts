/**
 * The events of all servers, in one order. An emitted event is stored with the next number and
 * announced. Every server reads events from the database, its own too, so numbers mean the same
 * everywhere and a client can continue at another server. While PostgreSQL is unavailable, events
 * wait in a bounded queue.
 */
import type { Log } from '../../../kernel/index.ts';
import { parsePattern, type SerialisedEvent } from '../../../kernel/events/index.ts';
import type { AskLine } from '../../../kernel/storage/index.ts';
import type { EventEnvelope } from '../../../plugin-api/index.ts';
import type { Undo } from '../clock.ts';
import { appendEvents, eventsAfter, type SharedEvent } from './shared-store.ts';

/** Receives the events of all servers. */
export type SharedListener = (envelope: EventEnvelope, json: string, number: number) => void;

/** The events of all servers. */
export type SharedEvents = ReturnType<typeof createSharedEvents>;

export interface SharedEventsParts {
  readonly ask: AskLine;
  readonly log: Log;
}

/** The number of events that are kept for clients that reconnect. */
export const retainedEvents = 10_000;

const page = 1000;
const mostWaiting = 20_000;
const manyWaiting = 1000;
const afterFailureMs = 300;

interface Entry {
  readonly matches: (type: string) => boolean;
  readonly hearsPast: boolean;
  readonly listener: SharedListener;
}

/** Creates them; nothing is delivered before `begin`. */
export function createSharedEvents({ ask, log }: SharedEventsParts) {
  const entries = new Set<Entry>();
  const waiters = new Set<() => void>();
  let waiting: SerialisedEvent[] = [];
  let isStoring = false;
  let newest: number | null = null;
  let reading: Promise<void> | null = null;
  let isWanted = false;

  /** Stores it soon, and never throws. */
  function put(event: SerialisedEvent): void {
    if (waiting.length >= mostWaiting) {
      waiting.splice(0, manyWaiting);
      log.error(
        { lost: manyWaiting },
        'PostgreSQL is unavailable for too long: the oldest events are lost.',
      );
    }
    waiting.push(event);
    if (!isStoring) storeSoon(0);
  }

  function storeSoon(delayMs: number): void {
    isStoring = true;
    const begin = (): void => void store();
    if (delayMs === 0) setImmediate(begin);
    else setTimeout(begin, delayMs).unref();
  }

  async function store(): Promise<void> {
    const letters = waiting.slice(0, page);
    try {
      await appendEvents(ask, letters);
      waiting = waiting.slice(letters.length);
      for (const look of waiters) look();
      if (waiting.length > 0) storeSoon(0);
      else isStoring = false;
    } catch (error) {
      log.debug({ err: error }, 'Events could not be stored yet; they wait.');
      storeSoon(afterFailureMs);
    }
  }

  function until(holds: () => boolean, timeoutMs: number): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        waiters.delete(look);
        resolve();
      };
      const look = (): void => {
        if (holds()) end();
      };
      const timer = setTimeout(end, timeoutMs);
      waiters.add(look);
    });
  }

  async function readAll(): Promise<void> {
    do {
      isWanted = false;
      if (newest === null) return;
      const events = await eventsAfter(ask, newest, page);
      for (const event of events) {
        newest = event.no;
        tellAll(event, () => true);
      }
      if (events.length === page) isWanted = true;
    } while (isWanted);
  }

  function tellAll(event: SharedEvent, isMeant: (entry: Entry) => boolean): void {
    for (const entry of entries)
      if (isMeant(entry) && entry.matches(event.type)) tell(entry.listener, event);
  }

  function add(pattern: string, listener: SharedListener, hearsPast: boolean): Undo {
    const parsed = parsePattern(pattern);
    if (!parsed.ok) throw new Error(parsed.reason);
    const entry = { matches: parsed.pattern.matches, listener, hearsPast };
    entries.add(entry);
    return () => void entries.delete(entry);
  }

  function tell(listener: SharedListener, { no, type, json }: SharedEvent): void {
    try {
      listener(JSON.parse(json) as EventEnvelope, json, no);
    } catch (error) {
      log.error({ err: error, type }, `A listener failed on the event ${type}.`);
    }
  }

  /** Reads the announced events; resolves when listeners have received them. */
  function read(): Promise<void> {
    isWanted = true;
    reading ??= readAll().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    put,
    /** Resolves when all pending events are stored, or after the timeout. */
    flushed: (timeoutMs: number): Promise<void> => until(() => waiting.length === 0, timeoutMs),
    /** Back-pressure for bulk emitters. */
    room: (timeoutMs: number): Promise<void> =>
      until(() => waiting.length < manyWaiting, timeoutMs),
    listen: (pattern: string, listener: SharedListener): Undo => add(pattern, listener, false),
    /** Like `listen`, with the last events before the start. */
    listenFromPast: (pattern: string, listener: SharedListener): Undo =>
      add(pattern, listener, true),
    read,
    /** Delivers past events, and then the events after that number. */
    begin: async (last: number): Promise<void> => {
      for (let from = Math.max(0, last - retainedEvents); from < last;) {
        const events = await eventsAfter(ask, from, page);
        const before = events.filter(({ no }) => no <= last);
        for (const event of before) tellAll(event, ({ hearsPast }) => hearsPast);
        from = before.length < page ? last : (before.at(-1)?.no ?? last);
      }
      newest = last;
      await read();
    },
  };
}
