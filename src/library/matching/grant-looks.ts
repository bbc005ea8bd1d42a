/** Looks for what was newly granted: at the start, when a plugin has started, and every minute. */
import type { Log } from '../../../kernel/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';

/** Where the server's events come from. */
export interface GrantEvents {
  readonly listen: (name: string, listener: () => void) => Undo;
}

/** Looks in the background, one at a time. */
export type GrantLooks = ReturnType<typeof createGrantLooks>;

export interface GrantLooksParts {
  /** Looks once. A failure is logged, and the next look tries again. */
  readonly welcome: () => Promise<void>;
  /** The events after which it looks; also those in `plugin.started` and `plugin.restarted`. */
  readonly wakers?: readonly string[];
  /** Called when a plugin has started. */
  readonly onStarted?: () => void;
  /** What it looks for, for the log. */
  readonly what: string;
  /** Resolves when every plugin had its chance to start. */
  readonly booted: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often grants are checked that do not restart their plugin. */
const lookEveryMs = 60_000;

/** Creates them; nothing happens before `start`. */
export function createGrantLooks(parts: GrantLooksParts) {
  const { clock, log, what, wakers = [] } = parts;
  let alarm: Undo = () => undefined;
  let round: Promise<void> = Promise.resolve();
  let undos: readonly Undo[] = [];
  let isRunning = false;

  function look(): void {
    alarm();
    round = round.then(async () => {
      if (!isRunning) return;
      try {
        await parts.booted();
        await parts.welcome();
      } catch (err) {
        log.warn({ err }, `${what} could not be looked for`);
      }
      alarm();
      if (isRunning) alarm = clock.after(lookEveryMs, look);
    });
  }

  return {
    start: ({ listen }: GrantEvents): void => {
      isRunning = true;
      undos = [
        ...wakers.map((name) => listen(name, look)),
        ...['plugin.started', 'plugin.restarted'].map((name) =>
          listen(name, () => {
            look();
            parts.onStarted?.();
          }),
        ),
      ];
      look();
    },
    /** Looks now; does nothing before the start. */
    look: (): void => {
      if (isRunning) look();
    },
    isRunning: (): boolean => isRunning,
    stop: async (): Promise<void> => {
      isRunning = false;
      alarm();
      for (const undo of undos) undo();
      await round;
    },
  };
}
