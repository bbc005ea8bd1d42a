/**
 * The events of all servers, in one order. An emitted event is stored with the next number and
 * announced. Every server reads events from the database, its own too, so numbers mean the same
 * everywhere and a client can continue at another server. While PostgreSQL is unavailable, events
 * wait in a bounded queue.
 */
import type { Log } from '../../../kernel/index.ts';
import { parsePattern, type SerialisedEvent } from '../../../kernel/call/events/index.ts';
import type { AskLine } from '../../../kernel/store/index.ts';
import type { EventEnvelope } from '../../../plugin-api/index.ts';
import type { Undo } from '../clock.ts';
import { appendEvents, eventsAfter, type SharedEvent } from './shared-store.ts';

/** Receives the events of all servers. */
export type SharedListener = (envelope: EventEnvelope, json: string, number: number) => void;

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

/** The events of all servers. */
export class SharedEvents {
  readonly #parts: SharedEventsParts;
  readonly #entries = new Set<Entry>();
  readonly #waiters = new Set<() => void>();
  #waiting: SerialisedEvent[] = [];
  #isStoring = false;
  #newest: number | null = null;
  #reading: Promise<void> | null = null;
  #isWanted = false;

  constructor(parts: SharedEventsParts) {
    this.#parts = parts;
  }

  /** Stores it soon, and never throws. */
  readonly put = (event: SerialisedEvent): void => {
    if (this.#waiting.length >= mostWaiting) {
      this.#waiting.splice(0, manyWaiting);
      this.#parts.log.error(
        { lost: manyWaiting },
        'PostgreSQL is unavailable for too long: the oldest events are lost.',
      );
    }
    this.#waiting.push(event);
    if (!this.#isStoring) this.#storeSoon(0);
  };

  #storeSoon(delayMs: number): void {
    this.#isStoring = true;
    const begin = (): void => void this.#store();
    if (delayMs === 0) setImmediate(begin);
    else setTimeout(begin, delayMs).unref();
  }

  async #store(): Promise<void> {
    const letters = this.#waiting.slice(0, page);
    try {
      await appendEvents(this.#parts.ask, letters);
      this.#waiting = this.#waiting.slice(letters.length);
      for (const look of this.#waiters) look();
      if (this.#waiting.length > 0) this.#storeSoon(0);
      else this.#isStoring = false;
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'Events could not be stored yet; they wait.');
      this.#storeSoon(afterFailureMs);
    }
  }

  #until(holds: () => boolean, timeoutMs: number): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        resolve();
      };
      const look = (): void => {
        if (holds()) end();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#waiters.add(look);
    });
  }

  async #readAll(): Promise<void> {
    do {
      this.#isWanted = false;
      if (this.#newest === null) return;
      const events = await eventsAfter(this.#parts.ask, this.#newest, page);
      for (const event of events) {
        this.#newest = event.no;
        this.#tellAll(event, () => true);
      }
      if (events.length === page) this.#isWanted = true;
    } while (this.#isWanted);
  }

  #tellAll(event: SharedEvent, isMeant: (entry: Entry) => boolean): void {
    for (const entry of this.#entries)
      if (isMeant(entry) && entry.matches(event.type)) this.#tell(entry.listener, event);
  }

  #add(pattern: string, listener: SharedListener, hearsPast: boolean): Undo {
    const parsed = parsePattern(pattern);
    if (!parsed.ok) throw new Error(parsed.reason);
    const entry = { matches: parsed.pattern.matches, listener, hearsPast };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  #tell(listener: SharedListener, { no, type, json }: SharedEvent): void {
    try {
      listener(JSON.parse(json) as EventEnvelope, json, no);
    } catch (error) {
      this.#parts.log.error({ err: error, type }, `A listener failed on the event ${type}.`);
    }
  }

  /** Reads the announced events; resolves when listeners have received them. */
  readonly read = (): Promise<void> => {
    this.#isWanted = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  };

  /** Resolves when all pending events are stored, or after the timeout. */
  readonly flushed = (timeoutMs: number): Promise<void> =>
    this.#until(() => this.#waiting.length === 0, timeoutMs);

  /** Back-pressure for bulk emitters. */
  readonly room = (timeoutMs: number): Promise<void> =>
    this.#until(() => this.#waiting.length < manyWaiting, timeoutMs);

  readonly listen = (pattern: string, listener: SharedListener): Undo =>
    this.#add(pattern, listener, false);

  /** Like `listen`, with the last events before the start. */
  readonly listenFromPast = (pattern: string, listener: SharedListener): Undo =>
    this.#add(pattern, listener, true);

  /** Delivers past events, and then the events after that number. */
  readonly begin = async (last: number): Promise<void> => {
    for (let from = Math.max(0, last - retainedEvents); from < last;) {
      const events = await eventsAfter(this.#parts.ask, from, page);
      const before = events.filter(({ no }) => no <= last);
      for (const event of before) this.#tellAll(event, ({ hearsPast }) => hearsPast);
      from = before.length < page ? last : (before.at(-1)?.no ?? last);
    }
    this.#newest = last;
    await this.read();
  };
}

/** Creates them; nothing is delivered before `begin`. */
export const createSharedEvents = (parts: SharedEventsParts): SharedEvents =>
  new SharedEvents(parts);
