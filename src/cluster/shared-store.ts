/** The SQL of what servers share. It runs on the line, or by the readers. */
import type { AskLine, Queries } from '../../kernel/index.ts';
import type { Topic } from './topic.ts';

/** A change that the database noted. */
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

/** Where all stands. */
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

/** The last change of a topic that another server made; what it was does not matter. */
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

/** Gives events their numbers; whoever else does so waits, so numbers can be read in their order. */
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

/** Forgets events that nobody can ask for any more, and changes of which everybody has heard. */
export async function forgetOld(ask: AskLine, kept: number, mostKept: number): Promise<void> {
  await ask(
    `delete from shared_events using shared_state as state where state.id = 1 and
     (no <= least(state.last_event - $1::bigint, state.delivered_event) or no <= state.last_event - $2::bigint)`,
    [kept, mostKept],
  );
  // The last one of each topic stays: it is what `lastOfTopic` tells apart.
  await ask(
    `delete from shared_changes where at < now() - interval '1 hour'
     and no not in (select max(no) from shared_changes group by topic, origin)`,
  );
}

const processClass = 0x76_69_74;
const dutyClass = 0x76_69_75;

/** Takes the lock that says: this process lives. False = its last connection has not ended yet. */
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

/** Processes that are listed and do not live. */
export const deadProcesses = (ask: AskLine): Promise<readonly { readonly id: string }[]> =>
  ask(`select id from server_processes as process where not ${lives}`);

/** Whether another process lives. */
export async function hasOthers(ask: AskLine, id: string): Promise<boolean> {
  const sql = `select id from server_processes as process where id <> $1 and ${lives}`;
  return (await ask(sql, [id])).length > 0;
}

export async function delist(ask: AskLine, id: string): Promise<void> {
  await ask('delete from server_processes where id = $1', [id]);
}

/** Takes on what one server does for all; `true` = nobody else had it. Held as long as the line. */
export async function takeDuty(ask: AskLine, duty: number): Promise<boolean> {
  const [row] = await ask<{ readonly taken: number }>(
    `select pg_try_advisory_lock(${dutyClass}, $1::integer) as taken`,
    [duty],
  );
  return row?.taken === 1;
}

export async function leaveDuty(ask: AskLine, duty: number): Promise<void> {
  await ask(`select pg_advisory_unlock(${dutyClass}, $1::integer)`, [duty]);
}

/** The number of a duty by its name; 0 is the keeper's. */
export const dutyOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0x7f_ff_ff_ff, 7) +
  1;

export async function announce(ask: AskLine, what: string): Promise<void> {
  await ask(`select pg_notify('vitrine', $1)`, [what]);
}

/** The print of the key that the secrets of the database are sealed with; the first server gives it. */
export async function claimKey(ask: AskLine, print: string): Promise<string | null> {
  await ask('update shared_state set key_print = $1 where id = 1 and key_print is null', [print]);
  return (await readState(ask)).key_print;
}

export async function setKey(ask: AskLine, print: string): Promise<void> {
  await ask('update shared_state set key_print = $1 where id = 1', [print]);
}
