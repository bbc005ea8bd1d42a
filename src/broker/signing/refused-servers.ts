import { isSignedObjectBy, openRecord } from '../../identity/primitives/index.ts';
import type { FeedRecord } from '../web-api.ts';
import type { Identity } from './identity-key.ts';
import { keysOf } from './own-clients.ts';

/**
 * Servers that the user once refused to this client. A refusal is for ever: such a server answers
 * the client no more, so it is not offered again.
 */
export async function refusedServers(
  owner: Pick<Identity, 'userId' | 'userPubKey'>,
  clientId: string,
  records: readonly FeedRecord[],
): Promise<ReadonlySet<string>> {
  const keys = await keysOf(owner, records);
  const refused = new Set<string>();
  for (const { payload, sig } of records) {
    const read = openRecord('revocation', { payload, sig });
    if (read?.record.clientId !== clientId || !keys.has(read.record.userPubKey)) continue;
    if (!(await isSignedObjectBy(read.record.userPubKey, read.opened))) continue;
    for (const serverId of read.record.serverIds ?? []) refused.add(serverId);
  }
  return refused;
}
