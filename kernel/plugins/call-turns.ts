/**
 * The host calls of one plugin take turns, however many of them it makes at once: what the server has one
 * of for everybody - its thread, the writer of its database - and the few readers meet one call of each
 * plugin at a time. So whoever floods it waits behind itself, and everybody else at most behind one call
 * of each plugin. Between two calls the server does what came for it meanwhile, and after a call that was
 * long to read it has the thread for three times as long.
 */
import { KernelError } from '../errors.ts';

/** Lets the next call begin. */
export type EndTurn = (heldMs: number) => void;

/** Runs something when the server has done what came for it, `afterMs` later or more. */
export type Soon = (run: () => void, afterMs: number) => void;

/** The line in which the calls of one plugin wait. */
export interface CallTurns {
  /**
   * Resolves when a call may begin, in the order in which they came; what it gives has to be called when
   * that call is over, with the milliseconds for which it alone held the thread. Rejects with `plugin_not_running` when the plugin ended meanwhile.
   */
  readonly take: (signal: AbortSignal) => Promise<EndTurn>;
}

const restPerMs = 3;
const longestRestMs = 100;

/** Creates the line of one plugin. */
export function createCallTurns(soon: Soon = afterOthers): CallTurns {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function endTurn(heldMs: number): void {
    soon(
      () => {
        const next = waiting.shift();
        if (next === undefined) isTaken = false;
        else next();
      },
      Math.min(longestRestMs, Math.floor(heldMs) * restPerMs),
    );
  }

  return {
    take: async (signal) => {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      if (!signal.aborted) return endTurn;
      endTurn(0);
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
