/** The SQL of the cluster. It runs on the cluster's own connection, or on the readers. */
import {
  dialectOf,
  type AskLine,
  type Queries,
  type RunningServer,
  type Transaction,
} from '../../../kernel/store/index.ts';
import type { MemberFacts } from './member.ts';
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

/** Whether this is the term of the leader. */
const inTerm = (value: string): string =>
  `exists (select 1 from leader where id = 1 and term = ${value})`;

/** False = the term is over, and nothing was stored. */
export async function noteDelivered(ask: AskLine, no: number, term: number): Promise<boolean> {
  const rows = await ask(
    `update shared_state set delivered_event = $1 where id = 1 and ${inTerm('$2')} returning id`,
    [no, term],
  );
  return rows.length > 0;
}

/**
 * Removes events that no client can request any more, changes that all servers have read, failed
 * attempts that no longer count, and servers that are missing for long.
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
  await ask(`delete from server_processes where missing_since < now() - interval '1 day'`);
}

const processClass = 0x76_69_74;
const lockClass = 0x76_69_75;
const leaderLock = 0;

/** Without a sign for so long, a server or the leader counts as frozen. */
export const mostSilentMs = 10_000;
const silent = (column: string): string =>
  `${column} < clock_timestamp() - interval '${mostSilentMs} milliseconds'`;

