import type { IsolationReport } from './isolation.ts';
import type { HostGate, RunningPlugin } from '../running-plugin.ts';

/** How a line of a plugin's log is meant. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line that a plugin wrote. Holds no control characters and at most 2000 others. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly text: string;
}

/**
 * Why a sandbox is gone. `disconnected`: its process ended through no fault of its own.
 * `exited`: the process ended and nobody can say why.
 */
export type EndingReason = 'exited' | 'memory' | 'cpu' | 'stuck' | 'protocol' | 'disconnected';

/** The end of a sandbox that nobody asked for. */
export interface Ending {
  readonly reason: EndingReason;
  readonly message: string;
  /** Of what the module threw when it was started: the plugin's own words, to be read and not shown. */
  readonly stack?: string;
}

/** What a sandbox is made from. */
export interface SandboxSpec {
  readonly pluginId: string;
  /** One script that leaves the plugin's module in the global variable `__plugin`. */
  readonly script: string;
  readonly memoryMb: number;
  /** CPU milliseconds per second that the plugin may use in the long run; absent = no limit. */
  readonly cpuMsPerSecond?: number;
  /** WebAssembly exists in the isolate. */
  readonly wasm: boolean;
  /** `shared`: in the one process of the built-ins; `own`: in a process of its own. */
  readonly process: 'shared' | 'own';
  /**
   * It is no part of the server: its own process computes when the server and the shared process leave
   * the processor, starts when no other such process does, and is heard for a share of the time.
   */
  readonly isLowPriority?: boolean;
  /** `host.<service>.<method>` that exist, by service. */
  readonly services: Readonly<Record<string, readonly string[]>>;
  readonly gate: HostGate;
  readonly onLog: (entry: LogEntry) => void;
  /** Called about once a second, when it is known anew what the sandbox has used. */
  readonly onMeasured?: () => void;
  /** A host call that never reached the gate. */
  readonly onRefused?: (
    call: string,
    why: { readonly code: string; readonly message: string },
  ) => void;
  /** Called once, and not after `stop()`. */
  readonly onGone: (ending: Ending) => void;
}

/** What a sandbox has used so far. */
export interface SandboxUsage {
  readonly calls: number;
  readonly timeouts: number;
  readonly cpuMs: number;
  /** How long it had to wait because it had used up its share of the processor. */
  readonly pausedMs: number;
  readonly memoryBytes: number;
  /** The most that its process was of late; 0 for a shared one. */
  readonly processBytes: number;
  readonly hostCalls: number;
  /** Inputs of calls and answers of the host, and what comes back; a text counts by its characters. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A plugin that runs in an isolate of a plugin-host process. */
export interface Sandbox extends RunningPlugin {
  /** Ends it; calls in flight are answered `gone`. */
  readonly stop: () => Promise<void>;
  readonly usage: () => SandboxUsage;
}

/** A plugin-host process and the plugins in it. */
export interface HostReport {
  readonly pid: number;
  readonly rssBytes: number;
  readonly pluginIds: readonly string[];
  /** Frames that were dropped: late, foreign, or malformed. */
  readonly dropped: number;
}

/** All sandboxes of the server. */
export interface Sandboxes {
  /**
   * Rejects with `KernelError` `plugin_failed`: evaluation threw, took too long, or ran out of
   * memory. Where there is one, the {@link Ending} is its cause.
   */
  readonly start: (spec: SandboxSpec) => Promise<Sandbox>;
  /** Starts the shared process ahead of its first plugin, beside whatever comes before that. */
  readonly warm: () => void;
  /** What the process of an installed plugin has around it. The first question looks, and is remembered. */
  readonly isolation: () => Promise<IsolationReport>;
  /** Ends every host process by SIGKILL and resolves when they are gone. */
  readonly stop: () => Promise<void>;
  readonly report: () => readonly HostReport[];
}
