/**
 * Host calls of one plugin run one at a time. The server has one thread and one database writer, so
 * each of them handles one call of each plugin at a time. A plugin that floods the server waits in
 * its own queue; others wait behind one call of each plugin at most. Between two calls the event loop
 * runs other work. After a call that took long to read, the pause is three times as long as the call
 * held the thread.
 *
 * Reading, checking, copying and writing cost the server time in proportion to the bytes. So after 1
 * MiB a queue carries 8 MiB a second, calls and answers together.
 *
 * A slow call is not a flood: after 250 ms it gives up its turn and continues beside the queue. Each
 * such call makes the next one wait four times as long for that. So a third call runs only beside two
 * that took a second or more, and no call blocks the queue for ever.
 *
 * Calls for which a request waits have a queue of their own. A background call may hold its turn
 * while it waits for a pause between requests, which does not come while a request waits behind it.
 */
import { createTokenBucket, type TokenBucket } from '../../../packages/lib/concurrency/index.ts';
import { KernelError } from '../../errors.ts';
import type { CallPriority } from '../../call/call-priority.ts';
import { systemClock, type Clock } from '../plugin/clock.ts';

/**
 * Lets the next call begin. Gets how long the call alone held the thread, and the bytes of call and
 * answer.
 */
export type EndCall = (heldMs: number, bytes: number) => void;

/** Runs a function after other work of the event loop, at least `afterMs` later. */
export type Soon = (run: () => void, afterMs: number) => void;

/** The queue of one plugin's host calls. */
export interface CallQueue {
  /**
   * Resolves when a call may begin, first in, first out among calls of its priority. The result must
   * be called when that call is over. Rejects with `plugin_not_running` when the plugin ended
   * meanwhile.
   */
  readonly take: (signal: AbortSignal, priority: CallPriority) => Promise<EndCall>;
}

export interface CallQueueParts {
  readonly soon?: Soon;
  /** Real time, since the machine is what plugins share. */
  readonly clock?: Clock;
}

/** 1 MiB at once, and 8 KiB a millisecond after that. */
const bytesRate = { capacity: 1_048_576, refill: 8192, everyMs: 1 };
const restPerMs = 3;
const longestRestMs = 100;
const patienceMs = 250;
const patienceGrowth = 4;
/** The wait of a slow call grows to 64 s at most. */
const mostGrowths = 4;

/** Creates the queue of one plugin. */
export function createCallQueue({
  soon = afterOthers,
  clock = systemClock,
}: CallQueueParts = {}): CallQueue {
  const bytesLeft = createTokenBucket(bytesRate, clock.now);
  const lane = () => createLane({ soon, clock, bytesLeft });
  const lanes: Readonly<Record<CallPriority, Lane>> = { request: lane(), background: lane() };
  return { take: (signal, priority) => lanes[priority](signal) };
}

/** Gives the turns of the calls of one priority. */
type Lane = (signal: AbortSignal) => Promise<EndCall>;

/** All lanes of a plugin share the bytes that it may move. */
function createLane({
  soon,
  clock,
  bytesLeft,
}: Required<CallQueueParts> & { readonly bytesLeft: TokenBucket }): Lane {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let slow = 0;

  function goOn(restMs: number): void {
    soon(() => {
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    }, restMs);
  }

  function begin(): EndCall {
    let isSlow = false;
    const cancel = clock.after(patienceMs * patienceGrowth ** Math.min(slow, mostGrowths), () => {
      isSlow = true;
      slow += 1;
      goOn(longestRestMs);
    });
    return (heldMs, bytes) => {
      cancel();
      const restMs = Math.min(longestRestMs, Math.floor(heldMs) * restPerMs);
      bytesLeft.spend(bytes);
      if (isSlow) slow -= 1;
      else goOn(Math.max(restMs, bytesLeft.waitMs(0)));
    };
  }

  return async (signal) => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
    isTaken = true;
    if (!signal.aborted) return begin();
    goOn(0);
    throw new KernelError('plugin_not_running', 'that made the call');
  };
}

/** A paused queue does not delay the shutdown of the server. */
function afterOthers(run: () => void, afterMs: number): void {
  if (afterMs === 0) setImmediate(run);
  else setTimeout(run, afterMs).unref();
}

/** For plugins that are part of the server. */
export const noQueue: CallQueue = { take: () => Promise.resolve(() => undefined) };
