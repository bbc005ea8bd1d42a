import type { PermissionName, Permissions } from '../plugin-api/index.ts';
import type { CallChain } from './call-chain.ts';
import type { DispatchViewer } from './dispatch-viewer.ts';
import type { Reach } from './reach.ts';
import type { Body } from './running-plugin.ts';

/** The caller of a host service. */
export interface HostCaller {
  readonly pluginId: string;
  /** What the admin granted to the plugin. */
  readonly granted: Permissions;
  /** The scopes that it may touch. A method that returns several things leaves out those outside it. */
  readonly reach: Reach;
  /**
   * The person for whom the plugin calls; results leave out what that person may not see. `null` = no
   * person.
   */
  readonly viewer: DispatchViewer | null;
  /** The plugins that caused the call; absent when no plugin did. */
  readonly chain?: CallChain | undefined;
  /** Aborted when the plugin ends. */
  readonly signal: AbortSignal;
}

/** One method of a host service. */
export interface HostMethod {
  /** The power that the method needs, with its level where the power has levels; `null` = none. */
  readonly permission: { readonly name: PermissionName; readonly level?: 'read' | 'write' } | null;
  /** JSON Schema (2020-12) of the input; closed (`additionalProperties: false`). */
  readonly input: object;
  /**
   * Characters of the input as JSON; a longer input is refused unread with `too_large`. 1 MiB when
   * absent.
   */
  readonly maxLength?: number;
  /**
   * Gets the validated input. The plugin receives the code and message of a `KernelError` that it
   * throws.
   */
  readonly run: (input: never, caller: HostCaller) => Promise<unknown>;
  /** `run` returns bytes or finished JSON text, which is sent unchanged. */
  readonly raw?: boolean;
  /** The host or library of a call, as the plugin's usage shows it to an admin. */
  readonly subject?: (input: never, pluginId: string) => string | null;
  /** The input is stored in the plugin's text index and counts against that quota. */
  readonly fillsTextIndex?: boolean;
  /**
   * Most of its time is spent outside this process: network, disk, other plugins. A plugin may have
   * many such calls in progress. All other calls of a plugin run one at a time.
   */
  readonly isElsewhere?: boolean;
  /** A body of bytes is passed to `run` unchanged; otherwise bytes are refused. */
  readonly takesBytes?: boolean;
}

/** A host service that the server registers with the kernel. */
export interface HostService {
  /** `fs` is reached as `host.fs`. */
  readonly name: string;
  readonly methods: Readonly<Record<string, HostMethod>>;
}

/** What a raw method returns. */
export type RawBody = Body;

/** Removes what was registered. */
export type Undo = () => void;
