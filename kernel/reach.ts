/**
 * How far a plugin reaches. An admin may narrow a grant to scopes, which are whatever the server keeps
 * its things in, and to folders of them. The kernel keeps what was picked and asks before every call,
 * out of a plugin and into one; what a scope is and what belongs to it, only the judge knows. What a
 * judge cannot attribute is out of reach, and so is everything where there is no judge.
 */

import type { DispatchViewer } from './dispatch-viewer.ts';
import { KernelError } from './errors.ts';

/** A scope that an admin picked; without folders all of it. */
export interface ReachedScope {
  readonly id: string;
  /** In the one spelling of whoever keeps the scope. */
  readonly folders?: readonly string[];
}

/** The scopes of a plugin that was narrowed; none = it touches nothing that is in a scope. */
export type Narrowed = readonly ReachedScope[];

/** What a plugin may touch, whatever else it was granted. */
export type Reach = 'all' | Narrowed;

/** Whether a scope is in reach as a whole. */
export const reachesAllOf = (reach: Reach, scope: string): boolean =>
  reach === 'all' || reach.some(({ id, folders }) => id === scope && folders === undefined);

/** A call that a plugin makes; its input has passed its schema. */
export interface OutgoingCall {
  readonly pluginId: string;
  /** `fs.read` */
  readonly call: string;
  readonly input: unknown;
}

/** A call that is made to a plugin: whatever it is given, it learns. */
export interface IncomingCall {
  readonly method: string;
  /** The event, the hook, the view or the action. */
  readonly name: string | null;
  readonly input: unknown;
  /** What it is about, where the input does not say; in the words of the caller and the judge. */
  readonly subject: unknown;
}

/** Scopes that a grant reaches only by their name: a grant of everything leaves them out. */
export interface HiddenScopes {
  /** Whether there is one. */
  readonly any: () => boolean;
  /** What a plugin with this reach is shown: without hidden scopes, unless the reach names them. */
  readonly shownOf: (reach: Reach) => Reach;
  /**
   * Whether an event tells a plugin of one; `null` = any plugin. What cannot be told counts as hidden.
   * Asked only while there is one.
   */
  readonly isIn: (
    event: { readonly type: string; readonly data?: unknown },
    hearer: string | null,
  ) => Promise<boolean>;
}

/** Says what belongs to which scope. */
export interface ReachPolicy {
  /** Nothing is hidden when absent. */
  readonly hidden?: HiddenScopes;
  /**
   * What an admin picked, in its one spelling. Rejects with `invalid_argument`, which names what is
   * wrong, also where a place is not there.
   */
  readonly parse: (picked: unknown) => Promise<Reach>;
  readonly mayCall: (reach: Narrowed, call: OutgoingCall) => boolean | Promise<boolean>;
  /**
   * Whether the person for whom a dispatch runs may see all that a call out of it names, however far
   * the plugin itself reaches.
   */
  readonly mayCallFor: (viewer: DispatchViewer, call: OutgoingCall) => boolean | Promise<boolean>;
  readonly canReceive: (reach: Narrowed, call: IncomingCall) => boolean | Promise<boolean>;
  /** Why a use that was noted so would be refused, in whole or in part; `null` = it would not. */
  readonly lack: (
    reach: Narrowed,
    use: { readonly call: string; readonly subject: string | null },
  ) => string | null;
  /** The places in plain words: `Films (only the folder Kids) and Shows`. */
  readonly text: (reach: Narrowed) => string;
}

/** Judges where nobody knows of scopes: nothing is in reach. */
export const denyAll: ReachPolicy = {
  parse: async () => {
    throw new KernelError('invalid_argument', 'There is nothing here to narrow a grant to.');
  },
  mayCall: () => false,
  mayCallFor: () => false,
  canReceive: () => false,
  lack: () => 'it was granted no place',
  text: () => 'nothing',
};
