import type { Transaction } from '../../../../kernel/store/index.ts';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { User } from '../accounts/account.ts';
import { clientsOf, setServerList } from '../pairing/client-store.ts';
import { Refusal } from '../service/errors.ts';
import { checkList } from './signed-checks.ts';
import type { LinkedServer } from '../service/web-api.ts';

/** Signed lists for clients of this user. */
export interface SignedLists {
  readonly user: Pick<User, 'userId' | 'userPubKey'>;
  readonly lists: readonly SignedObject[];
  /** All of the user's servers after the change. */
  readonly linked: readonly LinkedServer[];
  /** Seconds. */
  readonly now: number;
}

/**
 * Stores new lists of clients, in the transaction that changes the servers; rejects with
 * `servers_mismatch`. A revoked client is skipped: it may have been revoked after the page signed.
 */
export async function storeLists(
  trx: Transaction,
  { user, lists, linked, now }: SignedLists,
): Promise<void> {
  if (lists.length === 0) return;
  const clients = new Map(
    (await clientsOf(trx, user.userId)).map((client) => [client.clientId, client]),
  );
  for (const list of lists) {
    const checked = await checkList(list, user, { linked, now });
    const client = clients.get(checked.clientId);
    if (!client) throw new Refusal('servers_mismatch');
    if (client.revokedAt === null) await setServerList(trx, checked.clientId, checked.list);
  }
}
