/** What the user's key says beside passes: links, revocations, lists of servers. Times are in seconds. */
import { sealSigned, type SignedObject } from '../../identity/primitives/index.ts';
import type { LinkedServer, LinkView } from '../web-api.ts';
import type { Identity } from './identity-key.ts';

const ofUser = ({ userId, userPubKey }: Identity, iat: number) => ({
  v: 1,
  ...{ iat, userId, userPubKey },
});

/** The grant that links a server; its `linkedAt` is this `iat` in milliseconds. */
export const signLink = (
  identity: Identity,
  { baseUrl, name, nonce, serverId }: Pick<LinkView, 'baseUrl' | 'name' | 'nonce' | 'serverId'>,
  iat: number,
): Promise<SignedObject> =>
  sealSigned(
    { kind: 'server-link', ...ofUser(identity, iat), ...{ baseUrl, name, nonce, serverId } },
    identity.sign,
  );

/** Which servers a client is given, in the user's order. */
export const signServerList = (
  { userPubKey, sign }: Identity,
  { clientId, servers }: { readonly clientId: string; readonly servers: readonly LinkedServer[] },
  iat: number,
): Promise<SignedObject> =>
  sealSigned(
    { kind: 'server-list', v: 1, clientId, iat, servers: servers.map(plain), userPubKey },
    sign,
  );

/** A client is good no more: everywhere, or on one server. */
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

/** A server is linked no more. */
export const signUnlink = (
  identity: Identity,
  serverId: string,
  iat: number,
): Promise<SignedObject> =>
  sealSigned({ kind: 'server-unlink', ...ofUser(identity, iat), serverId }, identity.sign);

/** The key says of itself that it is compromised. There is no way back. */
export const signKeyRevoked = (identity: Identity, iat: number): Promise<SignedObject> =>
  sealSigned({ kind: 'key-revoked', ...ofUser(identity, iat) }, identity.sign);

/** Exactly what a list says of a server, whatever else a reply had. */
const plain = ({ baseUrl, linkedAt, name, serverId }: LinkedServer) => ({
  ...{ baseUrl, linkedAt, name, serverId },
});
