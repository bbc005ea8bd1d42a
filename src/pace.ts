/**
 * Interactive first. Background work waits for its turn before each step; a turn comes
 *
 * 1. at once, while no request is in flight and none was for a quiet time. That time is twice the
 *    pause that clients make between requests just now (10 to 100 ms), so the short pause of a client
 *    that asks back to back is not taken for the end of its visit;
 * 2. after 240 ms of waiting, at the moment when the last request in flight ends: a step that is
 *    shorter than the client's pause then costs it nothing;
 * 3. after 250 ms of waiting, whatever is in flight.
 *
 * While clients were served within the last 250 ms a step is a small one, and what is spread is slow:
 * the pauses between the requests of fifty clients look like the end of their visits. So while a crowd
 * is served - requests that come beside others - a pause gives one turn, 60 ms after the last one:
 * what a crowd asks it asks again within a second, and each step makes the replies that are kept
 * nothing. A visit begins with the third request to read something that comes soon after the one before:
 * so neither who looks once a second how far a scan is changes anything, nor who begins one and looks.
 *
 * Turns that wait are given one at a time, 250 ms apart. So a client that asks without a pause finds
 * a step beside one request in 250 ms / its latency - under 5 % of them up to 10 ms - however many
 * workers there are; and background work as a whole takes four steps a second at the least.
 */
import { steadyOf, type Clock, type Undo } from './clock.ts';

/** What a request is for. */
export type RequestKind = 'reading' | 'command';

/** Who goes first. */
export interface Pace {
  /** An interactive request begins, to read or to change something; the undo says that it ended. */
  readonly request: (kind?: RequestKind) => Undo;
  /** Resolves when background work may take its next step. */
  readonly background: () => Promise<void>;
  /**
   * Waits like `background` and tells how many things the step may take, of so many that it would
   * like to: all, or a few dozen while clients are being served, so that a step beside them is short.
   */
  readonly portion: (wanted: number) => Promise<number>;
  /**
   * Runs the next piece of what would take turn after turn of the event loop: in the next one, or some
   * milliseconds later while clients are being served.
   */
  readonly spread: (run: () => void) => void;
}

const leastQuietMs = 10;
const mostQuietMs = 100;
const firstQuietMs = 25;
const gapTurnMs = 240;
const longestWaitMs = 250;
const visitReadings = 3;
const busyPortion = 100;
const spreadMs = 8;
const crowdTurnMs = 60;
/** Of the requests of fifty clients a fifth and more come beside others, of one client none. */
const crowdShare = 0.08;
/** So many requests make the share. */
const rememberedRequests = 32;

interface Waiting {
  readonly since: number;
  readonly go: () => void;
}

/** Creates the pace of one server. `nextTick` lets requests that have arrived be noticed first. */
export function createPace(wall: Clock, nextTick: (run: () => void) => void = setImmediate): Pace {
  const clock = steadyOf(wall);
  let inFlight = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  /** How many requests to read came one soon after the other. */
  let readings = 0;
  /** The share of requests that came beside another one. */
  let besideShare = 0;
  let quietMs = firstQuietMs;
  let lastTurnAt = Number.NEGATIVE_INFINITY;
  const waiting: Waiting[] = [];
  let stopTimer: Undo | null = null;

  const isQuiet = (): boolean => inFlight === 0 && clock.now() - endedAt >= quietMs;

  /** Not as `isQuiet`, which many clients together are several times a second. */
  const isCalm = (): boolean => inFlight === 0 && !(readings >= visitReadings && isRecent(readAt));

  const isCrowd = (): boolean => besideShare > crowdShare && isRecent(endedAt);

  const isRecent = (at: number): boolean => clock.now() - at < longestWaitMs;

  function request(kind: RequestKind = 'reading'): Undo {
    if (kind === 'reading') {
      readings = isRecent(readAt) ? readings + 1 : 1;
      readAt = clock.now();
    }
    besideShare += (Number(inFlight > 0) - besideShare) / rememberedRequests;
    if (inFlight === 0) learnPause(clock.now() - endedAt);
    inFlight += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      inFlight -= 1;
      if (kind === 'reading') readAt = clock.now();
      if (inFlight > 0) return;
      endedAt = clock.now();
      if (waiting.length > 0) giveTurns(gapTurnMs);
    };
  }

  /** A pause as long as the longest wait says nothing about the next one. */
  function learnPause(pauseMs: number): void {
    if (pauseMs >= longestWaitMs) return;
    const aim = Math.max(leastQuietMs, Math.min(2 * pauseMs, mostQuietMs));
    quietMs += (aim - quietMs) / (aim > quietMs ? 2 : 8);
  }

  function background(): Promise<void> {
    return new Promise((resolve) => {
      nextTick(() => {
        waiting.push({ since: clock.now(), go: resolve });
        giveTurns(longestWaitMs);
      });
    });
  }

  /** Gives every turn that is due; one that has waited for `dueMs` is. */
  function giveTurns(dueMs: number): void {
    stopTimer?.();
    stopTimer = null;
    if (isQuiet() && !isCrowd()) {
      for (const one of waiting.splice(0)) one.go();
      return;
    }
    const isPause = isQuiet() && lastTurnAt + crowdTurnMs <= clock.now();
    if (isPause || waitedSince() + dueMs <= clock.now()) {
      waiting.shift()?.go();
      lastTurnAt = clock.now();
    }
    if (waiting.length > 0) stopTimer = clock.after(nextLookMs(), () => giveTurns(longestWaitMs));
  }

  /** Turns are 250 ms apart, so the first in the row waits from the last turn at the earliest. */
  const waitedSince = (): number => Math.max(waiting[0]?.since ?? clock.now(), lastTurnAt);

  function nextLookMs(): number {
    const dueAt = waitedSince() + longestWaitMs;
    const pauseAt = Math.max(endedAt + quietMs, isCrowd() ? lastTurnAt + crowdTurnMs : 0);
    return Math.max(1, Math.min(dueAt, inFlight === 0 ? pauseAt : dueAt) - clock.now());
  }

  async function portion(wanted: number): Promise<number> {
    await background();
    return isCalm() ? wanted : Math.min(wanted, busyPortion);
  }

  function spread(run: () => void): void {
    if (isCalm()) nextTick(run);
    else clock.after(spreadMs, run);
  }

  return { request, background, portion, spread };
}
