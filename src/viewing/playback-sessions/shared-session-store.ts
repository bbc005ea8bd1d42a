/** The SQL of the sessions of several servers. All times are of the clock of the database. */
import type { Queries, Transaction } from '../../../kernel/store/index.ts';
import type { Role } from '../../people/viewer/index.ts';
import type { Cost, SessionEntry } from './session-entry.ts';
import { mostGone, patienceMs, type SessionsOf } from './session-register.ts';
import type { PlayMode, Session } from './session.ts';

/** A session as it is kept. */
export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly profile_id: string;
  readonly credential_id: string;
  readonly role: Role;
  readonly item_id: string;
  readonly file_id: string;
  readonly mode: PlayMode;
  readonly cost: Cost;
  readonly reasons: string;
  readonly duration: number;
  readonly created_at: number;
  readonly state: Session['state'];
  readonly position: number;
  readonly told: number | null;
  readonly revision: number;
  readonly gone_for: Role | 'same' | null;
  /** Milliseconds since it was used, since its position was written, since it was told of. */
  readonly seen_ms: number;
  readonly moved_ms: number;
  readonly told_ms: number | null;
}

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const columns = [
  ...['id', 'user_id', 'profile_id', 'credential_id', 'role', 'item_id', 'file_id', 'mode', 'cost'],
  ...['reasons', 'duration', 'created_at', 'state', 'position', 'told', 'revision', 'gone_for'],
  ...['seen', 'moved', 'told'].map((what) => `${now} - ${what}_at as ${what}_ms`),
].join(', ');

const ask = async (
  by: Queries | Transaction,
  sql: string,
  values: readonly (string | number | null)[] = [],
): Promise<readonly SessionRow[]> => await by.raw<readonly SessionRow[]>(sql, [...values]);

export async function findRow(read: Queries, id: string): Promise<SessionRow | undefined> {
  const [row] = await ask(read, `select ${columns} from playback_sessions where id = ?`, [id]);
  return row;
}

/** How it is played, as it was written. */
export async function decisionOf(read: Queries, id: string): Promise<string | undefined> {
  const row = await read<{ readonly id: string; readonly decision: string }>('playback_sessions')
    .where({ id })
    .first('decision');
  return row?.decision;
}

/** Those that play, the oldest first. */
export const playing = (by: Queries | Transaction): Promise<readonly SessionRow[]> =>
  ask(
    by,
    `select ${columns} from playback_sessions where gone_for is null order by created_at, id`,
  );

const ofEntry = (entry: SessionEntry) => ({
  mode: entry.mode,
  cost: entry.cost,
  reasons: JSON.stringify(entry.reasons),
  state: entry.state,
  position: entry.position,
});

export async function insertRow(
  trx: Transaction,
  entry: SessionEntry,
  { decision, server }: { readonly decision: string; readonly server: string },
): Promise<void> {
  await trx('playback_sessions').insert({
    ...ofEntry(entry),
    id: entry.id,
    user_id: entry.userId,
    profile_id: entry.profileId,
    credential_id: entry.credentialId,
    role: entry.role,
    item_id: entry.itemId,
    file_id: entry.fileId,
    duration: entry.duration,
    created_at: entry.createdAt,
    seen_at: trx.raw(now),
    moved_at: trx.raw(now),
    server,
    revision: 1,
    decision,
  });
}

/** Writes how it is played from now on; `null` = it has ended. */
export async function changeRow(
  trx: Transaction,
  entry: SessionEntry,
  decision: string,
): Promise<number | null> {
  const [row] = await trx('playback_sessions')
    .where({ id: entry.id })
    .whereNull('gone_for')
    .update({ ...ofEntry(entry), decision, revision: trx.raw('revision + 1') })
    .returning<readonly { readonly revision: number }[]>('revision');
  return row?.revision ?? null;
}

/** Says for whom it ended. */
export async function markGone(
  trx: Transaction,
  id: string,
  goneFor: NonNullable<SessionRow['gone_for']>,
): Promise<void> {
  await trx('playback_sessions')
    .where({ id })
    .update({ gone_for: goneFor, seen_at: trx.raw(now) });
}

