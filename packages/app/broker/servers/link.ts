/** A request of a server to be linked. */
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';

/** Why a link failed, as reported by a poll. */
export type LinkError = 'denied' | 'expired';

/** A request as stored; its id only as a hash. */
export interface LinkRequest {
  readonly requestHash: string;
  readonly serverId: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly nonce: string;
  readonly status: 'pending' | 'completed' | 'error';
  readonly error: LinkError | null;
  readonly grant: SignedObject | null;
  readonly expiresAt: number;
}

export const linkLifetimeMs = 10 * 60_000;
