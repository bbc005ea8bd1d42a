/**
 * Keeps one plugin in its wanted state: starts it, stops it, and restarts it after a crash by the
 * restart rule. Invariants: the state changes by the transition table only; at most one run is
 * current, and a late answer or end of an earlier run changes nothing; a plugin that was stopped
 * stays stopped.
 */
import { KernelError } from '../../errors.ts';
import type { Undo } from '../../call/host-service.ts';
import type { Ending, Sandbox } from '../sandbox/index.ts';
import type { Clock } from '../plugin/clock.ts';
import type { PluginState } from '../plugin/plugin.ts';
import { nextState, type PluginMove } from './plugin-states.ts';
import { createRestartRule, type RestartRule } from './restart-rule.ts';

/** What a supervisor reports. */
export type LifeEvent = 'started' | 'restarted' | 'stopped' | 'error';

export interface SupervisorParts {
  /**
   * Reads, packs and evaluates the plugin. `plugin_failed` is final, unless another plugin took the
   * process down; other errors count as a crash.
   */
  readonly launch: (onGone: (ending: Ending) => void) => Promise<Sandbox>;
  /** Begins what lasts from a start until a stop, over restarts. */
  readonly open: () => Undo;
  /** Begins what lasts while the plugin runs. */
  readonly attach: () => Undo;
  /** Called at the end of each run, with its sandbox. */
  readonly retire: (sandbox: Sandbox) => void;
  /** Called after every change of state. */
  readonly changed: () => void;
  readonly tell: (event: LifeEvent) => void;
  /** Writes a line into the plugin's log. */
  readonly note: (level: 'info' | 'error', text: string) => void;
  readonly clock: Clock;
  readonly startTimeoutMs?: number;
}

/** One run of the plugin. */
interface Run {
  readonly made: Promise<Sandbox>;
  sandbox: Sandbox | null;
  detach: Undo;
  /** Ends the wait for its beginning. */
  settle: () => void;
}

const startTimeoutMs = 30_000;
const shutdownTimeoutMs = 2000;
const nothing: Undo = () => undefined;

