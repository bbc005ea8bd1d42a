import type { IdentityError } from './identity-error.ts';

/** A server of this client, from the list that the user signed. */
export interface LinkedServer {
  /** The public key of the server. */
  readonly serverId: string;
  /** Origin and path, without a trailing slash. */
  readonly baseUrl: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly linkedAt: number;
}

/** The account on this device. */
export interface Account {
  readonly userId: string;
  readonly userPubKey: string;
  readonly clientId: string;
  readonly deviceName: string;
  /** When the pass ends unless it is renewed, Unix milliseconds. */
  readonly expiresAt: number;
}

/** `connecting` = not tried yet, or in progress. */
export type ServerStatus = 'connecting' | 'online' | 'offline';

/** One server of the user. */
export interface ServerState extends LinkedServer {
  readonly status: ServerStatus;
  /** Why it is offline. */
  readonly error: IdentityError | null;
  /** The time of the next retry, Unix milliseconds. */
  readonly retryAt: number | null;
  /** Its address is plain http: anyone in the same network can read and use the session. */
  readonly isPlainHttp: boolean;
}

/** The data to show until the user has approved. */
export interface ShownPairing {
  /** 8 digits in two groups of four; `null` in the browser flow. */
  readonly code: string | null;
  /** The page for the user. */
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

/** The result of a renewal. */
export type RenewalOutcome = 'renewed' | 'pending' | 'too_early';

/** Why a device must be paired again. */
export type PairAgainReason =
  /** The user revoked it; all data of the user is deleted. */
  | 'revoked'
  /** The pass expired before it was renewed. */
  | 'expired'
  /** The key of this device is missing. */
  | 'key_lost';

/** The state to show. Each change creates a new object. */
export interface ClientState {
  readonly status: 'signed_out' | 'signed_in' | 'pairing_needed';
  /** For `pairing_needed`. */
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

/** An event; the state has already changed. */
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

/** Receives events. Its exceptions are ignored. */
export type Listener = (event: ClientEvent, state: ClientState) => void;
