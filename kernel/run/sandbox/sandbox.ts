import type { IsolationReport } from './isolation.ts';
import type { HostGate, RunningPlugin } from '../../call/running-plugin.ts';

/** The level of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line of a plugin: at most 2000 characters without control characters. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly text: string;
}

/**
 * Why a sandbox ended. `disconnected`: its process ended through another plugin's fault. `exited`:
 * the process ended for an unknown reason.
 */
export type EndingReason = 'exited' | 'memory' | 'cpu' | 'stuck' | 'protocol' | 'disconnected';

/** The end of a sandbox without a request. */
export interface Ending {
  readonly reason: EndingReason;
  readonly message: string;
  /** The stack of the module's error during its start: the plugin's own text, to be parsed and not shown. */
  readonly stack?: string;
}

export interface SandboxSpec {
  readonly pluginId: string;
  /** One script that stores the plugin's module in the global variable `__plugin`. */
  readonly script: string;
  readonly memoryMb: number;
  /** CPU milliseconds per second in the long run; absent = no limit. */
  readonly cpuMsPerSecond?: number;
  /** WebAssembly is available in the isolate. */
  readonly wasm: boolean;
  /** `shared`: in the one process of the built-ins; `own`: in a process of its own. */
  readonly process: 'shared' | 'own';
  /**
   * It is not part of the server: its own process gets the processor time that the server and the
   * shared process leave, starts only when no other such process starts, and gets a limited share of
   * the reading time.
   */
  readonly isLowPriority?: boolean;
  /** The available `host.<service>.<method>`, by service. */
  readonly services: Readonly<Record<string, readonly string[]>>;
  readonly gate: HostGate;
  readonly onLog: (entry: LogEntry) => void;
  /** Called about once a second, after its usage was measured. */
  readonly onMeasured?: () => void;
  /** Called for a host call that never reached the gate. */
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
  /** How long it was paused because it had used up its processor quota. */
  readonly pausedMs: number;
  readonly memoryBytes: number;
  /** The recent peak of its process; 0 for a shared one. */
  readonly processBytes: number;
  readonly hostCalls: number;
  /**
   * `bytesIn`: inputs of calls and answers of the host. `bytesOut`: the opposite direction. Text
   * counts in characters.
   */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A plugin that runs in an isolate of a plugin-host process. */
export interface Sandbox extends RunningPlugin {
  /** Ends it; calls in progress are answered `gone`. */
  readonly stop: () => Promise<void>;
  readonly usage: () => SandboxUsage;
}

/** A plugin-host process and the plugins in it. */
export interface HostReport {
  readonly pid: number;
  readonly rssBytes: number;
  readonly pluginIds: readonly string[];
  /** Dropped frames: late, foreign, or malformed. */
  readonly dropped: number;
}

/** All sandboxes of the server. */
export interface Sandboxes {
  /**
   * Rejects with `KernelError` `plugin_failed`: evaluation threw, took too long, or ran out of
   * memory. The {@link Ending}, if any, is its cause.
   */
  readonly start: (spec: SandboxSpec) => Promise<Sandbox>;
  /** Starts the shared process before its first plugin. */
  readonly warm: () => void;
  /** The isolation of installed plugins' processes. The first call examines it; the result is cached. */
  readonly isolation: () => Promise<IsolationReport>;
  /** Ends every host process by SIGKILL and resolves when they are gone. */
  readonly stop: () => Promise<void>;
  readonly report: () => readonly HostReport[];
}
