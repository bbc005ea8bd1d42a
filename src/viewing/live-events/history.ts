/**
 * The last events, for replay. It is bounded by count and by size, for any content of events; older
 * ones are dropped. It is the only queue of the feed: each client reads it at its own speed, so a
 * slow client needs no memory of its own.
 */

/** Who receives an event: admins, the profile that plays or marks, viewers of the whole library, or all. */
export type Concern = 'admins' | 'player' | 'whole-library' | 'everybody';

export interface PastEvent {
  readonly number: number;
  readonly type: string;
  /** Who may receive it at all; computed once for all clients. */
  readonly concerns: Concern;
  /** The library that it is about, if any. */
  readonly libraryId: string | null;
  /** The item, the entity and the profile that it is about, if any. */
  readonly itemId: string | null;
  readonly entityId: string | null;
  readonly profileId: string | null;
  /** The user whose credentials changed, if any. */
  readonly userId: string | null;
  /** The envelope, serialized once for all clients. */
  readonly json: string;
}

/** Events by number; numbers have no gap. */
export type History = ReturnType<typeof createHistory>;

/** Creates an empty history with these limits of events and characters. */
export function createHistory(capacity: number, textCapacity: number) {
  const events = new Array<PastEvent | undefined>(capacity);
  let oldest = 1;
  let newest = 0;
  let length = 0;

  function dropOldest(): void {
    length -= events[oldest % capacity]?.json.length ?? 0;
    events[oldest % capacity] = undefined;
    oldest += 1;
  }

  /**
   * The next event gets this number. After a gap all earlier events are dropped, so that the kept
   * numbers have none.
   */
  function leap(number: number): void {
    if (number === newest + 1) return;
    while (oldest <= newest) dropOldest();
    oldest = number;
    newest = number - 1;
  }

  return {
    leap,
    /** Adds the event under the next number. */
    add: (event: Omit<PastEvent, 'number'>): void => {
      if (newest - oldest + 1 === capacity) dropOldest();
      newest += 1;
      events[newest % capacity] = { number: newest, ...event };
      length += event.json.length;
      while (length > textCapacity && oldest <= newest) dropOldest();
    },
    /** `undefined` if it has not happened yet or was dropped. */
    at: (number: number): PastEvent | undefined =>
      number < oldest || number > newest ? undefined : events[number % capacity],
    /** The oldest kept number; one more than the newest when the history is empty. */
    oldest: (): number => oldest,
    /** 0 before the first event. */
    newest: (): number => newest,
  };
}
