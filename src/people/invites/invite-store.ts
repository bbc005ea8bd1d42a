import type { Knex } from 'knex';
import { readLimit, writeLimit, type Role } from '../viewer/index.ts';
import { maskedToken } from './invite.ts';
import type { LibraryAccess } from '../../contract/resources/accounts/accounts.ts';
import type { Invite } from '../../contract/resources/accounts/invites.ts';

/** A row to insert. */
export interface InviteInsert extends Omit<Invite, 'token' | 'useCount'> {
  readonly tokenHash: string;
  readonly tokenEnd: string;
}

interface InviteRow {
  readonly id: string;
  readonly token_hash: string;
  readonly token_end: string;
  readonly role: Role;
  readonly library_access: string;
  readonly group_ids: string;
  readonly max_uses: number;
  readonly use_count: number;
  readonly expires_at: string;
  readonly created_by: string;
  readonly created_at: string;
}

const invites = (trx: Knex) => trx<InviteRow>('invites');

export async function insertInvite(trx: Knex, invite: InviteInsert): Promise<void> {
  await invites(trx).insert({
    id: invite.id,
    token_hash: invite.tokenHash,
    token_end: invite.tokenEnd,
    role: invite.role,
    library_access: writeLimit(invite.libraryAccess),
    group_ids: JSON.stringify(invite.groupIds),
    max_uses: invite.maxUses,
    use_count: 0,
    expires_at: invite.expiresAt,
    created_by: invite.createdBy,
    created_at: invite.createdAt,
  });
}

/** Newest first, before the id `olderThan`. */
export async function listInvites(
  trx: Knex,
  { olderThan, limit }: { readonly olderThan: string | null; readonly limit: number },
): Promise<readonly Invite[]> {
  const query = invites(trx).orderBy('id', 'desc').limit(limit);
  if (olderThan !== null) void query.where('id', '<', olderThan);
  return (await query).map(toInvite);
}

export async function findInvite(trx: Knex, id: string): Promise<Invite | undefined> {
  const row = await invites(trx).where({ id }).first();
  return row && toInvite(row);
}

/** The invite of a token, if it is open at that time and its creator may still invite. */
export async function findOpenInvite(
  trx: Knex,
  tokenHash: string,
  nowAt: string,
): Promise<Invite | undefined> {
  const row = await openInvites(trx, nowAt).where('token_hash', tokenHash).first();
  return row && toInvite(row);
}

/** Counts one use; `false` when there was none left, or the invite has expired. */
export async function takeUse(trx: Knex, id: string, nowAt: string): Promise<boolean> {
  const count = await invites(trx)
    .where({ id })
    .where('expires_at', '>', nowAt)
    .whereRaw('use_count < max_uses')
    .update({ use_count: trx.raw('use_count + 1') });
  return count > 0;
}

/** Ids contain no character that is special in LIKE or JSON. */
export async function countOpenInvites(trx: Knex, groupId: string, nowAt: string): Promise<number> {
  const [row] = await openInvites(trx, nowAt)
    .whereLike('group_ids', `%"${groupId}"%`)
    .count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total ?? 0);
}

export async function removeInvite(trx: Knex, id: string): Promise<void> {
  await invites(trx).where({ id }).delete();
}

export async function removeInvitesBy(trx: Knex, userId: string): Promise<void> {
  await invites(trx).where('created_by', userId).delete();
}

const openInvites = (trx: Knex, nowAt: string) =>
  invites(trx)
    .where('expires_at', '>', nowAt)
    .whereRaw('use_count < max_uses')
    .whereIn('created_by', trx('users').where({ role: 'admin', disabled: 0 }).select('id'));

/** The values were validated before they were written. */
function toInvite(row: InviteRow): Invite {
  return {
    id: row.id,
    token: maskedToken(row.token_end),
    role: row.role,
    libraryAccess: readLimit<LibraryAccess>(row.library_access),
    groupIds: JSON.parse(row.group_ids) as readonly string[],
    maxUses: row.max_uses,
    useCount: row.use_count,
    expiresAt: row.expires_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
