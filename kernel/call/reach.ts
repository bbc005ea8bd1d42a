/**
 * The reach of a plugin. An admin may limit a grant to scopes (libraries) and to folders of them. The
 * kernel stores the choice and asks the policy before every call out of a plugin and into it. Only
 * the policy knows what a scope is and what belongs to it. What the policy cannot attribute to a
 * scope is out of reach. Without a policy, everything is out of reach.
 */

import type { DispatchViewer } from './dispatch-viewer.ts';
import { KernelError } from '../errors.ts';

/** A scope that an admin chose; all of it when `folders` is absent. */
export interface ReachedScope {
  readonly id: string;
  /** In the canonical spelling of the policy. */
  readonly folders?: readonly string[];
}

/** The scopes of a limited grant; an empty list reaches nothing that is in a scope. */
export type Narrowed = readonly ReachedScope[];

/** What a plugin may touch. The other rules of its grant apply as well. */
export type Reach = 'all' | Narrowed;

/** Whether all of a scope is in reach. */
export const reachesAllOf = (reach: Reach, scope: string): boolean =>
  reach === 'all' || reach.some(({ id, folders }) => id === scope && folders === undefined);

/** A call that a plugin makes. Its input has passed its schema. */
export interface OutgoingCall {
  readonly pluginId: string;
  /** `fs.read` */
  readonly call: string;
  readonly input: unknown;
}

/** A call into a plugin. The plugin learns all that it is given. */
export interface IncomingCall {
  readonly method: string;
  /** The event, the hook, the view or the action. */
  readonly name: string | null;
  readonly input: unknown;
  /**
   * The resource that the call concerns, where the input does not name it. Only the caller and the
   * policy read it.
   */
  readonly subject: unknown;
}

/** Scopes that a grant reaches only by name; a grant of everything does not include them. */
export interface HiddenScopes {
  /** Whether any scope is hidden. */
  readonly any: () => boolean;
  /** The reach without hidden scopes, except those that it names. */
  readonly shownOf: (reach: Reach) => Reach;
  /**
   * Whether an event reveals a hidden scope to this plugin; `null` = to any plugin. When this is unknown,
   * the answer is yes. Called only while a scope is hidden.
   */
  readonly isIn: (
    event: { readonly type: string; readonly data?: unknown },
    receiver: string | null,
  ) => Promise<boolean>;
}

/** Decides what belongs to which scope. */
export interface ReachPolicy {
  /** Nothing is hidden when absent. */
  readonly hidden?: HiddenScopes;
  /**
   * The reach that an admin chose, in its canonical spelling. Rejects with `invalid_argument`, which
   * names the fault, also for a place that does not exist.
   */
  readonly parse: (picked: unknown) => Promise<Reach>;
  readonly mayCall: (reach: Narrowed, call: OutgoingCall) => boolean | Promise<boolean>;
  /**
   * Whether the person for whom a dispatch runs may see all that a call of the plugin names. The
   * plugin's own reach is checked separately.
   */
  readonly mayCallFor: (viewer: DispatchViewer, call: OutgoingCall) => boolean | Promise<boolean>;
  /** The person of a profile, for a plugin to which it agreed; `null` = it is gone. Nobody when absent. */
  readonly personOf?: (profileId: string) => Promise<DispatchViewer | null>;
  readonly canReceive: (reach: Narrowed, call: IncomingCall) => boolean | Promise<boolean>;
  /** What is within both; nothing when absent. */
  readonly intersect?: (one: Narrowed, other: Narrowed) => Narrowed;
  /** Why a recorded use would be refused, in whole or in part; `null` = it would be allowed. */
  readonly lack: (
    reach: Narrowed,
    use: { readonly call: string; readonly subject: string | null },
    locale?: string | null,
  ) => string | null;
  /**
   * The places in plain text: `Films (only the folder Kids) and Shows`. In the language of the reader,
   * as of `lack`; in English when absent.
   */
  readonly text: (reach: Narrowed, locale?: string | null) => string;
}

/** The policy of a server without scopes: nothing is in reach. */
export const denyAll: ReachPolicy = {
  parse: async () => {
    throw new KernelError('invalid_argument', 'A grant cannot be limited on this server.');
  },
  mayCall: () => false,
  mayCallFor: () => false,
  canReceive: () => false,
  lack: () => 'no place was granted',
  text: () => 'nothing',
};
