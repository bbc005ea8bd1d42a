import type { Knex } from 'knex';
import type { Link, LinkState } from './link.ts';

interface LinkRow {
  readonly id: string;
  readonly local_user_id: string;
  readonly user_pub_key: string;
  readonly user_id: string;
  readonly identity_url: string;
  readonly state: string;
  readonly follow_rotation: number;
  readonly link_grant: string;
  readonly grant_iat: number | string;
  readonly linked_at: string;
  readonly awaits_feed: number;
}

interface FormerKeyRow {
  readonly user_pub_key: string;
  readonly link_id: string;
  readonly accepted_until: number | string;
}

/** A key that another one has replaced. */
export interface FormerKey {
  readonly userPubKey: string;
  readonly linkId: string;
  /** Seconds: passes signed with it are valid before this time. */
  readonly acceptedUntil: number;
}

const links = (trx: Knex) => trx<LinkRow>('identity_links');
const formerKeys = (trx: Knex) => trx<FormerKeyRow>('identity_former_keys');

export async function insertLink(trx: Knex, link: Link): Promise<void> {
  await links(trx).insert({
    id: link.id,
    local_user_id: link.localUserId,
    user_pub_key: link.userPubKey,
    user_id: link.userId,
    identity_url: link.identityUrl,
    state: link.state,
    follow_rotation: link.followsRotation ? 1 : 0,
    link_grant: JSON.stringify(link.grant),
    grant_iat: link.grantIat,
    linked_at: link.linkedAt,
    awaits_feed: link.awaitsFeed ? 1 : 0,
  });
}

/** The links of a broker whose feed was not read whole since they were written. */
export async function listAwaiting(trx: Knex, identityUrl: string): Promise<readonly string[]> {
  const waiting = links(trx).where({ identity_url: identityUrl, awaits_feed: 1 });
  return (await waiting.select('id')).map(({ id }) => id);
}

/** Marks links as no longer waiting. */
export async function settleLinks(trx: Knex, ids: readonly string[]): Promise<void> {
  await links(trx).whereIn('id', ids).update({ awaits_feed: 0 });
}

export async function findLink(trx: Knex, id: string): Promise<Link | undefined> {
  const row = await links(trx).where({ id }).first();
  return row && toLink(row);
}

export async function findLinkByKey(trx: Knex, userPubKey: string): Promise<Link | undefined> {
  const row = await links(trx).where('user_pub_key', userPubKey).first();
  return row && toLink(row);
}

/** A link with the revocations of one of its clients, in one query. */
export interface LinkOfClient {
  readonly link: Link;
  /** The servers of each revocation; `null` = everywhere. */
  readonly revokedOn: readonly (readonly string[] | null)[];
}

interface LinkOfClientRow extends LinkRow {
  readonly revoked_client: string | null;
  readonly revoked_on: string | null;
}

/** Looked up by the pinned key. */
export async function findLinkOfClient(
  trx: Knex,
  { userPubKey, clientId }: Readonly<Record<'userPubKey' | 'clientId', string>>,
): Promise<LinkOfClient | undefined> {
  const rows: readonly LinkOfClientRow[] = await trx('identity_links as l')
    .leftJoin('identity_revocations as r', (join) =>
      join.on('r.user_pub_key', 'l.user_pub_key').andOnVal('r.client_id', clientId),
    )
    .where('l.user_pub_key', userPubKey)
    .select('l.*', 'r.client_id as revoked_client', 'r.server_ids as revoked_on');
  const [first] = rows;
  return (
    first && {
      link: toLink(first),
      revokedOn: rows
        .filter((row) => row.revoked_client !== null)
        .map(({ revoked_on: ids }) =>
          ids === null ? null : (JSON.parse(ids) as readonly string[]),
        ),
    }
  );
}

/** Of one user, or of all; without unlinked ones. Newest first. */
export async function listLinks(trx: Knex, localUserId: string | null): Promise<readonly Link[]> {
  const query = links(trx).whereNot('state', 'unlinked');
  if (localUserId !== null) void query.where('local_user_id', localUserId);
  return (await query.orderBy('linked_at', 'desc').orderBy('id', 'desc')).map(toLink);
}

/** Whether an identity was ever linked here. */
export const hasAnyLink = async (trx: Knex): Promise<boolean> =>
  (await links(trx).first('id')) !== undefined;

/** Whether an identity is linked now. */
export const hasLiveLink = async (trx: Knex): Promise<boolean> =>
  (await links(trx).whereNot('state', 'unlinked').first('id')) !== undefined;

export async function setLinkState(trx: Knex, id: string, state: LinkState): Promise<void> {
  await links(trx).where({ id }).update({ state });
}

/** Replaces the pinned key. */
export async function pinKey(trx: Knex, id: string, userPubKey: string): Promise<void> {
  await links(trx).where({ id }).update({ user_pub_key: userPubKey });
}

/** Removes links with their replaced keys. */
export async function removeLinks(trx: Knex, ids: readonly string[]): Promise<void> {
  await formerKeys(trx).whereIn('link_id', ids).delete();
  await links(trx).whereIn('id', ids).delete();
}

/** Removes all links of a user who was removed. */
export async function removeLinksOfUser(trx: Knex, localUserId: string): Promise<void> {
  const rows = await links(trx).where('local_user_id', localUserId).select('id');
  await removeLinks(
    trx,
    rows.map(({ id }) => id),
  );
}

export async function findFormerKey(trx: Knex, key: string): Promise<FormerKey | undefined> {
  const row = await formerKeys(trx).where('user_pub_key', key).first();
  return row && toFormerKey(row);
}

export const listFormerKeys = async (trx: Knex): Promise<readonly FormerKey[]> =>
  (await formerKeys(trx)).map(toFormerKey);

export async function putFormerKey(trx: Knex, key: FormerKey): Promise<void> {
  const { userPubKey, linkId, acceptedUntil } = key;
  await formerKeys(trx)
    .insert({ user_pub_key: userPubKey, link_id: linkId, accepted_until: acceptedUntil })
    .onConflict('user_pub_key')
    .merge();
}

function toLink(row: LinkRow): Link {
  return {
    id: row.id,
    localUserId: row.local_user_id,
    userPubKey: row.user_pub_key,
    userId: row.user_id,
    identityUrl: row.identity_url,
    state: row.state as LinkState,
    followsRotation: row.follow_rotation === 1,
    grant: JSON.parse(row.link_grant) as Link['grant'],
    grantIat: Number(row.grant_iat),
    linkedAt: row.linked_at,
    awaitsFeed: row.awaits_feed === 1,
  };
}

function toFormerKey(row: FormerKeyRow): FormerKey {
  return {
    userPubKey: row.user_pub_key,
    linkId: row.link_id,
    acceptedUntil: Number(row.accepted_until),
  };
}
