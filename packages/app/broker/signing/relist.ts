/**
 * Signs new lists for the clients when the user's servers change. A client keeps its servers, in
 * the user's order; a new server is added for all clients.
 */
import {
  isSignedObjectBy,
  openRecord,
  type SignedObject,
} from '../../../lib/identity-protocol/index.ts';
import type { LinkedServer } from '../service/web-api.ts';
import type { Identity } from './identity-key.ts';
import type { OwnClient } from './own-clients.ts';
import { signServerList } from './sign-records.ts';

export interface NewServers {
  /** All of the user's servers after the change, in order. */
  readonly servers: readonly LinkedServer[];
  /** The new server. */
  readonly added?: string;
  /** Keys of the user that may have signed the earlier lists; by default the current one. */
  readonly keys?: ReadonlySet<string>;
}

/** New lists for these clients; none for a client whose last list the user did not sign. */
export async function relist(
  identity: Identity,
  clients: readonly OwnClient[],
  { servers, added, keys = new Set([identity.userPubKey]), now }: NewServers & { now: number },
): Promise<readonly SignedObject[]> {
  const lists = await Promise.all(
    clients.map(async ({ client: { clientId }, view }) => {
      const had = await givenTo(clientId, view.serverList, keys);
      if (had === null) return null;
      const given = servers.filter(({ serverId }) => had.has(serverId) || serverId === added);
      return signServerList(identity, { clientId, servers: given }, now);
    }),
  );
  return lists.filter((list) => list !== null);
}

/** Ids of the servers in a signed list. */
async function givenTo(
  clientId: string,
  list: SignedObject,
  keys: ReadonlySet<string>,
): Promise<ReadonlySet<string> | null> {
  const read = openRecord('server-list', list);
  if (read === null || read.record.clientId !== clientId) return null;
  const { record, opened } = read;
  if (!keys.has(record.userPubKey)) return null;
  if (!(await isSignedObjectBy(record.userPubKey, opened))) return null;
  return new Set(record.servers.map(({ serverId }) => serverId));
}
