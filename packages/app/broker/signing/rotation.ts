/**
 * Replaces the identity key: both keys sign the rotation, and everything that stays valid is signed
 * again.
 */
import { fromBase64url, sealSigned, toBase64url } from '../../../lib/identity-protocol/index.ts';
import type { LinkedServer, RotateBody } from '../service/web-api.ts';
import { keysOf, type SortedClients } from './own-clients.ts';
import { firstSlots } from './pass-slots.ts';
import { relist } from './relist.ts';
import { signPass } from './sign-pairing.ts';
import { withNewIdentity, type OpenedVault } from './vault.ts';

export interface RotationParts {
  readonly clients: SortedClients;
  readonly servers: readonly LinkedServer[];
  /** The user's records of the feed, for earlier keys. */
  readonly records: Parameters<typeof keysOf>[1];
  /** Seconds. */
  readonly now: number;
}

/** All data that a rotation changes at the broker, and the new vault. */
export async function rotate(
  opened: OpenedVault,
  { clients: { own }, servers, records, now }: RotationParts,
): Promise<{ readonly body: RotateBody; readonly opened: OpenedVault }> {
  const { userId, userPubKey, sign } = opened.identity;
  const changed = await withNewIdentity(opened);
  const { identity } = changed;
  const claims = { kind: 'key-rotation', v: 1, iat: now, userId, userPubKey };
  const record = await sealSigned({ ...claims, newPubKey: identity.userPubKey }, sign);
  const bytes = fromBase64url(record.payload);
  if (bytes === null) throw new TypeError('The new encrypted key is not valid base64url.');
  const newSig = toBase64url(await identity.sign(bytes));
  const keys = await keysOf(opened.identity, records);
  const slots = firstSlots(now);
  const [passes, lists] = await Promise.all([
    Promise.all(own.flatMap(({ client }) => slots.map((iat) => signPass(identity, client, iat)))),
    relist(identity, own, { servers, keys, now }),
  ]);
  const body = { record: { ...record, newSig }, vault: changed.vault, passes, lists };
  return { body, opened: changed };
}
