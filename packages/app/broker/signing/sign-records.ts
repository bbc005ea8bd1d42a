/**
 * Signs records with the user's key: links, revocations, lists of servers. Times are in seconds.
 */
import { sealSigned, type SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { LinkedServer, LinkView } from '../service/web-api.ts';
import type { Identity } from './identity-key.ts';

const ofUser = ({ userId, userPubKey }: Identity, iat: number) => ({
  v: 1,
  iat,
  userId,
  userPubKey,
});

/** The grant that links a server; its `linkedAt` is this `iat` in milliseconds. */
export const signLink = (
  identity: Identity,
  { baseUrl, name, nonce, serverId }: Pick<LinkView, 'baseUrl' | 'name' | 'nonce' | 'serverId'>,
  iat: number,
): Promise<SignedObject> =>
  sealSigned(
    { kind: 'server-link', ...ofUser(identity, iat), baseUrl, name, nonce, serverId },
    identity.sign,
  );

/** The servers of a client, in the user's order. */
export const signServerList = (
  { userPubKey, sign }: Identity,
  { clientId, servers }: { readonly clientId: string; readonly servers: readonly LinkedServer[] },
  iat: number,
): Promise<SignedObject> =>
  sealSigned(
    { kind: 'server-list', v: 1, clientId, iat, servers: servers.map(plain), userPubKey },
    sign,
  );

/** Revokes a client: everywhere, or on one server. */
export const signRevocation = (
  identity: Identity,
  { clientId, serverId }: { readonly clientId: string; readonly serverId?: string },
  iat: number,
): Promise<SignedObject> =>
  sealSigned(
    {
      kind: 'revocation',
      ...ofUser(identity, iat),
      clientId,
      ...(serverId !== undefined && { serverIds: [serverId] }),
    },
    identity.sign,
  );

/** Unlinks a server. */
export const signUnlink = (
  identity: Identity,
  serverId: string,
  iat: number,
): Promise<SignedObject> =>
  sealSigned({ kind: 'server-unlink', ...ofUser(identity, iat), serverId }, identity.sign);

/** Declares the key compromised. It cannot be undone. */
export const signKeyRevoked = (identity: Identity, iat: number): Promise<SignedObject> =>
  sealSigned({ kind: 'key-revoked', ...ofUser(identity, iat) }, identity.sign);

/** Only the fields of a list, without other fields of a reply. */
const plain = ({ baseUrl, linkedAt, name, serverId }: LinkedServer) => ({
  baseUrl,
  linkedAt,
  name,
  serverId,
});
