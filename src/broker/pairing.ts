/** A request of a device to be paired. */

/** The systems that devices name. */
export const platforms = [
  'tvos',
  'ios',
  'android',
  'windows',
  'macos',
  'linux',
  'web',
  'tv',
  'mobile',
  'tablet',
  'desktop',
  'cli',
  'other',
] as const;

export type Platform = (typeof platforms)[number];

/** Why a pairing came to nothing, as a poll tells it. */
export type PairingError =
  'denied' | 'expired' | 'client_key_revoked' | 'app_disabled' | 'internal';

/** Where a pairing stands; only one that is pending ever changes, but for a client that is revoked. */
export type PairingStatus = 'pending' | 'completed' | 'error';

/** A pairing as it is stored; its request id only as a hash. */
export interface Pairing {
  readonly requestHash: string;
  readonly codeHmac: string | null;
  readonly codeMask: string | null;
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  readonly platform: string;
  /** Of the browser flow. */
  readonly callbackUrl: string | null;
  /** Where it was asked from, as it is shown, and as it is compared. */
  readonly network: string;
  readonly line: string;
  readonly status: PairingStatus;
  readonly error: PairingError | null;
  readonly clientId: string | null;
  readonly requestedAt: number;
  readonly expiresAt: number;
}

export const pairingLifetimeMs = 10 * 60_000;
/** A result stays readable for so long after the end, for an app that missed the reply. */
export const readableAfterMs = 10 * 60_000;
