/** A server that a user has linked, as the broker keeps it. */
import type { SignedObject } from '../identity/primitives/index.ts';
import type { LinkedServer } from './web-api.ts';

/** Where it stands in the user's order, by which grant, and what it tells of itself meanwhile. */
export interface StoredServer extends LinkedServer {
  readonly userId: string;
  readonly position: number;
  readonly grant: SignedObject;
  /** When the server signed the newest news that was told; seconds. */
  readonly toldAt: number;
  /** A new address and name, which the user has not agreed to. */
  readonly update: { readonly baseUrl: string; readonly name: string } | null;
}

/** As apps and lists name it. */
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

/** Most servers of one user: a signed list holds no more. */
export const mostServers = 200;
