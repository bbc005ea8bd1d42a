import type { IdentityError } from './identity-error.ts';

/** A server as the user gave it to this client, by the list that the user signed. */
export interface LinkedServer {
  /** The public key of the server. */
  readonly serverId: string;
  /** Origin and path, without a slash at the end. */
  readonly baseUrl: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly linkedAt: number;
}

/** Who is signed in on this device. */
export interface Account {
  readonly userId: string;
  readonly userPubKey: string;
  readonly clientId: string;
  readonly deviceName: string;
  /** When the pass ends unless it is renewed, Unix milliseconds. */
  readonly expiresAt: number;
}

/** `connecting` = not asked yet, or just being asked. */
export type ServerStatus = 'connecting' | 'online' | 'offline';

/** One server of the user. */
export interface ServerState extends LinkedServer {
  readonly status: ServerStatus;
  /** Why it is offline. */
  readonly error: IdentityError | null;
  /** When it is tried again, Unix milliseconds. */
  readonly retryAt: number | null;
  /** It is reached over plain http: whoever is in the same network can read and use the session. */
  readonly isPlainHttp: boolean;
}

/** What to show while a user has not approved yet. */
export interface ShownPairing {
  /** 8 digits in two groups of four; `null` in the browser flow. */
  readonly code: string | null;
  /** Where the user goes to. */
  readonly url: string;
  /** Unix milliseconds by the clock of this device. */
  readonly expiresAt: number;
}

/** A pairing by code. */
export interface CodePairing extends ShownPairing {
  readonly code: string;
  /** Resolves when the user approved; rejects with an `IdentityError`. */
  readonly done: Promise<Account>;
  readonly cancel: () => void;
}

/** How asking for a new pass went. */
export type RenewalOutcome = 'renewed' | 'pending' | 'too_early';

/** Why a device must be paired again. */
export type PairAgainReason =
  /** The user revoked it; everything of the user is cleared. */
  | 'revoked'
  /** The pass ended before there was a new one. */
  | 'expired'
  /** The key of this device is gone. */
  | 'key_lost';

/** Everything there is to show. A new object after each change, the same one in between. */
export interface ClientState {
  readonly status: 'signed_out' | 'signed_in' | 'pairing_needed';
  /** Of `pairing_needed`. */
  readonly reason: PairAgainReason | null;
  readonly account: Account | null;
  readonly pairing: ShownPairing | null;
  /**
   * The broker has no new pass: ask the user to open the broker's page once, before
   * `account.expiresAt`.
   */
  readonly isRenewalPending: boolean;
  /** In the user's order. */
  readonly servers: readonly ServerState[];
}

/** What happened; the state is changed already. */
export type ClientEvent =
  | { readonly type: 'pairing_started'; readonly pairing: ShownPairing }
  | { readonly type: 'pairing_failed'; readonly error: IdentityError }
  | { readonly type: 'paired'; readonly account: Account }
  | { readonly type: 'server_changed'; readonly server: ServerState }
  | { readonly type: 'servers_changed' }
  | { readonly type: 'renewed'; readonly account: Account }
  | { readonly type: 'renewal_pending' }
  | { readonly type: 'renewal_failed'; readonly error: IdentityError }
  | { readonly type: 'paired_again_needed'; readonly reason: PairAgainReason }
  | { readonly type: 'signed_out' };

/** Is told what happened. What it throws is dropped. */
export type Listener = (event: ClientEvent, state: ClientState) => void;
