/** The SQL of the cluster. It runs on the cluster's own connection, or on the readers. */
import type { AskLine, Queries } from '../../../kernel/storage/index.ts';
import type { Topic } from './topic.ts';

/** A noted change. */
export interface SharedChange {
  readonly no: number;
  readonly topic: Topic;
  readonly key: string | null;
  readonly origin: string;
}

/** An event with its number, which is the same for every server. */
export interface SharedEvent {
  readonly no: number;
  readonly type: string;
  /** The envelope. */
  readonly json: string;
}

/** The current positions. */
export interface SharedState {
  readonly feed_id: string;
  readonly last_event: number;
  readonly delivered_event: number;
  readonly key_print: string | null;
}

interface Highest {
  readonly no: number | null;
}

/** The number of the last change; 0 = there is none. */
export async function lastChange(read: Queries): Promise<number> {
  const [row] = await read('shared_changes').max<readonly Highest[]>('no as no');
  return row?.no ?? 0;
}

export const changesAfter = (
  read: Queries,
  no: number,
  limit: number,
): Promise<readonly SharedChange[]> =>
  read<SharedChange>('shared_changes').where('no', '>', no).orderBy('no').limit(limit);

/** The number of the last change of a topic by another server. */
export async function lastOfTopic(read: Queries, topic: Topic, origin: string): Promise<number> {
  const [row] = await read('shared_changes')
    .where({ topic })
    .whereNot({ origin })
    .max<readonly Highest[]>('no as no');
  return row?.no ?? 0;
}

export async function readState(ask: AskLine): Promise<SharedState> {
  const [state] = await ask<SharedState>('select * from shared_state where id = 1');
  if (state === undefined) throw new Error('shared_state has no row.');
  return state;
}

/**
 * Appends events with the next numbers; concurrent writers wait, so numbers become visible in
 * order.
 */
export async function appendEvents(
  ask: AskLine,
  letters: readonly { readonly type: string; readonly json: string }[],
): Promise<void> {
  await ask(
    `with taken as (
       update shared_state set last_event = last_event + $2::bigint where id = 1 returning last_event
     ), added as (
       insert into shared_events (no, type, json)
       select taken.last_event - $2::bigint + letter.place, letter.value ->> 0, letter.value ->> 1
       from taken, json_array_elements($1::json) with ordinality as letter (value, place)
       returning no
     )
     select pg_notify('vitrine', 'events') from (select count(*) from added) as done`,
    [JSON.stringify(letters.map(({ type, json }) => [type, json])), letters.length],
  );
}

export const eventsAfter = (
  ask: AskLine,
  no: number,
  limit: number,
): Promise<readonly SharedEvent[]> =>
  ask<SharedEvent>(
    `select no, type, json from shared_events where no > $1 order by no limit ${limit}`,
    [no],
  );

export async function noteDelivered(ask: AskLine, no: number): Promise<void> {
  await ask('update shared_state set delivered_event = $1 where id = 1', [no]);
}

/**
 * Removes events that no client can request any more, changes that all servers have read, and
 * failed attempts that no longer count.
 */
export async function forgetOld(ask: AskLine, kept: number, mostKept: number): Promise<void> {
  await ask(
    `delete from shared_events using shared_state as state where state.id = 1 and
     (no <= least(state.last_event - $1::bigint, state.delivered_event) or no <= state.last_event - $2::bigint)`,
    [kept, mostKept],
  );
  // The last one of each topic stays, because `lastOfTopic` reads it.
  await ask(
    `delete from shared_changes where at < now() - interval '1 hour'
     and no not in (select max(no) from shared_changes group by topic, origin)`,
  );
  await ask(
    `delete from attempt_counters where at < now() - interval '1 day'
     or key in (select key from attempt_counters order by at desc offset 20000)`,
  );
}

const processClass = 0x76_69_74;
const lockClass = 0x76_69_75;

/** Takes the liveness lock of this process. False = its previous connection has not ended yet. */
export async function enlist(
  ask: AskLine,
  member: { readonly no: number; readonly id: string; readonly version: string },
): Promise<boolean> {
  const [row] = await ask<{ readonly locked: number }>(
    `select pg_try_advisory_lock(${processClass}, $1::integer) as locked`,
    [member.no],
  );
  if (row?.locked !== 1) return false;
  await ask(
    `insert into server_processes (no, id, version) values ($1, $2, $3)
     on conflict (id) do update set no = excluded.no`,
    [member.no, member.id, member.version],
  );
  return true;
}

export async function nextProcessNo(ask: AskLine): Promise<number> {
  const [row] = await ask<{ readonly no: number }>(
    `select nextval('server_process_numbers') as no`,
  );
  return Number(row?.no);
}

const lives = `exists (
  select 1 from pg_locks where locktype = 'advisory' and granted
  and classid = ${processClass} and objid::bigint = process.no and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())
)`;

/** Processes that are listed and hold no lock. */
export const deadProcesses = (ask: AskLine): Promise<readonly { readonly id: string }[]> =>
  ask(`select id from server_processes as process where not ${lives}`);

/** Whether another process is alive. */
export async function hasOthers(ask: AskLine, id: string): Promise<boolean> {
  const sql = `select id from server_processes as process where id <> $1 and ${lives}`;
  return (await ask(sql, [id])).length > 0;
}

export async function delist(ask: AskLine, id: string): Promise<void> {
  await ask('delete from server_processes where id = $1', [id]);
}

/** Takes the lock of a singleton; `true` = it was free. It is held as long as the connection. */
export async function takeLock(ask: AskLine, lock: number): Promise<boolean> {
  const [row] = await ask<{ readonly taken: number }>(
    `select pg_try_advisory_lock(${lockClass}, $1::integer) as taken`,
    [lock],
  );
  return row?.taken === 1;
}

export async function releaseLock(ask: AskLine, lock: number): Promise<void> {
  await ask(`select pg_advisory_unlock(${lockClass}, $1::integer)`, [lock]);
}

/** The lock number of a name; 0 is the leader's. */
export const lockNumberOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0x7f_ff_ff_ff, 7) +
  1;

export async function announce(ask: AskLine, what: string): Promise<void> {
  await ask(`select pg_notify('vitrine', $1)`, [what]);
}

/** The fingerprint of the key that encrypts the database's secrets; the first server sets it. */
export async function claimKey(ask: AskLine, print: string): Promise<string | null> {
  await ask('update shared_state set key_print = $1 where id = 1 and key_print is null', [print]);
  return (await readState(ask)).key_print;
}

export async function setKey(ask: AskLine, print: string): Promise<void> {
  await ask('update shared_state set key_print = $1 where id = 1', [print]);
}
