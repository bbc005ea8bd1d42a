/**
 * The priority scheduler for background work: interactive requests come first. Background work
 * waits for a slot before each step. It gets one
 *
 * 1. at once, if no request is in flight and a quiet time has passed since the last one. That time
 *    is twice the current pause of clients between requests (10 to 100 ms), so the short pause of a
 *    busy client does not count as its end;
 * 2. after 240 ms of waiting, when the last request in flight ends: a step that is shorter than the
 *    client's pause then delays no request. A client that pauses for 15 ms and more leaves room for a
 *    step in each pause, so 30 ms of waiting are enough;
 * 3. after 250 ms of waiting, even while requests are in flight.
 *
 * If clients were served within the last 250 ms, batches are small and deferred work is slow. While
 * requests overlap, a pause gives only one slot per 60 ms: concurrent clients repeat their requests
 * within a second, and every background step invalidates the response cache. Clients count as busy
 * from the third reading request in a row, so a client that polls the progress of a scan once a
 * second changes nothing.
 *
 * Waiting slots are given one at a time, 250 ms apart. So a client without pauses meets a step in
 * one request per 250 ms, with any number of workers, and background work takes at least four steps
 * a second.
 */
import { priorityOf, type HostCaller } from '../../kernel/index.ts';
import { steadyOf, type Clock, type Undo } from './clock.ts';

export type RequestKind = 'reading' | 'command';

/** The pace of work that a request waits for: at once, and in whole batches. */
const withoutWaiting: Pick<BackgroundScheduler, 'waitForSlot' | 'batchSize'> = {
  waitForSlot: () => Promise.resolve(),
  batchSize: (wanted) => Promise.resolve(wanted),
};

/**
 * The pace of a host call of a plugin. A call that a request waits for does not wait for a slot: that
 * request itself keeps the server busy, so the slot would come only after 250 ms.
 */
export const paceOf = <Pace extends Partial<typeof withoutWaiting>>(
  caller: Pick<HostCaller, 'viewer'>,
  background: Pace,
): Pace | typeof withoutWaiting => (priorityOf(caller) === 'request' ? withoutWaiting : background);

const leastQuietMs = 10;
const mostQuietMs = 100;
const firstQuietMs = 25;
const gapSlotMs = 240;
/** The same under a client whose pauses are long enough for a step. */
const roomySlotMs = 30;
const roomyPauseMs = 15;
const longestWaitMs = 250;
const visitReadings = 3;
const busyBatchSize = 100;
const deferMs = 8;
const concurrentSlotMs = 60;
/** Of the requests of fifty clients at least a fifth overlap others, of one client none. */
const concurrentShare = 0.08;
/** The number of requests over which the share is averaged. */
const rememberedRequests = 32;

interface Waiting {
  readonly since: number;
  readonly go: () => void;
}

/** Schedules background work behind interactive requests. */
export class BackgroundScheduler {
  readonly #nextTick: (run: () => void) => void;
  readonly #clock: ReturnType<typeof steadyOf>;
  #inFlight = 0;
  #endedAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  /** How many reading requests came in quick succession. */
  #readings = 0;
  /** The share of requests that overlapped another one. */
  #overlapShare = 0;
  #quietMs = firstQuietMs;
  #lastSlotAt = Number.NEGATIVE_INFINITY;
  readonly #waiting: Waiting[] = [];
  #stopTimer: Undo | null = null;

  constructor(wall: Clock, nextTick: (run: () => void) => void = setImmediate) {
    this.#nextTick = nextTick;
    this.#clock = steadyOf(wall);
  }

  readonly #isQuiet = (): boolean =>
    this.#inFlight === 0 && this.#clock.now() - this.#endedAt >= this.#quietMs;

  /**
   * Whether nobody is served now, and nobody was just before. Stricter than `isQuiet`, which is
   * true several times a second under many clients.
   */
  readonly isCalm = (): boolean =>
    this.#inFlight === 0 && !(this.#readings >= visitReadings && this.#isRecent(this.#readAt));

  readonly #isConcurrent = (): boolean =>
    this.#overlapShare > concurrentShare && this.#isRecent(this.#endedAt);

