/**
 * The host calls of one plugin take turns, however many of them it makes at once: what the server has one
 * of for everybody - its thread, the writer of its database - and the few readers meet one call of each
 * plugin at a time. So whoever floods it waits behind itself, and everybody else at most behind one call
 * of each plugin. Between two calls the server does what came for it meanwhile, and after a call that was
 * long to read it has the thread for three times as long.
 *
 * What crosses is read, checked, copied and written by the server, so its time is paid in bytes as well:
 * beyond 1 MiB a line carries 8 MiB a second, calls and answers together.
 *
 * A call that is slow, or that never ends, is no flood: after 250 ms it gives its turn on and stays at
 * work beside the line. Each one that does makes the next wait four times as long for that: a third call is
 * at work only beside two that took a second or more, and none can hold the line for ever.
 */
import { KernelError } from '../errors.ts';
import { systemClock, type Clock } from './clock.ts';

/** Lets the next call begin; told for how long the call alone held the thread, and what crossed for it. */
export type EndCall = (heldMs: number, bytes: number) => void;

/** Runs something when the server has done what came for it, `afterMs` later or more. */
export type Soon = (run: () => void, afterMs: number) => void;

/** The line in which the calls of one plugin wait. */
export interface CallQueue {
  /**
   * Resolves when a call may begin, in the order in which they came; what it gives has to be called when
   * that call is over. Rejects with `plugin_not_running` when the plugin ended meanwhile.
   */
  readonly take: (signal: AbortSignal) => Promise<EndCall>;
}

/** What a line is made of. */
export interface CallQueueParts {
  readonly soon?: Soon;
  /** The time of the machine, since it is the machine that is shared. */
  readonly clock?: Clock;
}

/** What a line carries in the long run, and what it carries at once. */
const bytesPerMs = 8192;
const bytesAtOnce = 1_048_576;
const restPerMs = 3;
const longestRestMs = 100;
const patienceMs = 250;
const patienceGrowth = 4;
/** The patience ends at 64 s. */
const mostGrowths = 4;

/** Creates the line of one plugin. */
export function createCallQueue({
  soon = afterOthers,
  clock = systemClock,
}: CallQueueParts = {}): CallQueue {
  const waiting: (() => void)[] = [];
  const carry = createCarrier(clock);
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
      const carryMs = carry(bytes);
      if (isSlow) slow -= 1;
      else goOn(Math.max(restMs, carryMs));
    };
  }

  return {
    take: async (signal) => {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      if (!signal.aborted) return begin();
      goOn(0);
      throw new KernelError('plugin_not_running', 'that made the call');
    },
  };
}

/** Takes bytes, and gives the milliseconds until there is room for more. */
function createCarrier(clock: Clock): (bytes: number) => number {
  let load = 0;
  let loadedAt = clock.now();
  return (bytes) => {
    const now = clock.now();
    load = Math.max(0, load - Math.max(0, now - loadedAt) * bytesPerMs) + bytes;
    loadedAt = now;
    return Math.ceil(Math.max(0, load - bytesAtOnce) / bytesPerMs);
  };
}

/** Nobody who stops the server waits for a line that rests. */
function afterOthers(run: () => void, afterMs: number): void {
  if (afterMs === 0) setImmediate(run);
  else setTimeout(run, afterMs).unref();
}

/** For those who are a part of the server. */
export const noQueue: CallQueue = { take: () => Promise.resolve(() => undefined) };
