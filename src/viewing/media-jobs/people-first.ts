/** Media jobs give way: they wait while somebody's film is converted, and while requests are served. */
import type { BackgroundScheduler } from '../../platform/background-scheduler.ts';
import type { Clock } from '../../platform/clock.ts';

/** What is asked before the next piece of work. */
export interface PeopleFirstParts {
  /** Processes that convert for people. */
  readonly processes: () => number;
  readonly background: Pick<BackgroundScheduler, 'isCalm'>;
  readonly clock: Clock;
}

const lookAgainMs = 500;
/** A film lasts long, requests mostly do not. */
const filmMs = 15_000;
const requestMs = 1000;

/** Whether people need the machine. */
export interface PeopleFirst {
  /** Milliseconds after which it is worth looking again; 0 = nobody needs it. */
  readonly busyMs: () => number;
  /** Resolves when nobody needs it, or when the signal says that the work ends. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
}

/** Creates it. */
export function createPeopleFirst({ processes, background, clock }: PeopleFirstParts): PeopleFirst {
  const busyMs = (): number => (processes() > 0 ? filmMs : background.isCalm() ? 0 : requestMs);
  return {
    busyMs,
    wait: async (signal) => {
      while (!signal.aborted && busyMs() > 0) await pause(clock, lookAgainMs, signal);
    },
  };
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
}
