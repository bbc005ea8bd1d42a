import type { PermissionName, Permissions } from '../plugin-api/index.ts';
import type { DispatchViewer } from './dispatch-viewer.ts';
import type { Reach } from './reach.ts';
import type { Body } from './running-plugin.ts';

/** Who calls a host service. */
export interface HostCaller {
  readonly pluginId: string;
  /** What the admin granted to the plugin. */
  readonly granted: Permissions;
  /** What of the server it may touch: who answers with many things leaves out the others. */
  readonly reach: Reach;
  /** For whom it calls, and what that person may not see is not for the plugin now; `null` = nobody. */
  readonly viewer: DispatchViewer | null;
  /** Aborted when the plugin ends. */
  readonly signal: AbortSignal;
}

/** One method of a host service. */
export interface HostMethod {
  /** The power that it needs, and its level where the power has levels; `null` = none. */
  readonly permission: { readonly name: PermissionName; readonly level?: 'read' | 'write' } | null;
  /** JSON Schema (2020-12) of the input; closed (`additionalProperties: false`). */
  readonly input: object;
  /** Characters of the input as JSON; a longer one is refused with `too_large`, unread. 1 MiB when absent. */
  readonly maxLength?: number;
  /** Gets the validated input. A `KernelError` it throws crosses as its code and message. */
  readonly run: (input: never, caller: HostCaller) => Promise<unknown>;
  /** What `run` gives is bytes, or JSON text made already, and crosses as it is. */
  readonly raw?: boolean;
  /** What a call is about - a host, a library - as an admin reads it in the usage of a plugin. */
  readonly subject?: (input: never, pluginId: string) => string | null;
  /** What it is given is kept in the plugin's text index, and counts against that quota. */
  readonly fillsTextIndex?: boolean;
  /**
   * Most of its time passes elsewhere - in a network, at a disk, in other plugins - so that a plugin may
   * have many of them under way. Of all others its calls take turns.
   */
  readonly isElsewhere?: boolean;
  /** A body of bytes is passed to `run` as it is; without this it is refused. */
  readonly takesBytes?: boolean;
}

/** A host service, registered with the kernel by whoever owns it. */
export interface HostService {
  /** `fs` is reached as `host.fs`. */
  readonly name: string;
  readonly methods: Readonly<Record<string, HostMethod>>;
}

/** What a raw method gives. */
export type RawBody = Body;

/** Takes back what was registered. */
export type Undo = () => void;