  /** The quiet time is twice the pause. */
  readonly #hasRoomyPauses = (): boolean =>
    this.#quietMs >= 2 * roomyPauseMs && !this.#isConcurrent();

  readonly #isRecent = (at: number): boolean => this.#clock.now() - at < longestWaitMs;

  /** An interactive request begins, to read or to change something; the undo marks its end. */
  readonly request = (kind: RequestKind = 'reading'): Undo => {
    if (kind === 'reading') {
      this.#readings = this.#isRecent(this.#readAt) ? this.#readings + 1 : 1;
      this.#readAt = this.#clock.now();
    }
    this.#overlapShare += (Number(this.#inFlight > 0) - this.#overlapShare) / rememberedRequests;
    if (this.#inFlight === 0) this.#learnPause(this.#clock.now() - this.#endedAt);
    this.#inFlight += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#inFlight -= 1;
      if (kind === 'reading') this.#readAt = this.#clock.now();
      if (this.#inFlight > 0) return;
      this.#endedAt = this.#clock.now();
      if (this.#waiting.length > 0)
        this.#giveSlots(this.#hasRoomyPauses() ? roomySlotMs : gapSlotMs);
    };
  };

  /** A pause as long as the longest wait is ignored: it says nothing about the next one. */
  #learnPause(pauseMs: number): void {
    if (pauseMs >= longestWaitMs) return;
    const aim = Math.max(leastQuietMs, Math.min(2 * pauseMs, mostQuietMs));
    this.#quietMs += (aim - this.#quietMs) / (aim > this.#quietMs ? 2 : 8);
  }

  /** Resolves when background work may take its next step. */
  readonly waitForSlot = (): Promise<void> => {
    return new Promise((resolve) => {
      this.#nextTick(() => {
        this.#waiting.push({ since: this.#clock.now(), go: resolve });
        this.#giveSlots(longestWaitMs);
      });
    });
  };

  /** Gives every slot that is due; one is due after `dueMs` of waiting. */
  #giveSlots(dueMs: number): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    if (this.#isQuiet() && !this.#isConcurrent()) {
      for (const one of this.#waiting.splice(0)) one.go();
      return;
    }
    const isPause = this.#isQuiet() && this.#lastSlotAt + concurrentSlotMs <= this.#clock.now();
    if (isPause || this.#waitedSince() + dueMs <= this.#clock.now()) {
      this.#waiting.shift()?.go();
      this.#lastSlotAt = this.#clock.now();
    }
    if (this.#waiting.length > 0)
      this.#stopTimer = this.#clock.after(this.#nextLookMs(), () => this.#giveSlots(longestWaitMs));
  }

  /** Slots are 250 ms apart, so the wait of the first counts from the last slot at the earliest. */
  readonly #waitedSince = (): number =>
    Math.max(this.#waiting[0]?.since ?? this.#clock.now(), this.#lastSlotAt);

  #nextLookMs(): number {
    const dueAt = this.#waitedSince() + longestWaitMs;
    const pauseAt = Math.max(
      this.#endedAt + this.#quietMs,
      this.#isConcurrent() ? this.#lastSlotAt + concurrentSlotMs : 0,
    );
    return Math.max(1, Math.min(dueAt, this.#inFlight === 0 ? pauseAt : dueAt) - this.#clock.now());
  }

  /**
   * Waits for a slot and gives the batch size for the step: all that is wanted, or a limited
   * number while clients are served, so that the step is short.
   */
  readonly batchSize = async (wanted: number): Promise<number> => {
    await this.waitForSlot();
    return this.isCalm() ? wanted : Math.min(wanted, busyBatchSize);
  };

  /**
   * Runs the next piece of long work: in the next turn of the event loop, or some milliseconds
   * later while clients are served.
   */
  readonly defer = (run: () => void): void => {
    if (this.isCalm()) this.#nextTick(run);
    else this.#clock.after(deferMs, run);
  };
}

/** Creates the scheduler of one server. `nextTick` lets arrived requests be counted first. */
export const createBackgroundScheduler = (
  wall: Clock,
  nextTick: (run: () => void) => void = setImmediate,
): BackgroundScheduler => new BackgroundScheduler(wall, nextTick);
