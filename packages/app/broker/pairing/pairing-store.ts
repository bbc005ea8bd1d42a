import type { Knex } from 'knex';
import type { Pairing, PairingError, PairingStatus } from './pairing.ts';

interface PairingRow {
  readonly request_hash: string;
  readonly code_hmac: string | null;
  readonly code_mask: string | null;
  readonly app_id: string;
  readonly client_pub_key: string;
  readonly device_name: string;
  readonly platform: string;
  readonly callback_url: string | null;
  readonly network: string;
  readonly line: string;
  readonly status: PairingStatus;
  readonly error: PairingError | null;
  readonly client_id: string | null;
  readonly requested_at: number | string;
  readonly expires_at: number | string;
}

const pairings = (db: Knex) => db<PairingRow>('pairings');

/** Rejects with a unique violation when another pairing has the same code. */
export async function insertPairing(trx: Knex, pairing: Pairing): Promise<void> {
  await pairings(trx).insert({
    request_hash: pairing.requestHash,
    code_hmac: pairing.codeHmac,
    code_mask: pairing.codeMask,
    app_id: pairing.appId,
    client_pub_key: pairing.clientPubKey,
    device_name: pairing.deviceName,
    platform: pairing.platform,
    callback_url: pairing.callbackUrl,
    network: pairing.network,
    line: pairing.line,
    status: pairing.status,
    error: pairing.error,
    client_id: pairing.clientId,
    requested_at: pairing.requestedAt,
    expires_at: pairing.expiresAt,
  });
}

export async function findPairing(db: Knex, requestHash: string): Promise<Pairing | undefined> {
  const row = await pairings(db).where('request_hash', requestHash).first();
  return row && toPairing(row);
}

/** The pending pairing with that code. */
export async function findPairingByCode(
  db: Knex,
  codeHmac: string,
  now: number,
): Promise<Pairing | undefined> {
  const query = pairings(db).where({ code_hmac: codeHmac, status: 'pending' });
  const row = await query.where('expires_at', '>', now).first();
  return row && toPairing(row);
}

/** Clears the codes of expired pairings, so that they can be used again. */
export async function freeCodes(trx: Knex, codeHmacs: readonly string[], now: number) {
  await pairings(trx)
    .whereIn('code_hmac', [...codeHmacs])
    .where('expires_at', '<=', now)
    .update({ code_hmac: null, code_mask: null });
}

export async function codesInUse(
  trx: Knex,
  codeHmacs: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const rows = await pairings(trx)
    .whereIn('code_hmac', [...codeHmacs])
    .select('code_hmac');
  return new Set(rows.map(({ code_hmac: hmac }) => hmac));
}

export async function countLivePairings(db: Knex, appId: string, now: number): Promise<number> {
  const query = pairings(db).where({ app_id: appId, status: 'pending' });
  const row = await query
    .where('expires_at', '>', now)
    .count<{ total: number | string }[]>({ total: '*' })
    .first();
  return Number(row?.total ?? 0);
}

/** How a pairing ends. */
export type PairingEnd =
  | { readonly status: 'completed'; readonly clientId: string }
  | { readonly status: 'error'; readonly error: PairingError };

/** Only the first of several concurrent ends succeeds: `false` = it was no longer pending. */
export async function endPairing(
  trx: Knex,
  requestHash: string,
  end: PairingEnd,
): Promise<boolean> {
  const change = {
    status: end.status,
    error: end.status === 'error' ? end.error : null,
    client_id: end.status === 'completed' ? end.clientId : null,
    code_hmac: null,
    code_mask: null,
  };
  const query = pairings(trx).where({ request_hash: requestHash, status: 'pending' });
  return (await query.update(change)) > 0;
}

/** Ends the unread results of a revoked client. */
export async function revokePairings(trx: Knex, clientId: string): Promise<void> {
  await pairings(trx)
    .where('client_id', clientId)
    .update({ status: 'error', error: 'client_key_revoked' });
}

export async function removePairingsBefore(trx: Knex, at: number): Promise<void> {
  await pairings(trx).where('expires_at', '<=', at).delete();
}

const toPairing = (row: PairingRow): Pairing => ({
  requestHash: row.request_hash,
  codeHmac: row.code_hmac,
  codeMask: row.code_mask,
  appId: row.app_id,
  clientPubKey: row.client_pub_key,
  deviceName: row.device_name,
  platform: row.platform,
  callbackUrl: row.callback_url,
  network: row.network,
  line: row.line,
  status: row.status,
  error: row.error,
  clientId: row.client_id,
  requestedAt: Number(row.requested_at),
  expiresAt: Number(row.expires_at),
});
