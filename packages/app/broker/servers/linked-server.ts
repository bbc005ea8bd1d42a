/** A server that a user has linked, as stored by the broker. */
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { LinkedServer } from '../service/web-api.ts';

/** With its position in the user's order, its grant, and its pending update. */
export interface StoredServer extends LinkedServer {
  readonly userId: string;
  readonly position: number;
  readonly grant: SignedObject;
  /** When the server signed its newest update; seconds. */
  readonly toldAt: number;
  /** A new address and name that the user has not accepted yet. */
  readonly update: { readonly baseUrl: string; readonly name: string } | null;
}

/** The form of apps and lists. */
export const plainServer = ({ serverId, baseUrl, name, linkedAt }: LinkedServer): LinkedServer => ({
  serverId,
  baseUrl,
  name,
  linkedAt,
});

export const isSameServer = (one: LinkedServer, other: LinkedServer): boolean =>
  one.serverId === other.serverId &&
  one.baseUrl === other.baseUrl &&
  one.name === other.name &&
  one.linkedAt === other.linkedAt;

/** The most servers of one user: a signed list holds no more. */
export const mostServers = 200;
