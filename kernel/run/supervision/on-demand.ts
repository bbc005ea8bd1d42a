/**
 * A plugin that uses no memory and no processor time until it is called. Guarantees: callers see no
 * difference; at most one run exists; a run without a call for a while is shut down as at a stop; a
 * run that cannot begin counts as a crash of the plugin.
 */
import type { PluginReply, PluginRequest } from '../../call/running-plugin.ts';
import type { Ending, Sandbox, SandboxUsage } from '../sandbox/index.ts';
import type { Undo } from '../../call/host-service.ts';
import type { Clock } from '../plugin/clock.ts';
import { addRun, noUsage } from '../usage/run-usage.ts';

/** The parts of an on-demand plugin. */
export interface OnDemandParts {
  readonly pluginId: string;
  readonly start: (onGone: (ending: Ending) => void) => Promise<Sandbox>;
  /** Called once, when a run has ended by itself or could not begin. */
  readonly onGone: (ending: Ending) => void;
  /** Lets a run store its state, then ends it. */
  readonly shutDown: (sandbox: Sandbox) => Promise<void>;
  readonly clock: Clock;
}

interface Run {
  readonly made: Promise<Sandbox>;
  sandbox: Sandbox | null;
}

/** A run without a call for this long ends. */
const idleMs = 5 * 60_000;

/** Creates the plugin without a run. */
export function createOnDemand(parts: OnDemandParts): Sandbox {
  const { pluginId, start, onGone, shutDown, clock } = parts;
  let run: Run | null = null;
  let before: SandboxUsage = noUsage;
  let earlier: Promise<unknown> = Promise.resolve();
  let inFlight = 0;
  let cancelSleep: Undo = () => undefined;
  let isOver = false;

  function wake(): Run {
    if (run) return run;
    const made = earlier.then(() => start((ending) => lose(woken, ending)));
    const woken: Run = { made, sandbox: null };
    run = woken;
    made.then(
      (sandbox) => {
        woken.sandbox = sandbox;
      },
      (error: unknown) => lose(woken, { reason: 'exited', message: whyNot(error) }),
    );
    return woken;
  }

  function lose(lost: Run, ending: Ending): void {
    if (run !== lost || isOver) return;
    isOver = true;
    letGo();
    onGone(ending);
  }

  function letGo(): Run | null {
    const gone = run;
    run = null;
    cancelSleep();
    if (gone?.sandbox) before = addRun(before, gone.sandbox.usage());
    return gone;
  }

  function sleepLater(): void {
    cancelSleep = clock.after(idleMs, () => {
      earlier = endRun(letGo(), shutDown);
    });
  }

  async function call(request: PluginRequest): Promise<PluginReply> {
    if (isOver) return { kind: 'gone' };
    if (!run && request.method === 'shutdown') return { kind: 'returned', body: 'null' };
    cancelSleep();
    inFlight += 1;
    try {
      return await callAwake(request);
    } finally {
      inFlight -= 1;
      if (inFlight === 0 && run && !isOver) sleepLater();
    }
  }

  /** The time of the start counts against the deadline of the call. */
  async function callAwake(request: PluginRequest): Promise<PluginReply> {
    const endsAt = clock.now() + request.timeoutMs;
    const late = Promise.withResolvers<null>();
    const cancel = clock.after(request.timeoutMs, () => late.resolve(null));
    try {
      const { sandbox, made } = wake();
      const awake = sandbox ?? (await Promise.race([made, late.promise]));
      if (!awake) return { kind: 'timed-out' };
      return await awake.call({ ...request, timeoutMs: Math.max(1, endsAt - clock.now()) });
    } catch {
      return { kind: 'gone' };
    } finally {
      cancel();
    }
  }

  return {
    pluginId,
    call,
    stop: async () => {
      isOver = true;
      await Promise.all([earlier, endRun(letGo(), (sandbox) => sandbox.stop())]);
    },
    usage: () =>
      run?.sandbox ? addRun(before, run.sandbox.usage()) : { ...before, memoryBytes: 0 },
  };
}

/** Ends a run, also one that is still starting. */
async function endRun(run: Run | null, end: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  try {
    if (run) await end(await run.made);
  } catch {
    // It never began, so there is nothing to end.
  }
}

const whyNot = (error: unknown): string =>
  error instanceof Error ? error.message : 'The plugin could not start.';
