/** The probation of a version that was just placed: it must start, and must not crash repeatedly. */
import type { Undo } from '../../call/host-service.ts';
import type { Clock } from '../plugin/clock.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { LifeEvent } from '../supervision/supervisor.ts';

/** One version on probation. */
export type Probation = ReturnType<typeof createProbation>;

/** The longest time until it runs. */
const startTimeoutMs = 30_000;
const mostCrashes = 3;

/** Begins the probation of a plugin that is about to start. */
function createProbation(plugin: InstalledPlugin, clock: Clock) {
  const begun = Promise.withResolvers<string | null>();
  const failed = Promise.withResolvers<string>();
  let crashes = 0;
  const tooLate = `It did not run within ${startTimeoutMs / 1000} s.`;
  const cancel: Undo = clock.after(startTimeoutMs, () => fail(tooLate));

  /** Ends the wait for it. */
  function fail(why: string): void {
    cancel();
    begun.resolve(why);
    failed.resolve(why);
  }

  return {
    plugin,
    /** Resolves with `null` when it runs, or with why it never will. */
    begun: begun.promise,
    /** Resolves with the reason when it fails. */
    failed: failed.promise,
    giveUp: fail,
    onLifeEvent: (event: LifeEvent | 'discovered'): void => {
      if (event === 'started' || event === 'restarted') {
        cancel();
        begun.resolve(null);
      }
      if (event !== 'error') return;
      crashes += 1;
      const { state, errorMessage } = plugin.supervisor;
      const why = errorMessage ?? 'It crashed.';
      if (state === 'failed') fail(why);
      else if (crashes >= mostCrashes) fail(`It crashed ${crashes} times. ${why}`);
    },
  };
}

/** All probations; at most one for each plugin. */
export type Probations = ReturnType<typeof createProbations>;

const nothing: Undo = () => undefined;

/** Creates the probations, none so far. */
export function createProbations(clock: Clock) {
  const current = new Map<string, { readonly probation: Probation; readonly cancel: Undo }>();

  /** Ends the probation of that plugin. */
  function drop(pluginId: string, why: string = 'The probation was ended.'): void {
    const found = current.get(pluginId);
    if (!found) return;
    current.delete(pluginId);
    found.cancel();
    found.probation.giveUp(why);
  }

  /** Watches a version that runs: it passes after a while, or fails before. */
  const watch = (
    probation: Probation,
    {
      afterMs,
      passed,
      failed,
    }: {
      readonly afterMs: number;
      readonly passed: () => void;
      readonly failed: (why: string) => void;
    },
  ): void => {
    const { id } = probation.plugin;
    const isCurrent = (): boolean => current.get(id)?.probation === probation;
    if (!isCurrent()) return;
    const cancel = clock.after(afterMs, () => {
      if (!isCurrent()) return;
      drop(id);
      passed();
    });
    current.set(id, { probation, cancel });
    void probation.failed.then((why) => {
      if (!isCurrent()) return;
      drop(id);
      failed(why);
    });
  };

  return {
    /** Begins a probation, which replaces another one of that plugin. */
    begin: (plugin: InstalledPlugin): Probation => {
      drop(plugin.id);
      const probation = createProbation(plugin, clock);
      current.set(plugin.id, { probation, cancel: nothing });
      return probation;
    },
    watch,
    drop,
    onLifeEvent: (plugin: InstalledPlugin, event: LifeEvent | 'discovered'): void => {
      const probation = current.get(plugin.id)?.probation;
      if (probation?.plugin === plugin) probation.onLifeEvent(event);
    },
    close: (): void => {
      for (const id of [...current.keys()]) drop(id, 'The server is stopping.');
    },
  };
}
