import type { Knex } from 'knex';
import type { AuditHead } from './audit-entry.ts';

/** A row of `audit_entries`. */
export interface AuditRow {
  readonly seq: number;
  readonly at: string;
  readonly user_id: string;
  readonly credential_id: string;
  readonly credential_kind: string;
  readonly action: string;
  readonly target_type: string | null;
  readonly target_id: string | null;
  /** JSON. */
  readonly details: string;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly previous_hash: string;
  readonly hash: string;
}

/** The filter of a list of entries, newest first. */
export interface AuditSelection {
  /** Names, or prefixes such as `user.*`. */
  readonly actions: readonly string[];
  readonly userId: string | undefined;
  readonly targetId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly before: number | null;
  readonly limit: number;
}

const entries = (db: Knex) => db<AuditRow>('audit_entries');

export async function readHead(db: Knex): Promise<AuditHead> {
  const head = await db<AuditHead>('audit_head').first('seq', 'hash');
  if (head === undefined) throw new Error('The audit log has no head.');
  return head;
}

/** Appends an entry whose `previous_hash` is the head's. */
export async function appendEntry(trx: Knex, row: AuditRow): Promise<void> {
  await entries(trx).insert(row);
  await trx('audit_head').update({ seq: row.seq, hash: row.hash });
}

export async function selectEntries(
  db: Knex,
  wanted: AuditSelection,
): Promise<readonly AuditRow[]> {
  const query = entries(db).orderBy('seq', 'desc').limit(wanted.limit);
  if (wanted.actions.length > 0)
    void query.where((any) => wanted.actions.forEach((action) => whereAction(any, action)));
  if (wanted.userId !== undefined) void query.where('user_id', wanted.userId);
  if (wanted.targetId !== undefined) void query.where('target_id', wanted.targetId);
  if (wanted.from !== undefined) void query.where('at', '>=', wanted.from);
  if (wanted.to !== undefined) void query.where('at', '<=', wanted.to);
  if (wanted.before !== null) void query.where('seq', '<', wanted.before);
  return query;
}

/** `user.*` is a range of names: from `user.` to the character after the dot. */
function whereAction(query: Knex.QueryBuilder, action: string): void {
  if (!action.endsWith('.*')) return void query.orWhere({ action });
  const beginning = action.slice(0, -2);
  void query.orWhere((range) => {
    void range.where('action', '>=', `${beginning}.`).where('action', '<', `${beginning}/`);
  });
}

export const findEntry = async (db: Knex, seq: number): Promise<AuditRow | undefined> =>
  entries(db).where({ seq }).first();

/** The entries after one, in the order of the chain. */
export async function readChain(
  db: Knex,
  after: number,
  limit: number,
): Promise<readonly AuditRow[]> {
  return entries(db).where('seq', '>', after).orderBy('seq').limit(limit);
}
