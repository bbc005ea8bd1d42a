import { Readable } from 'node:stream';
import type { History, PastEvent } from './history.ts';

/** So many events ahead are asked about at once. */
const mostAsked = 200;

/** What one stream sends. */
export interface EventStreamParts {
  readonly history: History;
  /** The number of the first event to send. */
  readonly from: number;
  /** `null` = that cannot be said without asking. */
  readonly hears: (event: PastEvent) => boolean | null;
  /** Those that are heard among events of which it could not be said. */
  readonly heardAmong: (events: readonly PastEvent[]) => Promise<ReadonlySet<PastEvent>>;
  /** Sent before the first event. */
  readonly opening: string;
  readonly onClose: () => void;
}

/**
 * One client of the feed, as a stream of server-sent events. It has no queue of its own: it reads
 * the history as fast as its client takes it, and one that is so slow that its next event is gone
 * is cut off. It comes back with `Last-Event-ID`, or learns that it missed something.
 */
export class EventStream extends Readable {
  readonly #parts: EventStreamParts;
  #next: number;
  #isThirsty = false;
  /** What was asked of the events ahead; `null` while an answer is awaited. */
  #answers: ReadonlyMap<PastEvent, boolean> | null = new Map();

  constructor(parts: EventStreamParts) {
    super({ highWaterMark: 64 * 1024 });
    this.#parts = parts;
    this.#next = parts.from;
    this.push(parts.opening);
  }

  override _read(): void {
    this.#isThirsty = true;
    this.pour();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#parts.onClose();
    done(error);
  }

  /** Sends what there is, as long as the client takes it. */
  pour(): void {
    const { history, hears } = this.#parts;
    if (this.#next < history.oldest()) {
      this.destroy();
      return;
    }
    while (this.#isThirsty && this.#answers !== null) {
      const event = history.at(this.#next);
      if (!event) return;
      const isHeard = hears(event) ?? this.#answers.get(event);
      if (isHeard === undefined) {
        this.#ask();
        return;
      }
      this.#next += 1;
      if (isHeard) this.#isThirsty = this.push(event.frame);
    }
  }

  /** Events stay in their order: what comes behind one that is unclear waits for it. */
  #ask(): void {
    const unclear = this.#unclearAhead();
    this.#answers = null;
    this.#parts.heardAmong(unclear).then(
      (heard) => {
        this.#answers = new Map(unclear.map((event) => [event, heard.has(event)]));
        if (!this.destroyed) this.pour();
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : undefined),
    );
  }

  #unclearAhead(): readonly PastEvent[] {
    const { history, hears } = this.#parts;
    const unclear: PastEvent[] = [];
    const end = Math.min(history.newest(), this.#next + mostAsked);
    for (let number = this.#next; number <= end; number++) {
      const event = history.at(number);
      if (event && hears(event) === null) unclear.push(event);
    }
    return unclear;
  }

  /** A comment, which keeps proxies from closing the connection; a full stream needs none. */
  beat(): void {
    if (this.#isThirsty) this.#isThirsty = this.push(': still here\n\n');
  }

  /** Ends the stream as a server does that has no more to say. */
  finish(): void {
    this.push(null);
    this.#isThirsty = false;
  }
}
