/**
 * The host calls of one plugin take turns, however many of them it makes at once: what the server has one
 * of for everybody - its thread, the writer of its database - and the few readers meet one call of each
 * plugin at a time. So whoever floods it waits behind itself, and everybody else at most behind one call
 * of each plugin. Between two calls the server does what came for it meanwhile, and after a call that was
 * long to read it has the thread for three times as long.
 *
 * A call that is slow, or that never ends, is no flood: after 250 ms it gives its turn on and stays at
 * work beside the line. Each one that does makes the next wait four times as long for that: a third call is
 * at work only beside two that took a second or more, and none can hold the line for ever.
 */
import { KernelError } from '../errors.ts';
import { systemClock, type Clock } from './clock.ts';

/** Lets the next call begin. */
export type EndTurn = (heldMs: number) => void;

/** Runs something when the server has done what came for it, `afterMs` later or more. */
export type Soon = (run: () => void, afterMs: number) => void;

/** The line in which the calls of one plugin wait. */
export interface CallTurns {
  /**
   * Resolves when a call may begin, in the order in which they came; what it gives has to be called when
   * that call is over, with the milliseconds for which it alone held the thread. Rejects with
   * `plugin_not_running` when the plugin ended meanwhile.
   */
  readonly take: (signal: AbortSignal) => Promise<EndTurn>;
}

/** What a line is made of. */
export interface CallTurnsParts {
  readonly soon?: Soon;
  /** The time of the machine, since it is the machine that is shared. */
  readonly clock?: Pick<Clock, 'after'>;
}

const restPerMs = 3;
const longestRestMs = 100;
const patienceMs = 250;
const patienceGrowth = 4;
/** The patience ends at 64 s. */
const mostGrowths = 4;

/** Creates the line of one plugin. */
export function createCallTurns({
  soon = afterOthers,
  clock = systemClock,
}: CallTurnsParts = {}): CallTurns {
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

  function begin(): EndTurn {
    let isSlow = false;
    const cancel = clock.after(patienceMs * patienceGrowth ** Math.min(slow, mostGrowths), () => {
      isSlow = true;
      slow += 1;
      goOn(longestRestMs);
    });
    return (heldMs) => {
      cancel();
      if (isSlow) slow -= 1;
      else goOn(Math.min(longestRestMs, Math.floor(heldMs) * restPerMs));
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

function afterOthers(run: () => void, afterMs: number): void {
  if (afterMs === 0) setImmediate(run);
  else setTimeout(run, afterMs);
}

/** For those who are a part of the server. */
export const noTurns: CallTurns = { take: () => Promise.resolve(() => undefined) };
