/**
 * When one plugin may send a request to one host. In any second at most as many requests start as
 * the manifest allows, counted exactly, not on average; a `Retry-After` is obeyed; and a host that
 * failed several times in a row is suspended for growing times, until a single trial request
 * succeeds.
 */

/** How a request ended for its host. `neutral`: it says nothing about the host. */
export type LaneEnding =
  | { readonly kind: 'answered' | 'failed' | 'neutral' }
  | { readonly kind: 'busy'; readonly retryAfterMs: number | null };

/** Why no request may start. */
export interface Closed {
  readonly why: 'busy' | 'failing';
  readonly until: number;
}

const failuresToClose = 5;
const firstClosedMs = 30_000;
const longestClosedMs = 600_000;
const busyMs = 2000;
const longestBusyMs = 3_600_000;

/** The requests of one plugin to one host. Times are Unix milliseconds. */
export class HostLane {
  readonly #count: number;
  readonly #windowMs: number;
  /** The start times of the last requests, oldest first. */
  #starts: number[] = [];
  #running = 0;
  #failures = 0;
  #closed: Closed = { why: 'busy', until: 0 };

  constructor(perSecond: number) {
    this.#count = Math.max(1, Math.floor(perSecond));
    this.#windowMs = (this.#count / perSecond) * 1000;
  }

  /** Why no request may start now, apart from the rate. */
  closed(now: number): Closed | null {
    return this.#closed.until > now ? this.#closed : null;
  }

  /** When the next request may start, after `ahead` others; `Infinity` = after one ends. */
  nextStart(now: number, ahead = 0): number {
    if (this.#isOnTrial && this.#running > 0) return Number.POSITIVE_INFINITY;
    return this.nextByRate(Math.max(now, this.#closed.until), ahead);
  }

  /** The same, apart from pauses. */
  nextByRate(now: number, ahead = 0): number {
    const starts = [...this.#starts];
    let next = now;
    for (let turn = 0; turn <= ahead; turn += 1) {
      const blocking = starts.at(-this.#count);
      next = Math.max(now, blocking === undefined ? now : blocking + this.#windowMs);
      starts.push(next);
    }
    return next;
  }

  started(now: number): void {
    this.#running += 1;
    this.#starts = [...this.#starts, now].slice(-this.#count);
  }

  /** Returns whether the host was just suspended, or is back. */
  ended(ending: LaneEnding, now: number): 'closed' | 'reopened' | null {
    this.#running -= 1;
    switch (ending.kind) {
      case 'neutral':
        return null;
      case 'answered':
        return this.#recover();
      case 'busy':
        this.#close('busy', now + Math.min(ending.retryAfterMs ?? busyMs, longestBusyMs));
        return this.#recover();
      case 'failed':
        return this.#fail(now);
    }
  }

  /** Whether it can be dropped without an effect. */
  isIdle(now: number): boolean {
    const lastStart = this.#starts.at(-1) ?? 0;
    const isFree = this.#closed.until <= now && lastStart + this.#windowMs <= now;
    return this.#running === 0 && this.#failures === 0 && isFree;
  }

  get #isOnTrial(): boolean {
    return this.#failures >= failuresToClose;
  }

  #recover(): 'reopened' | null {
    const wasOnTrial = this.#isOnTrial;
    this.#failures = 0;
    return wasOnTrial ? 'reopened' : null;
  }

  #fail(now: number): 'closed' | null {
    this.#failures += 1;
    if (!this.#isOnTrial || this.#closed.until > now) return null;
    const doublings = Math.min(this.#failures - failuresToClose, 10);
    this.#close('failing', now + Math.min(firstClosedMs * 2 ** doublings, longestClosedMs));
    return this.#failures === failuresToClose ? 'closed' : null;
  }

  #close(why: Closed['why'], until: number): void {
    if (until > this.#closed.until) this.#closed = { why, until };
  }
}
