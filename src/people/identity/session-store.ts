import type { Knex } from 'knex';

/** A session that was created with a pass. */
export interface IdentitySession {
  readonly id: string;
  readonly linkId: string;
  readonly localUserId: string;
  /** The user, client and device of the pass. */
  readonly userId: string;
  readonly userPubKey: string;
  readonly clientId: string;
  readonly appId: string;
  readonly deviceName: string;
  readonly scope: readonly string[];
  /** Seconds. */
  readonly certExp: number;
  /** The network of the sign-in. */
  readonly address: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
}

interface SessionRow {
  readonly id: string;
  readonly token_hash: string;
  readonly link_id: string;
  readonly local_user_id: string;
  readonly user_id: string;
  readonly user_pub_key: string;
  readonly client_id: string;
  readonly app_id: string;
  readonly device_name: string;
  readonly scope: string;
  readonly cert_exp: number | string;
  readonly address: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
}

const sessions = (trx: Knex) => trx<SessionRow>('identity_sessions');

export async function insertSession(
  trx: Knex,
  { tokenHash, ...session }: IdentitySession & { readonly tokenHash: string },
): Promise<void> {
  await sessions(trx).insert({
    id: session.id,
    token_hash: tokenHash,
    link_id: session.linkId,
    local_user_id: session.localUserId,
    user_id: session.userId,
    user_pub_key: session.userPubKey,
    client_id: session.clientId,
    app_id: session.appId,
    device_name: session.deviceName,
    scope: JSON.stringify(session.scope),
    cert_exp: session.certExp,
    address: session.address,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
    revoked_at: session.revokedAt,
  });
}

export async function findSessionByHash(
  trx: Knex,
  tokenHash: string,
): Promise<IdentitySession | undefined> {
  const row = await sessions(trx).where('token_hash', tokenHash).first();
  return row && toSession(row);
}

export async function findSession(trx: Knex, id: string): Promise<IdentitySession | undefined> {
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
    if ((await some.whereNot('local_user_id', userId).first('id')) !== undefined) return true;
  }
  return false;
}

/** The sessions of these links that are still valid. */
export async function openSessionsOf(
  trx: Knex,
  linkIds: readonly string[],
  nowAt: string,
): Promise<readonly IdentitySession[]> {
  const query = sessions(trx).whereIn('link_id', linkIds).whereNull('revoked_at');
  return (await query.where('expires_at', '>', nowAt)).map(toSession);
}

/** Marks sessions as revoked. They stay in the table, so that their clients learn the reason. */
export async function revokeSessions(
  trx: Knex,
  ids: readonly string[],
  revokedAt: string,
): Promise<void> {
  for (let from = 0; from < ids.length; from += idsAtOnce)
    await sessions(trx)
      .whereIn('id', ids.slice(from, from + idsAtOnce))
      .update({ revoked_at: revokedAt });
}

/** Removes the sessions of a link that are not revoked; returns their ids. */
export async function dropSessionsOfLink(trx: Knex, linkId: string): Promise<readonly string[]> {
  const rows = await sessions(trx).where('link_id', linkId).whereNull('revoked_at').select('id');
  await sessions(trx).where('link_id', linkId).whereNull('revoked_at').delete();
  return rows.map(({ id }) => id);
}

export async function removeSessionsOfUser(trx: Knex, localUserId: string): Promise<void> {
  await sessions(trx).where('local_user_id', localUserId).delete();
}

export async function removeSession(trx: Knex, id: string): Promise<boolean> {
  return (await sessions(trx).where({ id }).delete()) > 0;
}

/** Keeps the newest active sessions of a client, and ends the others; returns the ids of those. */
export async function endOldest(
  trx: Knex,
  client: Pick<IdentitySession, 'linkId' | 'clientId'>,
  { nowAt, kept }: { readonly nowAt: string; readonly kept: number },
): Promise<readonly string[]> {
  const query = sessions(trx)
    .where({ link_id: client.linkId, client_id: client.clientId })
    .whereNull('revoked_at')
    .where('expires_at', '>', nowAt);
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').select('id');
  const ids = rows.slice(kept).map(({ id }) => id);
  if (ids.length > 0) await sessions(trx).whereIn('id', ids).delete();
  return ids;
}

/** Removes sessions that ended long ago; their tokens are then unknown. */
export async function removeLongOver(
  trx: Knex,
  { expiredAt, revokedAt }: Readonly<Record<'expiredAt' | 'revokedAt', string>>,
): Promise<void> {
  await sessions(trx).whereNull('revoked_at').where('expires_at', '<', expiredAt).delete();
  await sessions(trx).where('revoked_at', '<', revokedAt).delete();
}

export async function noteSessionUse(trx: Knex, id: string, at: string): Promise<void> {
  await sessions(trx).where({ id }).update({ last_seen_at: at });
}

/** The networks of sign-ins since then. */
export async function networksSince(trx: Knex, at: string): Promise<readonly string[]> {
  const rows = await sessions(trx)
    .where('created_at', '>=', at)
    .whereNotNull('address')
    .distinct('address');
  return rows.flatMap(({ address }) => (address === null ? [] : [address]));
}

const idsAtOnce = 500;

function toSession(row: SessionRow): IdentitySession {
  return {
    id: row.id,
    linkId: row.link_id,
    localUserId: row.local_user_id,
    userId: row.user_id,
    userPubKey: row.user_pub_key,
    clientId: row.client_id,
    appId: row.app_id,
    deviceName: row.device_name,
    scope: JSON.parse(row.scope) as readonly string[],
    certExp: Number(row.cert_exp),
    address: row.address,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
