import type { Knex } from 'knex';

/** An active session, as its user sees it. */
export interface Session {
  readonly id: string;
  /** The device name that the app gives: `Anna's phone`. */
  readonly deviceName: string | null;
  readonly userAgent: string | null;
  /** The address of the last use. */
  readonly address: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
}

export interface StoredSession extends Session {
  readonly userId: string;
}

interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly token_hash: string;
  readonly device_name: string | null;
  readonly user_agent: string | null;
  readonly address: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
}

const idsAtOnce = 500;

const sessions = (trx: Knex) => trx<SessionRow>('sessions');

export async function insertSession(
  trx: Knex,
  session: StoredSession & { readonly tokenHash: string },
): Promise<void> {
  await sessions(trx).insert({
    id: session.id,
    user_id: session.userId,
    token_hash: session.tokenHash,
    device_name: session.deviceName,
    user_agent: session.userAgent,
    address: session.address,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
  });
}

export async function findSessionByHash(
  trx: Knex,
  tokenHash: string,
): Promise<StoredSession | undefined> {
  const row = await sessions(trx).where('token_hash', tokenHash).first();
  return row && toSession(row);
}

export async function findSession(trx: Knex, id: string): Promise<StoredSession | undefined> {
  const row = await sessions(trx).where({ id }).first();
  return row && toSession(row);
}

/** Whether one of these ids belongs to a session of another user. */
export async function isAnothers(
  trx: Knex,
  { ids, userId }: { readonly ids: readonly string[]; readonly userId: string },
): Promise<boolean> {
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = sessions(trx).whereIn('id', ids.slice(from, from + idsAtOnce));
    if ((await some.whereNot('user_id', userId).first('id')) !== undefined) return true;
  }
  return false;
}

/** Last used first. */
export async function sessionsOf(
  trx: Knex,
  userId: string,
  nowAt: string,
): Promise<readonly StoredSession[]> {
  const query = sessions(trx).where('user_id', userId).where('expires_at', '>', nowAt);
  return (await query.orderBy('last_seen_at', 'desc').orderBy('id', 'desc')).map(toSession);
}

/** Whether the user has an active session that was last used from that address. */
export async function isAddressKnown(
  trx: Knex,
  { userId, address, nowAt }: Readonly<Record<'userId' | 'address' | 'nowAt', string>>,
): Promise<boolean> {
  const query = sessions(trx).where({ user_id: userId, address }).where('expires_at', '>', nowAt);
  return (await query.first('id')) !== undefined;
}

/** An expiry that is later than the new one stays: the clock may be in the past. */
export async function noteSessionUse(
  trx: Knex,
  {
    id,
    address,
    at,
    expiresAt,
  }: Readonly<Record<'id' | 'at' | 'expiresAt', string>> & {
    readonly address: string | null;
  },
): Promise<void> {
  const later = 'case when expires_at < ? then ? else expires_at end';
  const seen = { last_seen_at: at, expires_at: trx.raw(later, [expiresAt, expiresAt]) };
  await sessions(trx)
    .where({ id })
    .update(address === null ? seen : { ...seen, address });
}

/** Whether that user had the session. */
export async function removeSession(
  trx: Knex,
  { id, userId }: Readonly<Record<'id' | 'userId', string>>,
): Promise<boolean> {
  return (await sessions(trx).where({ id, user_id: userId }).delete()) > 0;
}

/** Removes all sessions of a user, except perhaps one; returns their number. */
export function removeSessionsOf(trx: Knex, userId: string, exceptId = ''): Promise<number> {
  return sessions(trx).where('user_id', userId).whereNot('id', exceptId).delete();
}

/** Removes sessions of all users that ended long ago, and those of one user above the maximum. */
export async function removeStaleSessions(
  trx: Knex,
  {
    userId,
    overBefore,
    kept,
  }: Readonly<Record<'userId' | 'overBefore', string>> & { readonly kept: number },
): Promise<void> {
  await sessions(trx).where('expires_at', '<=', overBefore).delete();
  const beyond = sessions(trx)
    .where('user_id', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000_000)
    .offset(kept)
    .select('id');
  await sessions(trx).whereIn('id', beyond).delete();
}

function toSession(row: SessionRow): StoredSession {
  return {
    id: row.id,
    userId: row.user_id,
    deviceName: row.device_name,
    userAgent: row.user_agent,
    address: row.address,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}
