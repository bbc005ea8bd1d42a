/**
 * Keeps one plugin in the state that it should be in: starts it, stops it, brings it back after a
 * crash by the restart rule. Invariants: the state changes by the transition table alone; at most
 * one run is current, and what an earlier run does late - answer, die - changes nothing; a plugin
 * that was stopped stays stopped, whatever was under way.
 */
import { KernelError } from '../errors.ts';
import type { Undo } from '../host-service.ts';
import type { Ending, Sandbox } from '../sandbox/index.ts';
import type { Clock } from './clock.ts';
import { nextState, type PluginMove, type PluginState } from './lifecycle.ts';
import { createRestartRule, type RestartRule } from './restart-rule.ts';

/** What a supervisor tells of. */
export type LifeEvent = 'started' | 'restarted' | 'stopped' | 'error';

/** What a supervisor is made of. */
export interface SupervisorParts {
  /**
   * Reads, packs and evaluates the plugin. `plugin_failed` is final, unless its cause is that a
   * neighbour took the process down; other errors are a crash.
   */
  readonly launch: (onGone: (ending: Ending) => void) => Promise<Sandbox>;
  /** Begins what lasts from a start until a stop, restarts included. */
  readonly open: () => Undo;
  /** Begins what lasts while the plugin runs. */
  readonly attach: () => Undo;
  /** Hears of each run's end what that run has used. */
  readonly retire: (sandbox: Sandbox) => void;
  /** The state is another one. */
  readonly changed: () => void;
  readonly tell: (event: LifeEvent) => void;
  /** What the plugin's log should say. */
  readonly note: (level: 'info' | 'error', text: string) => void;
  readonly clock: Clock;
  readonly startTimeoutMs?: number;
}

/** One time that the plugin runs. */
interface Run {
  readonly made: Promise<Sandbox>;
  sandbox: Sandbox | null;
  detach: Undo;
  /** Nobody waits for it to begin any more. */
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
  /** Settles when no earlier run can come to life any more. */
  #earlier: Promise<unknown> = Promise.resolve();
  #close: Undo = nothing;
  #cancelRestart: Undo = nothing;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  get state(): PluginState {
    return this.#state;
  }

  /** Why it crashed or failed last; `null` while all is well. */
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

  /** The sandbox of the plugin, while it runs. */
  get sandbox(): Sandbox | null {
    return this.#run?.sandbox ?? null;
  }

  /**
   * Starts it, and forgets earlier crashes. Resolves when it runs or has failed; the state tells
   * which. No effect on one that is starting or running.
   */
  async start(): Promise<void> {
    await this.#start('started');
  }

  /** Stops it and starts it again; crashes so far are forgotten. */
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

  /** Stops it for good; also one that waits for its restart. No effect on a stopped one. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    if (this.#state !== 'stopping') this.#stopping = this.#stop();
    await this.#stopping;
  }

  /** Begins anew what lasts while it runs, since what decides on it has changed. */
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
    if (isBlameless(error)) this.#gone(run, error.cause);
    else if (error instanceof KernelError && error.code === 'plugin_failed') {
      this.#fail(run, error.message);
    } else {
      const why = error instanceof KernelError ? error.message : 'The plugin could not start.';
      this.#gone(run, { reason: 'exited', message: why });
    }
  }

  /** A run has ended that nobody had asked to. */
  #gone(run: Run, { reason, message }: Ending): void {
    if (this.#run !== run) return;
    const now = this.#parts.clock.now();
    const isCrash = reason !== 'disconnected';
    const delayMs = isCrash ? this.#rule.afterCrash(now) : this.#rule.afterDisconnect(now);
    if (isCrash) this.#lastCrashAt = now;
    if (delayMs === null) {
      this.#fail(run, `${message} It crashed too often and is not started again.`);
      return;
    }
    this.#letGo();
    this.#errorMessage = message;
    this.#move('crash');
    this.#parts.note('error', `${message} It is started again in ${delayMs / 1000} s.`);
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

  /** From here on, nothing that the current run does counts. */
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

/** A start that failed because another plugin took the shared process down. */
function isBlameless(error: unknown): error is { readonly cause: Ending } {
  if (!(error instanceof KernelError)) return false;
  const { cause } = error;
  if (typeof cause !== 'object' || cause === null) return false;
  return 'reason' in cause && cause.reason === 'disconnected';
}

/** The plugin may store what it holds; then it ends. */
export async function shutDown(sandbox: Sandbox): Promise<void> {
  await sandbox.call({ method: 'shutdown', inputJson: '{}', timeoutMs: shutdownTimeoutMs });
  await sandbox.stop();
}

/** A run that was given up before it began ends as soon as it has. */
async function endLate(run: Run): Promise<void> {
  try {
    const sandbox = await run.made;
    await sandbox.stop();
  } catch {
    // It never began, which is as good.
  }
}
