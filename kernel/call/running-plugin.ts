/**
 * The two ways between the kernel and a running plugin: `RunningPlugin` is the way in, `HostGate` the
 * way out. The sandbox carries both and knows neither the methods nor the permissions.
 */

import type { CallChain } from './call-chain.ts';
import type { DispatchViewer } from './dispatch-viewer.ts';

/** A body that crosses the boundary: JSON text, or raw bytes. */
export type Body = string | Uint8Array;

/** One call into a plugin. The caller makes `inputJson` once for all plugins that receive it. */
export interface PluginRequest {
  readonly method: string;
  readonly inputJson: string;
  /** Milliseconds that the call may take from now. */
  readonly timeoutMs: number;
  /** The person who caused the call; absent when no person did. */
  readonly viewer?: DispatchViewer | undefined;
  /** The plugins that caused the call; absent when no plugin did. */
  readonly chain?: CallChain | undefined;
}

/** How the plugin answered. `gone`: the plugin ended before or during the call. */
export type PluginReply =
  | { readonly kind: 'returned'; readonly body: Body }
  | {
      readonly kind: 'threw';
      readonly code: string;
      readonly message: string;
      /** The stack, in the plugin's own text. */
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
  /** The viewer of the dispatch in which the call is made; `null` when no person caused it. */
  readonly viewer: DispatchViewer | null;
  /** The profile for which the plugin acts instead, by its name there. It counts only if it agreed. */
  readonly as?: string;
  /** The plugins that caused the dispatch; absent when no plugin did. */
  readonly chain?: CallChain | undefined;
}

/** The answer to a host call. Codes are snake_case; a message holds no path, stack or SQL. */
export type HostReply =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The one way out. Never rejects. The signal is aborted when the plugin ends. */
export type HostGate = (call: HostCall, signal: AbortSignal) => Promise<HostReply>;
