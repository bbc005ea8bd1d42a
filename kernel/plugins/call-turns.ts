/**
 * The host calls of one plugin take turns, however many of them it makes at once: what the server has one
 * of for everybody - its thread, the writer of its database - and the few readers meet one call of each
 * plugin at a time. So whoever floods it waits behind itself, and everybody else at most behind one call
 * of each plugin. Between two calls the server does what came for it meanwhile.
 */
import { KernelError } from '../errors.ts';

/** The line in which the calls of one plugin wait. */
export interface CallTurns {
  /**
   * Resolves when a call may begin, in the order in which they came; what it gives has to be called when
   * that call is over. Rejects with `plugin_not_running` when the plugin ended meanwhile.
   */
  readonly take: (signal: AbortSignal) => Promise<() => void>;
}

/** Creates the line of one plugin; `soon` runs something when the server has done what came for it. */
export function createCallTurns(soon: (run: () => void) => void = setImmediate): CallTurns {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function endTurn(): void {
    soon(() => {
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    });
  }

  return {
    take: async (signal) => {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      if (!signal.aborted) return endTurn;
      endTurn();
      throw new KernelError('plugin_not_running', 'that made the call');
    },
  };
}

/** For those who are a part of the server. */
export const noTurns: CallTurns = { take: () => Promise.resolve(() => undefined) };
