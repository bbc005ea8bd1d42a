/**
 * The last events, for clients that come back. It is bounded by count and by size, whatever plugins
 * put into their events; what falls out is gone. It is the only queue of the feed: clients read it
 * as fast as they can, so what one of them does not take costs no memory of its own.
 */

/** Whom a kind of event concerns: admins, the profile that plays, who sees a whole library, everybody. */
export type Concern = 'admins' | 'player' | 'whole-library' | 'everybody';

/** One event as the feed keeps it. */
export interface PastEvent {
  readonly number: number;
  readonly type: string;
  /** Who hears of such events at all; worked out once, since every client asks. */
  readonly concerns: Concern;
  /** The library that it is about, if it is about one. */
  readonly libraryId: string | null;
  /** The item and the profile that it is about, likewise. */
  readonly itemId: string | null;
  readonly profileId: string | null;
  /** The envelope, as it was serialised once for everybody. */
  readonly json: string;
}

/** Events by number; numbers have no gap. */
export interface History {
  /**
   * The next event has that number. After a gap nothing of before it is kept, so that numbers go on
   * without one.
   */
  readonly leap: (number: number) => void;
  /** Keeps the event under the next number. */
  readonly add: (event: Omit<PastEvent, 'number'>) => void;
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
    length -= events[oldest % capacity]?.json.length ?? 0;
    events[oldest % capacity] = undefined;
    oldest += 1;
  }

  function leap(number: number): void {
    if (number === newest + 1) return;
    while (oldest <= newest) dropOldest();
    oldest = number;
    newest = number - 1;
  }

  return {
    leap,
    add: (event) => {
      if (newest - oldest + 1 === capacity) dropOldest();
      newest += 1;
      events[newest % capacity] = { number: newest, ...event };
      length += event.json.length;
      while (length > textCapacity && oldest <= newest) dropOldest();
    },
    at: (number) => (number < oldest || number > newest ? undefined : events[number % capacity]),
    oldest: () => oldest,
    newest: () => newest,
  };
}
