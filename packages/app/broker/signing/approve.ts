/**
 * The page shows the facts of an approval, and the passkey signs them: the challenge is the hash of
 * these facts. If the broker hashes other facts than the page shows, the page detects it; if the
 * page was given other facts, the broker refuses the assertion.
 */
import { bytesToSign, canonicalText, toBase64url } from '../../../lib/identity-protocol/index.ts';
import { sha256 } from './sha256.ts';

/** The facts of one pairing, as shown. */
export interface Approval {
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  /** Chosen by the broker, new for each attempt. */
  readonly nonce: string;
  readonly requestId: string;
}

const named = ({ appId, clientPubKey, deviceName, nonce, requestId }: Approval) => ({
  kind: 'approve',
  v: 1,
  appId,
  clientPubKey,
  deviceName,
  nonce,
  requestId,
});

/** The facts as one text; different pairings have different texts. */
export const approveText = (approval: Approval): string => canonicalText(named(approval));

/** The challenge of the approval: SHA-256 of {@link approveText}, in base64url. */
export const approveChallenge = async (approval: Approval): Promise<string> =>
  toBase64url(await sha256(bytesToSign(named(approval))));
