/**
 * What a user approves is what the page shows and what the passkey signs: the challenge of that one
 * gesture is the hash of these facts. A broker that shows one app and hashes another is found out by
 * the page, and a page that was given other facts gets an assertion that the broker refuses.
 */
import { bytesToSign, canonicalText, toBase64url } from '../../identity/primitives/index.ts';
import { sha256 } from './sha256.ts';

/** The facts of one pairing, as they are shown. */
export interface Approval {
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  /** The broker's, new for each try. */
  readonly nonce: string;
  readonly requestId: string;
}

const named = ({ appId, clientPubKey, deviceName, nonce, requestId }: Approval) => ({
  kind: 'approve',
  v: 1,
  ...{ appId, clientPubKey, deviceName, nonce, requestId },
});

/** The facts as one text; two pairings never have the same. */
export const approveText = (approval: Approval): string => canonicalText(named(approval));

/** The challenge of the gesture that approves: SHA-256 of {@link approveText}, in base64url. */
export const approveChallenge = async (approval: Approval): Promise<string> =>
  toBase64url(await sha256(bytesToSign(named(approval))));
