/**
 * The two roads between the kernel and a running plugin. `RunningPlugin` is the road in, `HostGate`
 * the road out; the sandbox carries both and knows neither what is called nor who may call it.
 */

import type { DispatchViewer } from './dispatch-viewer.ts';

/** A body that crosses the boundary: JSON text, or bytes as they are. */
export type Body = string | Uint8Array;

/** One call into a plugin. `inputJson` is made once by the caller, however many plugins hear it. */
export interface PluginRequest {
  readonly method: string;
  readonly inputJson: string;
  /** Milliseconds that the call may take, from now. */
  readonly timeoutMs: number;
  /** The person who caused it; nobody did when absent. */
  readonly viewer?: DispatchViewer | undefined;
}

/** How the plugin answered. `gone`: it ended while the call was under way, or before. */
export type PluginReply =
  | { readonly kind: 'returned'; readonly body: Body }
  | {
      readonly kind: 'threw';
      readonly code: string;
      readonly message: string;
      /** Where it came from, in the plugin's own words. */
      readonly stack?: string;
    }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'unknown-handler' }
  | { readonly kind: 'gone' };

/** A plugin that runs. */
export interface RunningPlugin {
  readonly pluginId: string;
  /** Never rejects. */
  readonly call: (request: PluginRequest) => Promise<PluginReply>;
}

/** One call out of a plugin, as `host.<service>.<method>(input)`. Untrusted until validated. */
export interface HostCall {
  readonly service: string;
  readonly method: string;
  readonly body: Body;
  /** Of the call into the plugin that it is made in; `null` when no person caused that. */
  readonly viewer: DispatchViewer | null;
}

/** The answer to a host call. Codes are snake_case; a message holds no path, stack or SQL. */
export type HostReply =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The one way out. Never rejects. The signal is aborted when the plugin ends. */
export type HostGate = (call: HostCall, signal: AbortSignal) => Promise<HostReply>;
