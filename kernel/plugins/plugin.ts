import type { CapabilityConfig, ConfigField } from '../../plugin-api/index.ts';
import type { Suspension } from '../suspended-dispatch.ts';
import type { FailureCounts } from './lifecycle/failure-log.ts';
import type { PluginState } from './lifecycle/lifecycle.ts';
import type { PowerCount, Refusal } from './usage/power-log.ts';
import type { UsagePoint } from './usage/usage-chart.ts';

/** The origin of a plugin. */
export type PluginType = 'builtin' | 'marketplace' | 'local';

/** The Plugin resource of the specification. */
export interface Plugin {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly license: string;
  readonly repository: string | null;
  readonly homepage: string | null;
  readonly capabilities: readonly string[];
  readonly mediaTypes: readonly string[];
  readonly enabled: boolean;
  readonly state: PluginState;
  readonly errorMessage: string | null;
  readonly type: PluginType;
  readonly restartAttempts: number;
  readonly lastCrashAt: string | null;
  /** The form, without values. */
  readonly configuration: readonly ConfigField[];
  readonly capabilityConfig: CapabilityConfig;
  /** Handlers that are suspended; absent = none. */
  readonly suspended?: readonly Suspension[];
}

/** Why a plugin was skipped. */
export type SkippedReason =
  | 'invalid-manifest'
  | 'incompatible-version'
  | 'missing-dependency'
  | 'duplicate-id'
  | 'missing-entry'
  | 'invalid-signature'
  | 'revoked'
  | 'permissions-pending';

/** The skipped plugin entry of the specification; fields that could not be read are empty strings. */
export interface SkippedPlugin {
  /** Identifies the entry where ids are missing or duplicated. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly minVersion: string;
  readonly appVersion: string;
  readonly path: string;
  readonly reason: SkippedReason;
  readonly message: string;
}

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
