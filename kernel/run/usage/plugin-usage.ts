import type { FailureCounts } from './failure-log.ts';
import type { PowerCount, Refusal } from './power-log.ts';
import type { UsagePoint } from './usage-chart.ts';

/** What a plugin has used since the server started. */
export interface PluginUsage {
  /** Calls into the plugin. */
  readonly calls: number;
  readonly timeouts: number;
  readonly unknownHandlers: number;
  /** Calls for a person: views, actions, searches. */
  readonly viewerCalls: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly droppedEvents: number;
  /** Calls of host services, refused ones included. */
  readonly hostCalls: number;
  readonly refusedCalls: number;
  /** How long it was paused because it had used up its processor quota. */
  readonly pausedMs: number;
  /** The recent maximum of its process; 0 when it shares a process. */
  readonly processBytes: number;
  /** Text counts in characters. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly restarts: number;
  /** Events that wait for it now. */
  readonly queuedEvents: number;
  readonly failures: FailureCounts;
  readonly powers: readonly PowerCount[];
  /** The latest first. */
  readonly refusals: readonly Refusal[];
  /** The last hour, minute by minute. */
  readonly chart: readonly UsagePoint[];
}

/** How much of one quota a plugin uses now. */
export interface QuotaUse {
  readonly quota:
    | 'memory'
    | 'processMemory'
    | 'cpu'
    | 'hostCalls'
    | 'hostBytes'
    | 'eventQueue'
    | 'kv'
    | 'textIndex'
    | 'package'
    | 'disk'
    | 'log';
  readonly unit: 'bytes' | 'ms/s' | 'calls/min' | 'bytes/min' | 'events' | 'lines';
  readonly used: number;
  /** `null` = no limit, for built-ins. */
  readonly limit: number | null;
}
