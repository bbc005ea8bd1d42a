/** A request of a device to be paired. */

/** Why a pairing failed, as reported by a poll. */
export type PairingError =
  | 'denied'
  | 'expired'
  | 'client_key_revoked'
  | 'app_disabled'
  | 'internal';

/**
 * The state of a pairing. Only a pending one changes, except that a result ends when its client is
 * revoked.
 */
export type PairingStatus = 'pending' | 'completed' | 'error';

/** A pairing as stored; its request id only as a hash. */
export interface Pairing {
  readonly requestHash: string;
  readonly codeHmac: string | null;
  readonly codeMask: string | null;
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  readonly platform: string;
  /** Set in the browser flow. */
  readonly callbackUrl: string | null;
  /** The network of the request, for display and in its form for comparison. */
  readonly network: string;
  readonly line: string;
  readonly status: PairingStatus;
  readonly error: PairingError | null;
  readonly clientId: string | null;
  readonly requestedAt: number;
  readonly expiresAt: number;
}

export const pairingLifetimeMs = 10 * 60_000;
/** How long a result stays available after the end, for an app that missed the reply. */
export const readableAfterMs = 10 * 60_000;