export class Supervisor {
  readonly #parts: SupervisorParts;
  #state: PluginState = 'discovered';
  #errorMessage: string | null = null;
  #lastCrashAt: number | null = null;
  #rule: RestartRule = createRestartRule();
  #run: Run | null = null;
  #starting: Promise<void> = Promise.resolve();
  #stopping: Promise<void> = Promise.resolve();
  /** Settles when no earlier run can begin late. */
  #earlier: Promise<unknown> = Promise.resolve();
  #close: Undo = nothing;
  #cancelRestart: Undo = nothing;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  get state(): PluginState {
    return this.#state;
  }

  /** Why it crashed or failed last; `null` = it has not. */
  get errorMessage(): string | null {
    return this.#errorMessage;
  }

  get restartAttempts(): number {
    return this.#rule.attempts(this.#parts.clock.now());
  }

  /** Unix milliseconds. */
  get lastCrashAt(): number | null {
    return this.#lastCrashAt;
  }

  /** The sandbox of the plugin while it runs. */
  get sandbox(): Sandbox | null {
    return this.#run?.sandbox ?? null;
  }

  /**
   * Starts it, and forgets earlier crashes. Resolves when it runs or has failed, which the state
   * shows. No effect while it starts or runs.
   */
  async start(): Promise<void> {
    await this.#start('started');
  }

  /** Stops it and starts it again; earlier crashes are forgotten. */
  async restart(): Promise<void> {
    await this.stop();
    await this.#start('restarted');
  }

  async #start(event: 'started' | 'restarted'): Promise<void> {
    while (this.#state === 'stopping') await this.#stopping;
    if (this.#state === 'running') return;
    if (this.#state !== 'starting') {
      this.#move('start');
      this.#rule = createRestartRule();
      this.#errorMessage = null;
      this.#close = this.#parts.open();
      this.#starting = this.#launch(event);
    }
    await this.#starting;
  }

  /** Stops it for good, also while it waits for a restart. No effect on a stopped one. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    if (this.#state !== 'stopping') this.#stopping = this.#stop();
    await this.#stopping;
  }

  /** Begins again what lasts while it runs, since its conditions have changed. */
  reattach(): void {
    if (!this.#run?.sandbox) return;
    this.#run.detach();
    this.#run.detach = this.#parts.attach();
  }

  async #stop(): Promise<void> {
    this.#move('stop');
    this.#cancelRestart();
    this.#cancelRestart = nothing;
    const run = this.#letGo();
    this.#endOpen();
    this.#errorMessage = null;
    if (this.#state !== 'stopping') return;
    try {
      if (run?.sandbox) await shutDown(run.sandbox);
    } finally {
      this.#move('end');
      this.#parts.tell('stopped');
    }
  }

  #endOpen(): void {
    this.#close();
    this.#close = nothing;
  }

  /** Resolves when the run has begun, has failed, or was given up. */
  #launch(event: 'started' | 'restarted'): Promise<void> {
    const { clock, launch } = this.#parts;
    const limitMs = this.#parts.startTimeoutMs ?? startTimeoutMs;
    const settled = Promise.withResolvers<undefined>();
    const made = this.#earlier.then(() => launch((ending) => this.#gone(run, ending)));
    const cancelDeadline = clock.after(limitMs, () => {
      this.#fail(run, `The plugin did not start within ${limitMs / 1000} s.`);
    });
    const settle = () => {
      cancelDeadline();
      settled.resolve(undefined);
    };
    const run: Run = { made, sandbox: null, detach: nothing, settle };
    this.#run = run;
    made.then(
      (sandbox) => this.#arrived(run, sandbox, event),
      (error: unknown) => this.#refused(run, error),
    );
    return settled.promise;
  }

  #arrived(run: Run, sandbox: Sandbox, event: 'started' | 'restarted'): void {
    if (this.#run !== run) return;
    run.sandbox = sandbox;
    this.#errorMessage = null;
    this.#move('ready');
    run.detach = this.#parts.attach();
    this.#parts.tell(event);
    run.settle();
  }

  #refused(run: Run, error: unknown): void {
    if (lostItsProcess(error)) this.#gone(run, error.cause);
    else if (error instanceof KernelError && error.code === 'plugin_failed') {
      this.#fail(run, error.message);
    } else {
      const why = error instanceof KernelError ? error.message : 'The plugin could not start.';
      this.#gone(run, { reason: 'exited', message: why });
    }
  }

  /** A run has ended without a request. */
  #gone(run: Run, { reason, message }: Ending): void {
    if (this.#run !== run) return;
    const now = this.#parts.clock.now();
    const isCrash = reason !== 'disconnected';
    const delayMs = isCrash ? this.#rule.afterCrash(now) : this.#rule.afterDisconnect(now);
    if (isCrash) this.#lastCrashAt = now;
    if (delayMs === null) {
      this.#fail(run, `${message} It crashed too often and will not be restarted.`);
      return;
    }
    this.#letGo();
    this.#errorMessage = message;
    this.#move('crash');
    this.#parts.note('error', `${message} It will be restarted in ${delayMs / 1000} s.`);
    if (isCrash) this.#parts.tell('error');
    this.#cancelRestart = this.#parts.clock.after(delayMs, () => {
      this.#starting = this.#launch('restarted');
    });
  }

  #fail(run: Run, message: string): void {
    if (this.#run !== run) return;
    this.#letGo();
    this.#endOpen();
    this.#errorMessage = message;
    this.#move('fail');
    this.#parts.note('error', message);
    this.#parts.tell('error');
  }

  /** From here on, events of the current run are ignored. */
  #letGo(): Run | null {
    const run = this.#run;
    this.#run = null;
    run?.detach();
    run?.settle();
    if (run?.sandbox) this.#parts.retire(run.sandbox);
    else if (run) this.#earlier = endLate(run);
    return run;
  }

  #move(move: PluginMove): void {
    this.#state = nextState(this.#state, move);
    this.#parts.changed();
  }
}

/**
 * Whether a start failed with its process: another plugin took it down, or it did not answer, as on a
 * machine that is too busy. Another start may do better.
 */
function lostItsProcess(error: unknown): error is { readonly cause: Ending } {
  if (!(error instanceof KernelError)) return false;
  const { cause } = error;
  if (typeof cause !== 'object' || cause === null) return false;
  return 'reason' in cause && (cause.reason === 'disconnected' || cause.reason === 'stuck');
}

/** Lets the plugin store its state, then ends it. */
export async function shutDown(sandbox: Sandbox): Promise<void> {
  await sandbox.call({ method: 'shutdown', inputJson: '{}', timeoutMs: shutdownTimeoutMs });
  await sandbox.stop();
}

/** Ends a run that was given up before it began. */
async function endLate(run: Run): Promise<void> {
  try {
    const sandbox = await run.made;
    await sandbox.stop();
  } catch {
    // It never began, so there is nothing to end.
  }
}
