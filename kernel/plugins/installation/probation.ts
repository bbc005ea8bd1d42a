/** The probation of a version that was just placed: it must start, and must not crash repeatedly. */
import type { Undo } from '../../host-service.ts';
import type { Clock } from '../plugin/clock.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { LifeEvent } from '../supervision/supervisor.ts';

/** One version on probation. */
export interface Probation {
  readonly plugin: InstalledPlugin;
  /** Resolves with `null` when it runs, or with why it never will. */
  readonly begun: Promise<string | null>;
  /** Resolves with the reason when it fails. */
  readonly failed: Promise<string>;
  readonly onLifeEvent: (event: LifeEvent | 'discovered') => void;
  /** Ends the wait for it. */
  readonly giveUp: (why: string) => void;
}

/** The longest time until it runs. */
const startTimeoutMs = 30_000;
const mostCrashes = 3;

/** Begins the probation of a plugin that is about to start. */
function createProbation(plugin: InstalledPlugin, clock: Clock): Probation {
  const begun = Promise.withResolvers<string | null>();
  const failed = Promise.withResolvers<string>();
  let crashes = 0;
  const tooLate = `It did not run within ${startTimeoutMs / 1000} s.`;
  const cancel: Undo = clock.after(startTimeoutMs, () => fail(tooLate));

  function fail(why: string): void {
    cancel();
    begun.resolve(why);
    failed.resolve(why);
  }

  return {
    plugin,
    begun: begun.promise,
    failed: failed.promise,
    giveUp: fail,
    onLifeEvent: (event) => {
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
export interface Probations {
  /** Begins a probation, which replaces another one of that plugin. */
  readonly begin: (plugin: InstalledPlugin) => Probation;
  /** Watches a version that runs: it passes after a while, or fails before. */
  readonly watch: (
    probation: Probation,
    ends: {
      readonly afterMs: number;
      readonly passed: () => void;
      readonly failed: (why: string) => void;
    },
  ) => void;
  /** Ends the probation of that plugin. */
  readonly drop: (pluginId: string, why?: string) => void;
  readonly onLifeEvent: (plugin: InstalledPlugin, event: LifeEvent | 'discovered') => void;
  readonly close: () => void;
}

const nothing: Undo = () => undefined;

/** Creates the probations, none so far. */
export function createProbations(clock: Clock): Probations {
  const current = new Map<string, { readonly probation: Probation; readonly cancel: Undo }>();

  function drop(pluginId: string, why = 'The probation was ended.'): void {
    const found = current.get(pluginId);
    if (!found) return;
    current.delete(pluginId);
    found.cancel();
    found.probation.giveUp(why);
  }

  const watch: Probations['watch'] = (probation, { afterMs, passed, failed }) => {
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
    begin: (plugin) => {
      drop(plugin.id);
      const probation = createProbation(plugin, clock);
      current.set(plugin.id, { probation, cancel: nothing });
      return probation;
    },
    watch,
    drop,
    onLifeEvent: (plugin, event) => {
      const probation = current.get(plugin.id)?.probation;
      if (probation?.plugin === plugin) probation.onLifeEvent(event);
    },
    close: () => {
      for (const id of [...current.keys()]) drop(id, 'The server is stopping.');
    },
  };
}