export async function noteSeen(trx: Transaction, id: string, server: string): Promise<void> {
  await trx('playback_sessions')
    .where({ id })
    .update({ seen_at: trx.raw(now), server });
}

/** Writes where it is. */
export async function noteMoved(
  trx: Transaction,
  { id, state, position, told }: Pick<Session, 'id' | 'state' | 'position' | 'told'>,
  server: string,
): Promise<void> {
  await trx.raw(
    `update playback_sessions set state = ?, position = ?, server = ?, seen_at = ${now}, moved_at = ${now},
       told_at = case when told is distinct from ?::double precision then ${now} else told_at end,
       told = coalesce(?::double precision, told)
     where id = ?`,
    [state, position, server, told?.progress ?? null, told?.progress ?? null, id],
  );
}

/** Whether nothing was told of it before. */
export async function noteTold(trx: Transaction, id: string): Promise<boolean> {
  const rows = await ask(
    trx,
    `update playback_sessions set told = 0, told_at = ${now} where id = ? and told is null
     returning ${columns}`,
    [id],
  );
  return rows.length > 0;
}

export const deleteRow = (trx: Transaction, id: string): Promise<readonly SessionRow[]> =>
  ask(trx, `delete from playback_sessions where id = ? and gone_for is null returning ${columns}`, [
    id,
  ]);

/** Deletes those of a user or of credentials. */
export const deleteThose = (
  trx: Transaction,
  { userId, credentialIds }: SessionsOf,
): Promise<readonly SessionRow[]> =>
  ask(
    trx,
    `delete from playback_sessions
     where gone_for is null
       and (user_id = ? or credential_id in (select json_array_elements_text(?::json)))
     returning ${columns}`,
    [userId, JSON.stringify(credentialIds)],
  );

/** Deletes those that nobody used for long, and forgets the oldest that gave way. */
export async function deleteLeft(
  trx: Transaction,
  slackMs: number,
): Promise<readonly SessionRow[]> {
  await trx.raw(
    `delete from playback_sessions where id in (
       select id from playback_sessions where gone_for is not null
       order by seen_at desc offset ${mostGone}
     )`,
  );
  return ask(trx, `delete from playback_sessions where ${isLeft(slackMs)} returning ${columns}`);
}

/** Whether there is one to delete; a reader asks before it writes. */
export async function hasLeft(read: Queries, slackMs: number): Promise<boolean> {
  const sql = `select ${columns} from playback_sessions where ${isLeft(slackMs)} limit 1`;
  return (await ask(read, sql)).length > 0;
}

const isLeft = (slackMs: number): string =>
  `gone_for is null and seen_at < ${now} - ${slackMs} -
   case when state = 'paused' then ${patienceMs.paused} else ${patienceMs.playing} end`;

/** Whether one of them is of another profile. */
export async function hasOthers(
  read: Queries,
  { userId, profileId }: Pick<Session, 'userId' | 'profileId'>,
  ids: readonly string[],
): Promise<boolean> {
  const sql = `select ${columns} from playback_sessions where gone_for is null
    and id in (select json_array_elements_text(?::json)) and (user_id <> ? or profile_id <> ?) limit 1`;
  return (await ask(read, sql, [JSON.stringify(ids), userId, profileId])).length > 0;
}

export async function countsOf(
  read: Queries,
  server: string,
): Promise<Readonly<Record<PlayMode, number>>> {
  const rows = await read<{ readonly server: string }>('playback_sessions')
    .where({ server })
    .whereNull('gone_for')
    .groupBy('mode')
    .select<readonly { readonly mode: PlayMode; readonly count: number }[]>(
      'mode',
      read.raw('count(*)::integer as count'),
    );
  const counts = { direct: 0, remux: 0, convert: 0 };
  for (const { mode, count } of rows) counts[mode] = count;
  return counts;
}
