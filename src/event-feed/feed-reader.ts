import type { History, PastEvent } from './history.ts';

/** So many events ahead are asked about at once. */
const mostAsked = 200;

/** What one reader reads, and to whom. */
export interface FeedReaderParts {
  readonly history: History;
  /** The number of the first event to send. */
  readonly from: number;
  /** `null` = that cannot be said without asking. */
  readonly hears: (event: PastEvent) => boolean | null;
  /** Those that are heard among events of which it could not be said. */
  readonly heardAmong: (events: readonly PastEvent[]) => Promise<ReadonlySet<PastEvent>>;
  /** Takes one event; `false` = no more until `resume`. */
  readonly send: (event: PastEvent) => boolean;
  /** The client was so slow that its next event is gone. Nothing more is sent. */
  readonly onLost: () => void;
  /** It cannot be found out what the client may hear. Nothing more is sent. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * How one client reads the history: each event once, in order, those that it may hear, as fast as it
 * takes them. It has no queue of its own.
 */
export class FeedReader {
  readonly #parts: FeedReaderParts;
  #next: number;
  #isThirsty = true;
  #isOver = false;
  /** Where the client was when it was last looked at. */
  #seenAt = 0;
  /** What was asked of the events ahead; `null` while an answer is awaited. */
  #answers: ReadonlyMap<PastEvent, boolean> | null = new Map();

  constructor(parts: FeedReaderParts) {
    this.#parts = parts;
    this.#next = parts.from;
  }

  /** Whether the client takes more. */
  get isThirsty(): boolean {
    return this.#isThirsty && !this.#isOver;
  }

  /** Number of the last event that was sent or passed over. */
  get position(): number {
    return this.#next - 1;
  }

  /** Goes on with another event than the next one. */
  seek(next: number): void {
    this.#next = next;
  }

  /** The client takes more again. */
  resume(): void {
    this.#isThirsty = true;
    this.pour();
  }

  /** The client takes no more until `resume`. */
  pause(): void {
    this.#isThirsty = false;
  }

  /** Whether the client has taken nothing since it was looked at last, although something waits. */
  hasStalled(): boolean {
    const hasMoved = this.#seenAt !== this.#next;
    this.#seenAt = this.#next;
    return !this.#isThirsty && !hasMoved;
  }

  /** Sends what there is, as long as the client takes it. */
  pour(): void {
    const { history, hears, send, onLost } = this.#parts;
    if (this.#isOver) return;
    if (this.#next < history.oldest()) {
      this.stop();
      onLost();
      return;
    }
    while (this.isThirsty && this.#answers !== null) {
      const event = history.at(this.#next);
      if (!event) return;
      const isHeard = hears(event) ?? this.#answers.get(event);
      if (isHeard === undefined) {
        this.#ask();
        return;
      }
      this.#next += 1;
      if (isHeard) this.#isThirsty = send(event);
    }
  }

  /** Sends nothing any more. */
  stop(): void {
    this.#isOver = true;
  }

  /** Events stay in their order: what comes behind one that is unclear waits for it. */
  #ask(): void {
    const unclear = this.#unclearAhead();
    this.#answers = null;
    this.#parts.heardAmong(unclear).then(
      (heard) => {
        this.#answers = new Map(unclear.map((event) => [event, heard.has(event)]));
        this.pour();
      },
      (error: unknown) => {
        if (this.#isOver) return;
        this.stop();
        this.#parts.onFailure(error);
      },
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
}
