import type { Permissions } from '../../../plugin-api/index.ts';
import type { DispatchCall } from '../../call/dispatch.ts';
import type { Failure, NoteFailure } from '../../call/failure.ts';
import type { Outcome } from '../../call/outcome.ts';
import { exercisedBy, type Meter } from './meter.ts';
import type { LogLine, PluginLog } from './plugin-log.ts';
import type { PluginUsage, QuotaUse } from './plugin-usage.ts';

/** What plugins use and log, and how often they fail. */
export interface Usage {
  /** Throws `not_found`, as do `quotasOf` and `logs`. */
  readonly of: (id: string) => PluginUsage;
  /** How much of each quota a plugin uses. */
  readonly quotasOf: (id: string) => Promise<readonly QuotaUse[]>;
  readonly logs: (id: string) => readonly LogLine[];
  /** Records a call into a plugin: it may use a power, and may time out. */
  readonly noteCall: (
    call: Pick<DispatchCall, 'pluginId' | 'method' | 'name' | 'viewer'>,
    outcome: Outcome,
  ) => void;
  /** Writes a failure into the log and the usage of the plugin. */
  readonly noteFailure: NoteFailure;
  /** Records a reference of the plugin that is not accepted; no effect for an unknown plugin. */
  readonly refuseClaim: (
    id: string,
    claim: { readonly what: string; readonly why: string },
  ) => void;
}

export interface MeteredPlugin {
  readonly log: PluginLog;
  readonly meter: Meter;
  readonly granted: Permissions;
  readonly usage: () => PluginUsage;
  readonly quotaUse: () => Promise<readonly QuotaUse[]>;
  readonly noteOutcome: (call: Pick<DispatchCall, 'method' | 'name'>, outcome: Outcome) => void;
  readonly countViewerCall: () => void;
  readonly noteFailure: (failure: Failure, stack?: string) => void;
  readonly refuseClaim: (what: string, why: string) => void;
}

/** Creates the usage of the installed plugins. */
export function createUsage({
  find,
  get,
}: {
  readonly find: (id: string) => MeteredPlugin | undefined;
  readonly get: (id: string) => MeteredPlugin;
}): Usage {
  return {
    of: (id) => get(id).usage(),
    quotasOf: async (id) => get(id).quotaUse(),
    logs: (id) => get(id).log.lines(),
    noteCall: (called, outcome) => {
      const { pluginId, method, name, viewer } = called;
      const plugin = find(pluginId);
      plugin?.noteOutcome(called, outcome);
      if (viewer) plugin?.countViewerCall();
      const permission = exercisedBy(method, name);
      // An observer of items uses no power over them.
      if (permission !== null && plugin?.granted[permission] !== undefined)
        plugin.meter.powers.exercise(permission);
    },
    noteFailure: (id, ...failed) => find(id)?.noteFailure(...failed),
    refuseClaim: (id, { what, why }) => find(id)?.refuseClaim(what, why),
  };
}
