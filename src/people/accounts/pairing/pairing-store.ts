import type { Knex } from 'knex';

/** A device that waits, or about which a person has decided. */
export interface StoredPairing {
  readonly secretHash: string;
  readonly codeHash: string;
  /** The hash of the token that the session of the device gets. */
  readonly tokenHash: string;
  readonly deviceName: string | null;
  readonly userAgent: string | null;
  readonly address: string | null;
  /** What counts as one client: its household, and the wider network around it. */
  readonly household: string;
  readonly site: string;
  readonly begunAtMs: number;
}

/** What a person decided; `null` = the device waits. */
export type PairingDecision =
  | { readonly state: 'refused' }
  | {
      readonly state: 'accepted';
      readonly userId: string;
      readonly sessionId: string;
      readonly expiresAt: string;
    };

/** A pairing with its decision. */
export interface DecidedPairing extends StoredPairing {
  readonly decision: PairingDecision | null;
}

interface PairingRow {
  readonly secret_hash: string;
  readonly code_hash: string;
  readonly token_hash: string;
  readonly state: 'waiting' | 'accepted' | 'refused';
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly session_expires_at: string | null;
  readonly device_name: string | null;
  readonly user_agent: string | null;
  readonly address: string | null;
  readonly household: string;
  readonly site: string;
  readonly begun_at: number;
}

const pairings = (trx: Knex) => trx<PairingRow>('pairings');

export async function insertPairing(trx: Knex, pairing: StoredPairing): Promise<void> {
  await pairings(trx).insert({
    secret_hash: pairing.secretHash,
    code_hash: pairing.codeHash,
    token_hash: pairing.tokenHash,
    state: 'waiting',
    device_name: pairing.deviceName,
    user_agent: pairing.userAgent,
    address: pairing.address,
    household: pairing.household,
    site: pairing.site,
    begun_at: pairing.begunAtMs,
  });
}

export async function findPairing(
  trx: Knex,
  by: { readonly secret_hash: string } | { readonly code_hash: string },
): Promise<DecidedPairing | undefined> {
  const row = await pairings(trx).where(by).first();
  return row && toPairing(row);
}

/** `false` when somebody has decided before. */
export async function decidePairing(
  trx: Knex,
  secretHash: string,
  decision: PairingDecision,
): Promise<boolean> {
  const count = await pairings(trx)
    .where({ secret_hash: secretHash, state: 'waiting' })
    .update({
      state: decision.state,
      ...(decision.state === 'accepted' && {
        user_id: decision.userId,
        session_id: decision.sessionId,
        session_expires_at: decision.expiresAt,
      }),
    });
  return count > 0;
}

/** `false` when it was removed before. */
export const removePairing = async (trx: Knex, secretHash: string): Promise<boolean> =>
  (await pairings(trx).where({ secret_hash: secretHash }).delete()) > 0;

export async function removePairingsUntil(trx: Knex, begunAtMs: number): Promise<void> {
  await pairings(trx).where('begun_at', '<=', begunAtMs).delete();
}

/** When the pairings of a network were begun that began after this time, oldest first. */
export const begunSince = (
  trx: Knex,
  of: { readonly household: string } | { readonly site: string },
  sinceMs: number,
): Promise<readonly number[]> =>
  pairings(trx).where(of).where('begun_at', '>', sinceMs).orderBy('begun_at').pluck('begun_at');

export async function countPairings(trx: Knex): Promise<number> {
  const [row] = await pairings(trx).count<{ readonly count: number }[]>('* as count');
  return row?.count ?? 0;
}

/** Removes the oldest one of the site that has the most. */
export async function removeOldestOfLargestSite(trx: Knex): Promise<void> {
  const most = await pairings(trx)
    .groupBy('site')
    .orderByRaw('count(*) desc')
    .first<Pick<PairingRow, 'site'> | undefined>('site');
  const oldest = most && (await pairings(trx).where(most).orderBy('begun_at').first('secret_hash'));
  if (oldest) await removePairing(trx, oldest.secret_hash);
}

const toPairing = (row: PairingRow): DecidedPairing => ({
  secretHash: row.secret_hash,
  codeHash: row.code_hash,
  tokenHash: row.token_hash,
  deviceName: row.device_name,
  userAgent: row.user_agent,
  address: row.address,
  household: row.household,
  site: row.site,
  begunAtMs: row.begun_at,
  decision: decisionOf(row),
});

function decisionOf(row: PairingRow): PairingDecision | null {
  const { state, user_id: userId, session_id: sessionId, session_expires_at: expiresAt } = row;
  if (state === 'refused') return { state };
  if (state === 'waiting' || userId === null || sessionId === null || expiresAt === null)
    return null;
  return { state, userId, sessionId, expiresAt };
}
