import { isSignedObjectBy, openRecord } from '../../../lib/identity-protocol/index.ts';
import type { FeedRecord } from '../service/web-api.ts';
import type { Identity } from './identity-key.ts';
import { keysOf } from './own-clients.ts';

/**
 * Servers that the user refused to this client before. A refusal is permanent, because the server
 * no longer accepts the client, so such a server is not offered again.
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
