import type { Knex } from 'knex';
import type { Database, Transaction } from '../../../kernel/store/index.ts';

/** A client that was revoked with a user's key. */
export interface Revocation {
  readonly userPubKey: string;
  readonly clientId: string;
  readonly payloadHash: string;
  /** On these servers; `null` = everywhere. */
  readonly serverIds: readonly string[] | null;
  /** Seconds. */
  readonly iat: number;
}

interface RevocationRow {
  readonly user_pub_key: string;
  readonly client_id: string;
  readonly payload_hash: string;
  readonly server_ids: string | null;
  readonly iat: number | string;
}

const revocations = (trx: Knex) => trx<RevocationRow>('identity_revocations');

/** The payloads, of these keys, that are stored already. */
export async function findKnownPayloads(
  trx: Knex,
  userPubKeys: readonly string[],
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < hashes.length; from += rowsAtOnce) {
    const some = hashes.slice(from, from + rowsAtOnce);
    const rows = await revocations(trx)
      .whereIn('payload_hash', some)
      .whereIn('user_pub_key', userPubKeys)
      .select('payload_hash');
    for (const row of rows) found.add(row.payload_hash);
  }
  return found;
}

export async function insertRevocations(
  trx: Transaction,
  { insertRows }: Pick<Database, 'insertRows'>,
  found: readonly Revocation[],
): Promise<void> {
  const rows = found.map(({ userPubKey, clientId, payloadHash, serverIds, iat }) => ({
    user_pub_key: userPubKey,
    client_id: clientId,
    payload_hash: payloadHash,
    server_ids: serverIds === null ? null : JSON.stringify(serverIds),
    iat,
  }));
  const columns = ['user_pub_key', 'client_id', 'payload_hash'] as const;
  await insertRows(trx, 'identity_revocations', rows, { columns, update: [] });
}

/** The servers of each revocation of the user's client; `null` = everywhere. */
export async function revokedOn(
  trx: Knex,
  { userPubKey, clientId }: Readonly<Record<'userPubKey' | 'clientId', string>>,
): Promise<readonly (readonly string[] | null)[]> {
  const rows = await revocations(trx)
    .where({ user_pub_key: userPubKey, client_id: clientId })
    .select('server_ids');
  return rows.map(({ server_ids: ids }) =>
    ids === null ? null : (JSON.parse(ids) as readonly string[]),
  );
}

/** Moves the revocations of a key to the key that replaced it. */
export async function moveRevocations(trx: Knex, from: string, to: string): Promise<void> {
  const rows = await revocations(trx).where('user_pub_key', from);
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await revocations(trx)
      .insert(rows.slice(at, at + rowsAtOnce).map((row) => ({ ...row, user_pub_key: to })))
      .onConflict(['user_pub_key', 'client_id', 'payload_hash'])
      .ignore();
}

const rowsAtOnce = 200;
