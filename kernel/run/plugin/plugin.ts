import type { CapabilityConfig, ConfigField } from '../../../plugin-api/index.ts';
import type { Suspension } from '../../call/suspended-dispatch.ts';
import type { PluginType } from './plugin-type.ts';

/** A field of a configuration form as clients get it. */
export interface ShownField extends ConfigField {
  readonly required: boolean;
}

/** How far a plugin has come; `failed` is final until an admin restarts it. */
export type PluginState = 'discovered' | 'starting' | 'running' | 'stopping' | 'stopped' | 'failed';

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
  readonly configuration: readonly ShownField[];
  readonly capabilityConfig: CapabilityConfig;
  /** Handlers that are suspended; absent = none. */
  readonly suspended?: readonly Suspension[];
}
