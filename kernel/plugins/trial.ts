/** Whether a version that was just put in place holds: it comes to run, and does not crash again and again. */
import type { Undo } from '../host-service.ts';
import type { Clock } from './clock.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import type { LifeEvent } from './supervisor.ts';

/** One version on trial. */
export interface Trial {
  readonly plugin: InstalledPlugin;
  /** Resolves with `null` when it runs, or with why it never will. */
  readonly begun: Promise<string | null>;
  /** Resolves with why it is not good enough, if that happens. */
  readonly spoiled: Promise<string>;
  readonly heard: (event: LifeEvent | 'discovered') => void;
  /** It is not to be waited for any more. */
  readonly giveUp: (why: string) => void;
}

/** How long a version may take until it runs. */
const startTimeoutMs = 30_000;
const mostCrashes = 3;

/** Begins the trial of a plugin that is about to be started. */
export function createTrial(plugin: InstalledPlugin, clock: Clock): Trial {
  const begun = Promise.withResolvers<string | null>();
  const spoiled = Promise.withResolvers<string>();
  let crashes = 0;
  const tooLate = `It did not run within ${startTimeoutMs / 1000} s.`;
  const cancel: Undo = clock.after(startTimeoutMs, () => spoil(tooLate));

  function spoil(why: string): void {
    cancel();
    begun.resolve(why);
    spoiled.resolve(why);
  }

  return {
    plugin,
    begun: begun.promise,
    spoiled: spoiled.promise,
    giveUp: spoil,
    heard: (event) => {
      if (event === 'started' || event === 'restarted') {
        cancel();
        begun.resolve(null);
      }
      if (event !== 'error') return;
      crashes += 1;
      const { state, errorMessage } = plugin.supervisor;
      const why = errorMessage ?? 'It crashed.';
      if (state === 'failed') spoil(why);
      else if (crashes >= mostCrashes) spoil(`It crashed ${crashes} times. ${why}`);
    },
  };
}
