import type { History, PastEvent } from './history.ts';

/** How many events ahead are checked in one query. */
const mostAsked = 200;

export interface FeedReaderParts {
  readonly history: History;
  /** The number of the first event to send. */
  readonly from: number;
  /** `null` = the answer needs a query. */
  readonly canReceive: (event: PastEvent) => boolean | null;
  /** Those of the unclear events that the client may receive. */
  readonly filterReceivable: (events: readonly PastEvent[]) => Promise<ReadonlySet<PastEvent>>;
  /** Sends one event; `false` = the client is full until `resume`. */
  readonly send: (event: PastEvent) => boolean;
  /** The client was so slow that its next event is gone. Nothing more is sent. */
  readonly onLost: () => void;
  /** The permission check failed. Nothing more is sent. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Reads the history for one client: each event once, in order, filtered by what the client may
 * receive, as fast as the client reads. It has no queue of its own.
 */
export class FeedReader {
  readonly #parts: FeedReaderParts;
  #next: number;
  #isThirsty = true;
  #isOver = false;
  /** The position at the last stall check. */
  #seenAt = 0;
  /** Results of checks for the events ahead; `null` while a query runs. */
  #answers: ReadonlyMap<PastEvent, boolean> | null = new Map();
  #onCurrent: (() => void) | null = null;

  constructor(parts: FeedReaderParts) {
    this.#parts = parts;
    this.#next = parts.from;
  }

  /** Whether the client can take more. */
  get hasRoom(): boolean {
    return this.#isThirsty && !this.#isOver;
  }

  /** Number of the last event that was sent or skipped. */
  get position(): number {
    return this.#next - 1;
  }

  /** Calls back once, when the client has received all that it may, or will receive nothing more. */
  onceCurrent(run: () => void): void {
    this.#onCurrent = run;
    if (this.#isOver) this.#settle();
    else this.flush();
  }

  /** Continues with another event than the next one. */
  seek(next: number): void {
    this.#next = next;
  }

  /** The client can take more again. */
  resume(): void {
    this.#isThirsty = true;
    this.flush();
  }

  /** The client is full until `resume`. */
  pause(): void {
    this.#isThirsty = false;
  }

  /** Whether the client has read nothing since the last check, although events wait. */
  hasStalled(): boolean {
    const hasMoved = this.#seenAt !== this.#next;
    this.#seenAt = this.#next;
    return !this.#isThirsty && !hasMoved;
  }

  /** Sends the available events while the client takes them. */
  flush(): void {
    const { history, canReceive, send, onLost } = this.#parts;
    if (this.#isOver) return;
    if (this.#next < history.oldest()) {
      this.stop();
      onLost();
      return;
    }
    while (this.hasRoom && this.#answers !== null) {
      const event = history.at(this.#next);
      if (!event) {
        this.#settle();
        return;
      }
      const isHeard = canReceive(event) ?? this.#answers.get(event);
      if (isHeard === undefined) {
        this.#ask();
        return;
      }
      this.#next += 1;
      if (isHeard) this.#isThirsty = send(event);
    }
  }

  /** Stops sending. */
  stop(): void {
    this.#isOver = true;
    this.#settle();
  }

  #settle(): void {
    const run = this.#onCurrent;
    this.#onCurrent = null;
    run?.();
  }

  /** Events stay in their order: events after an unclear one wait for it. */
  #ask(): void {
    const unclear = this.#unclearAhead();
    this.#answers = null;
    this.#parts.filterReceivable(unclear).then(
      (receivable) => {
        this.#answers = new Map(unclear.map((event) => [event, receivable.has(event)]));
        this.flush();
      },
      (error: unknown) => {
        if (this.#isOver) return;
        this.stop();
        this.#parts.onFailure(error);
      },
    );
  }

  #unclearAhead(): readonly PastEvent[] {
    const { history, canReceive } = this.#parts;
    const unclear: PastEvent[] = [];
    const end = Math.min(history.newest(), this.#next + mostAsked);
    for (let number = this.#next; number <= end; number++) {
      const event = history.at(number);
      if (event && canReceive(event) === null) unclear.push(event);
    }
    return unclear;
  }
}
