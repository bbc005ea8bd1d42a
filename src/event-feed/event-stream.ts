import { Readable } from 'node:stream';
import type { History, PastEvent } from './history.ts';

/** What one stream sends. */
export interface EventStreamParts {
  readonly history: History;
  /** The number of the first event to send. */
  readonly from: number;
  readonly hears: (event: PastEvent) => boolean;
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
    while (this.#isThirsty) {
      const event = history.at(this.#next);
      if (!event) return;
      this.#next += 1;
      if (hears(event)) this.#isThirsty = this.push(event.frame);
    }
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
