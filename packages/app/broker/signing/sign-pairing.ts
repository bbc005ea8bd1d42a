/**
 * The signatures of an approval: the first pass, the six that follow it, the servers, and the
 * refusals.
 */
import { sealSigned, type SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { ApproveBody, LinkedServer } from '../service/web-api.ts';
import type { Identity } from './identity-key.ts';
import { endOf, firstSlots } from './pass-slots.ts';
import { signRevocation, signServerList } from './sign-records.ts';

export interface PassClient {
  readonly appId: string;
  readonly clientId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
}

/** A pass that begins at that second. */
export const signPass = (
  { userId, userPubKey, sign }: Identity,
  { appId, clientId, clientPubKey, deviceName }: PassClient,
  iat: number,
): Promise<SignedObject> =>
  sealSigned(
    {
      v: 1,
      appId,
      clientId,
      clientPubKey,
      deviceName,
      userId,
      userPubKey,
      iat,
      exp: endOf(iat),
      scope: ['servers:*'],
    },
    sign,
  );

export interface PairingChoice {
  readonly client: PassClient;
  /** All of the user's servers, in the user's order. */
  readonly servers: readonly LinkedServer[];
  /** The servers that stay ticked. The others refuse this client. */
  readonly ticked: ReadonlySet<string>;
}

/** Signs the approval. */
export async function signPairing(
  identity: Identity,
  { client, servers, ticked }: PairingChoice,
  now: number,
): Promise<Omit<ApproveBody, 'credential'>> {
  const { clientId } = client;
  const given = servers.filter(({ serverId }) => ticked.has(serverId));
  const refused = servers.filter(({ serverId }) => !ticked.has(serverId));
  const passes = firstSlots(now).map((iat) => signPass(identity, client, iat));
  const [[cert, ...batch], serverList, revocations] = await Promise.all([
    Promise.all(passes),
    signServerList(identity, { clientId, servers: given }, now),
    Promise.all(
      refused.map(({ serverId }) => signRevocation(identity, { clientId, serverId }, now)),
    ),
  ]);
  if (cert === undefined) throw new TypeError('The list of passes is empty.');
  return { cert, batch, serverList, revocations };
}