/** Takes the liveness lock of this process. False = its previous connection has not ended yet. */
export async function enlist(
  ask: AskLine,
  member: { readonly no: number; readonly id: string; readonly version: string },
): Promise<boolean> {
  // Before the lock: with it, one that was silent would count as frozen.
  await noteHeartbeat(ask, member.id, 0);
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

/** This server is alive. Its clock is compared with that of the database. */
export async function noteHeartbeat(ask: AskLine, id: string, nowMs: number): Promise<void> {
  await ask(
    `update server_processes set heartbeat_at = clock_timestamp(), missing_since = null,
     clock_ahead_ms = case when $2::bigint = 0 then clock_ahead_ms
       else $2::bigint - (extract(epoch from clock_timestamp()) * 1000)::bigint end
     where id = $1`,
    [id, nowMs],
  );
}

/** What the others see of this server; one that was missing at the same address is forgotten. */
export async function describeMember(
  ask: AskLine,
  id: string,
  { address, roles, plugins, settings, lacks, internal, converts }: MemberFacts,
): Promise<void> {
  await ask(
    `update server_processes set address = $2, roles = $3, plugins = $4, settings = $5, lacks = $6,
     lacks_hearer = $7::boolean, internal = $8, converts = $9::boolean where id = $1`,
    [
      ...[id, address, roles.join(','), JSON.stringify(plugins), JSON.stringify(settings)],
      ...[lacks?.pluginIds.join(', ') ?? '', String(lacks?.hears ?? false)],
      ...[internal, String(converts)],
    ],
  );
  await ask(
    `delete from server_processes where address = $2 and id <> $1 and missing_since is not null`,
    [id, address],
  );
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

/** The servers that run now. Before the first migration there is no table of them. */
export async function runningServers(trx: Transaction): Promise<readonly RunningServer[]> {
  if (dialectOf(trx) === 'sqlite' || !(await trx.schema.hasTable('server_processes'))) return [];
  return trx.raw<readonly RunningServer[]>(
    `select coalesce(nullif(address, ''), id) as address, version
     from server_processes as process where ${lives}`,
  );
}

/** A listed process that died, or lives and is frozen. */
export interface LostProcess {
  readonly id: string;
  readonly lives: number;
}

export const lostProcesses = (ask: AskLine): Promise<readonly LostProcess[]> =>
  ask(`select id, ${lives} as lives from server_processes as process
    where missing_since is null and (not ${lives} or ${silent('heartbeat_at')})`);

/** Ends all connections of a frozen server, with their locks and transactions. */
export async function cutOff(ask: AskLine, id: string): Promise<void> {
  await ask(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`,
    [id],
  );
}

/** It stays listed, so that admins see who is missing. */
export async function noteMissing(ask: AskLine, id: string): Promise<void> {
  await ask('update server_processes set missing_since = now() where id = $1', [id]);
}

/** A server of the database, as its row says. */
export interface MemberRow {
  readonly id: string;
  readonly version: string;
  readonly address: string;
  readonly roles: string;
  readonly plugins: string;
  readonly settings: string;
  readonly lacks: string;
  readonly clock_ahead_ms: number;
  readonly started_ms: number;
  readonly heartbeat_ms: number;
  readonly is_missing: number;
  readonly is_leader: number;
}

/** Every server, those that are missing too. */
export async function listMembers(read: Queries): Promise<readonly MemberRow[]> {
  const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;
  return read.raw<readonly MemberRow[]>(
    `select member.id, version, address, roles, plugins, settings, lacks, clock_ahead_ms,
       ${ms('started_at')} as started_ms, ${ms('heartbeat_at')} as heartbeat_ms,
       missing_since is not null or ${silent('heartbeat_at')} as is_missing,
       coalesce(leader.server = member.id, false) as is_leader
     from server_processes as member left join leader on leader.id = 1
     order by started_at, no`,
  );
}

/** Milliseconds since the last sign of the leader. */
export async function leaderSilence(read: Queries): Promise<number> {
  const [row] = await read.raw<readonly { readonly ms: number }[]>(
    `select (extract(epoch from clock_timestamp() - beat_at) * 1000)::bigint as ms
     from leader where id = 1`,
  );
  return row?.ms ?? 0;
}

/** Whether another process is alive. */
export async function hasOthers(ask: AskLine, id: string): Promise<boolean> {
  const sql = `select id from server_processes as process where id <> $1 and ${lives}`;
  return (await ask(sql, [id])).length > 0;
}

/** The internal ports of the other servers that are there. */
export async function internalPorts(read: Queries, id: string): Promise<readonly string[]> {
  const rows = await read.raw<readonly { readonly internal: string }[]>(
    `select internal from server_processes where id <> ? and internal <> ''
     and missing_since is null and not (${silent('heartbeat_at')})`,
    [id],
  );
  return rows.map(({ internal }) => internal);
}

/** Whether another server is there that could lead, and lacks no plugin that hears events. */
export async function hasAbler(ask: AskLine, id: string): Promise<boolean> {
  const rows = await ask(
    `select id from server_processes where id <> $1 and missing_since is null
     and not (${silent('heartbeat_at')}) and 'leader' = any(string_to_array(roles, ','))
     and not lacks_hearer limit 1`,
    [id],
  );
  return rows.length > 0;
}

export async function delist(ask: AskLine, id: string): Promise<void> {
  await ask('delete from server_processes where id = $1', [id]);
}

/** Takes the leader's lock and begins the next term; `null` = another server holds the lock. */
export async function beginTerm(ask: AskLine, id: string): Promise<number | null> {
  const [row] = await ask<{ readonly term: number }>(
    `with taken as materialized (select pg_try_advisory_lock(${lockClass}, ${leaderLock}) as ok)
     update leader set term = term + 1, server = $1, beat_at = clock_timestamp()
     from taken where id = 1 and taken.ok returning term`,
    [id],
  );
  return row?.term ?? null;
}

/** A sign of the leader; false = its term is over. */
export async function noteLeaderBeat(ask: AskLine, term: number): Promise<boolean> {
  const rows = await ask(
    'update leader set beat_at = clock_timestamp() where id = 1 and term = $1 returning term',
    [term],
  );
  return rows.length > 0;
}

/** Cuts off a leader that gave no sign for too long; true = there was one. */
export async function deposeSilent(ask: AskLine): Promise<boolean> {
  const rows = await ask(
    `select pg_terminate_backend(pid) from pg_stat_activity as activity, leader
     where leader.id = 1 and ${silent('leader.beat_at')} and application_name = leader.server
     and datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}

/** Whether the term lasts, at least until the end of the transaction. */
export async function lasts(trx: Transaction, term: number): Promise<boolean> {
  const rows = await trx('leader').where({ id: 1, term }).select('term').forKeyShare();
  return rows.length > 0;
}

export const releaseLeadership = (ask: AskLine): Promise<void> => releaseLock(ask, leaderLock);

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
