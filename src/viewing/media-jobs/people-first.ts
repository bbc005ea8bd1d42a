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

/** Whether people need the machine. */
export type PeopleFirst = ReturnType<typeof createPeopleFirst>;

export function createPeopleFirst({ processes, background, clock }: PeopleFirstParts) {
  const isFree = (): boolean => processes() === 0 && background.isCalm();
  return {
    isFree,
    /** Resolves when nobody needs it, or when the signal says that the work ends. */
    wait: async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted && !isFree()) await pause(clock, lookAgainMs, signal);
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
