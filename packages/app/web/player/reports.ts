/** Tells the server where a session is: every ten seconds, and after each pause and seek. */
import { Refusal } from '../core/api.ts';
import type { PlayerRequests, Session, SessionChange } from './requests.ts';

export interface Reports {
  readonly start: (sessionId: string) => void;
  /** Reports in a moment, so that a slider that is dragged is one report. */
  readonly soon: () => void;
  /** Reports while the page goes away; the session ends, unless the page may come back. */
  readonly leave: (mayReturn: boolean) => void;
  /** Stops, after what is due or `last` was reported. */
  readonly stop: (last?: SessionChange) => Promise<void>;
}

/** Whether the server does not have the session any longer. */
const isOver = ({ status }: Refusal): boolean => status === 404 || status === 410;

const everyMs = 10_000;
const soonMs = 400;

/**
 * Creates them. `heard` gets the session as the server answers it, `lost` the refusal when the server
 * does not have it any longer.
 */
export function createReports({
  requests,
  now: state,
  heard,
  lost,
}: {
  readonly requests: PlayerRequests;
  readonly now: () => SessionChange;
  readonly heard: (session: Session) => void;
  readonly lost: (refusal: Refusal) => void;
}): Reports {
  let sessionId: string | undefined;
  let every: ReturnType<typeof setInterval> | undefined;
  let once: ReturnType<typeof setTimeout> | undefined;

  async function send(change: SessionChange = {}): Promise<void> {
    const id = sessionId;
    if (id === undefined) return;
    clearTimeout(once);
    once = undefined;
    try {
      const told = await requests.change(id, { ...state(), ...change });
      if (id === sessionId) heard(told);
    } catch (error) {
      // Other failures are followed by the next report.
      if (error instanceof Refusal && isOver(error) && id === sessionId) lost(error);
    }
  }

  return {
    start: (id) => {
      sessionId = id;
      clearInterval(every);
      every = setInterval(() => void send(), everyMs);
    },
    soon: () => {
      once ??= setTimeout(() => void send(), soonMs);
    },
    leave: (mayReturn) => {
      // A session that plays and is not heard of ends soon.
      const last = mayReturn ? 'playing' : 'ended';
      if (sessionId !== undefined) requests.leave(sessionId, { ...state(), state: last });
    },
    stop: (last) => {
      const isTold = last === undefined && once === undefined ? Promise.resolve() : send(last);
      clearInterval(every);
      sessionId = undefined;
      return isTold;
    },
  };
}
