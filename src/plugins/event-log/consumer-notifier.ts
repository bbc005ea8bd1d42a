/**
 * Notifies followers of waiting events. Two calls of one plugin may run at the same time: the
 * second begins when more events were stored after the first began. A plugin that releases nothing,
 * or fails, is called again after growing pauses.
 */
import type { CallPlugin, Log } from '../../../kernel/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';

/** Notifies followers. */
export type ConsumerNotifier = ReturnType<typeof createConsumerNotifier>;

export interface ConsumerNotifierParts {
  readonly call: CallPlugin;
  readonly isRunning: (pluginId: string) => boolean;
  readonly hasEvents: (pluginId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Turn {
  underWay: number;
  /** More events were stored while two calls were running. */
  isAsked: boolean;
  hasProgress: boolean;
  /** Consecutive calls that released nothing although events waited. */
  idleCalls: number;
  cancelLater: Undo;
}

const callTimeoutMs = 60_000;
const mostUnderWay = 2;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** Creates it; it calls no plugin before `start`. */
export function createConsumerNotifier(parts: ConsumerNotifierParts) {
  const { call, isRunning, hasEvents, clock, log } = parts;
  const turns = new Map<string, Turn>();
  let isOpen = false;

  function turnOf(pluginId: string): Turn {
    const known = turns.get(pluginId);
    if (known) return known;
    const fresh: Turn = {
      underWay: 0,
      isAsked: false,
      hasProgress: false,
      idleCalls: 0,
      cancelLater: () => undefined,
    };
    turns.set(pluginId, fresh);
    return fresh;
  }

  function begin(pluginId: string): void {
    if (!isOpen || !isRunning(pluginId)) return;
    const turn = turnOf(pluginId);
    if (turn.underWay >= mostUnderWay) {
      turn.isAsked = true;
      return;
    }
    turn.cancelLater();
    turn.underWay += 1;
    void call(pluginId, 'eventLog.waiting', {}, { timeoutMs: callTimeoutMs })
      .catch((error: unknown) => {
        if (isOpen) log.info({ err: error, pluginId }, 'A plugin failed in eventLog.waiting.');
      })
      .then(() => ended(pluginId, turn))
      .catch((error: unknown) => {
        if (isOpen)
          log.warn({ err: error, pluginId }, 'The waiting events of a plugin could not be read.');
      });
  }

  async function ended(pluginId: string, turn: Turn): Promise<void> {
    turn.underWay -= 1;
    if (turn.isAsked) {
      turn.isAsked = false;
      begin(pluginId);
      return;
    }
    if (!isOpen || turn.underWay > 0 || !(await hasEvents(pluginId))) {
      turn.idleCalls = 0;
      return;
    }
    turn.idleCalls = turn.hasProgress ? 0 : turn.idleCalls + 1;
    turn.hasProgress = false;
    const pauseMs =
      turn.idleCalls === 0 ? 0 : Math.min(firstPauseMs * 2 ** (turn.idleCalls - 1), longestPauseMs);
    turn.cancelLater();
    turn.cancelLater = clock.after(pauseMs, () => begin(pluginId));
  }

  return {
    /** Events were stored for them, or they have just started. */
    notify: (pluginIds: readonly string[]): void => {
      for (const pluginId of pluginIds) begin(pluginId);
    },
    /** The plugin released events, so it makes progress. */
    noteProgress: (pluginId: string): void => {
      turnOf(pluginId).hasProgress = true;
    },
    start: (): void => {
      isOpen = true;
    },
    /** Stops calling; running calls end with their plugins. It may be started again. */
    stop: (): void => {
      isOpen = false;
      for (const turn of turns.values()) turn.cancelLater();
    },
  };
}
