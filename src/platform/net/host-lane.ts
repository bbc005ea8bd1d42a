/**
 * When one plugin may send a request to one host. In any second at most as many requests go out as
 * the manifest allows, counted exactly, not on average; a `Retry-After` is obeyed for ten minutes, after
 * which the host is asked whether it still means it; and a host that failed several times in a row is
 * suspended for growing times, until a single trial request succeeds.
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

/** A request that was allowed to start. `at`: when its bytes went out; `null` = they did not yet. */
export interface Sending {
  at: number | null;
}

/** Requests take different times over the network: one that is slow and one that is quick meet. */
const transitMs = 50;

/**
 * The requests of one plugin to one host. Times are Unix milliseconds. A request counts from when it
 * is allowed to start until a window after its bytes went out: opening the connection takes any time,
 * and so does an event loop that is late. So at no moment do more than the count stand in a window.
 */
export class HostLane {
  readonly #count: number;
  readonly #windowMs: number;
  /** The last requests, in the order in which their bytes went out; those that wait are last. */
  #sendings: Sending[] = [];
  #running = 0;
  #failures = 0;
  #closed: Closed = { why: 'busy', until: 0 };

  constructor(perSecond: number) {
    this.#count = Math.max(1, Math.floor(perSecond));
    this.#windowMs = (this.#count / perSecond) * 1000 + transitMs;
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

  /** The same, apart from pauses; as if requests that are not out yet went out now. */
  nextByRate(now: number, ahead = 0): number {
    const starts = this.#sendings.map(({ at }) => at ?? now);
    let next = now;
    for (let turn = 0; turn <= ahead; turn += 1) {
      const blocking = starts.at(-this.#count);
      next = Math.max(now, blocking === undefined ? now : blocking + this.#windowMs);
      starts.push(next);
    }
    return next;
  }

  started(): Sending {
    this.#running += 1;
    const sending: Sending = { at: null };
    this.#keep(sending);
    return sending;
  }

  /** Its bytes went out, also for the second time after a connection that was lost. */
  sent(sending: Sending, now: number): void {
    sending.at = now;
    this.#keep();
  }

  #keep(...more: readonly Sending[]): void {
    const order = ({ at }: Sending): number => at ?? Number.MAX_SAFE_INTEGER;
    this.#sendings = [...this.#sendings, ...more]
      .sort((one, other) => order(one) - order(other))
      .slice(-this.#count);
  }

  /** Returns whether the host was just suspended, or is back. */
  ended(sending: Sending, ending: LaneEnding, now: number): 'closed' | 'reopened' | null {
    this.#running -= 1;
    // Nobody knows how far it came.
    if (sending.at === null) this.sent(sending, now);
    switch (ending.kind) {
      case 'neutral':
        return null;
      case 'answered':
        return this.#recover();
      case 'busy':
        this.#close('busy', now + Math.min(ending.retryAfterMs ?? busyMs, longestClosedMs));
        return this.#recover();
      case 'failed':
        return this.#fail(now);
    }
  }

  /** Whether it can be dropped without an effect. */
  isIdle(now: number): boolean {
    const isFree = this.#closed.until <= now && this.#isRested(now);
    return this.#running === 0 && this.#failures === 0 && isFree;
  }

  #isRested(now: number): boolean {
    const last = this.#sendings.at(-1);
    return last === undefined || (last.at !== null && last.at + this.#windowMs <= now);
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
