/**
 * The last events, for clients that come back. It is bounded by count and by size, whatever plugins
 * put into their events; what falls out is gone.
 */

/** One event as the feed keeps it. */
export interface PastEvent {
  readonly type: string;
  /** The library that it is about, if it is about one. */
  readonly libraryId: string | null;
  /** The item and the profile that it is about, likewise. */
  readonly itemId: string | null;
  readonly profileId: string | null;
  /** As it goes out: one frame of the event stream. */
  readonly frame: string;
}

/** Events by number; numbers start at 1 and have no gap. */
export interface History {
  /** Gives the number of the event that `eventOf` makes, which knows it. */
  readonly add: (eventOf: (number: number) => PastEvent) => void;
  /** `undefined` when it has not happened yet or is gone. */
  readonly at: (number: number) => PastEvent | undefined;
  /** The oldest number that is kept; one more than the newest when nothing is. */
  readonly oldest: () => number;
  /** 0 when nothing has happened yet. */
  readonly newest: () => number;
}

/** Creates an empty history of at most so many events and so many characters. */
export function createHistory(capacity: number, textCapacity: number): History {
  const events = new Array<PastEvent | undefined>(capacity);
  let oldest = 1;
  let newest = 0;
  let length = 0;

  function dropOldest(): void {
    length -= events[oldest % capacity]?.frame.length ?? 0;
    events[oldest % capacity] = undefined;
    oldest += 1;
  }

  return {
    add: (eventOf) => {
      const event = eventOf(newest + 1);
      if (newest - oldest + 1 === capacity) dropOldest();
      newest += 1;
      events[newest % capacity] = event;
      length += event.frame.length;
      while (length > textCapacity && oldest <= newest) dropOldest();
    },
    at: (number) => (number < oldest || number > newest ? undefined : events[number % capacity]),
    oldest: () => oldest,
    newest: () => newest,
  };
}
