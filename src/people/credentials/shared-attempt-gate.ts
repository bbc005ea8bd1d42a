/**
 * The gate of several servers: the failures stand in a table that all of them count in, so that
 * more servers allow no more guesses. Times are those of the database. The condition of the upsert
 * is checked under the lock of the row, so of attempts that several servers begin at once, those
 * beyond the free ones find the row closed. The table is unlogged: a crash of PostgreSQL empties it.
 */
import { LRUCache } from 'lru-cache';
import type { AskLine } from '../../../kernel/store/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
import { mostKeys, tooMany, type AttemptGate } from './attempt-gate.ts';

const waitSeconds = (count: string, free: string): string =>
  `case when ${count} <= ${free} then 0
   else least(900, power(2, least(${count} - ${free} - 1, 30))) end`;

const fresh = waitSeconds('1', 'asked.free');
const counted = `case when counter.at < now() - interval '1 day' then 1 else counter.count + 1 end`;
const further = waitSeconds(`(${counted})`, 'excluded.free');

/** In the order of the keys, so that no two statements wait for each other. */
const countSql = `
  insert into attempt_counters as counter (key, free, count, at, closed_until)
  select key, free, 1, now(), now() + (${fresh}) * interval '1 second'
  from unnest(string_to_array($1, ' '), string_to_array($2, ' ')::integer[]) as asked (key, free)
  order by key
  on conflict (key) do update set free = excluded.free, count = ${counted}, at = now(),
    closed_until = now() + (${further}) * interval '1 second'
  where counter.closed_until <= now()
  returning key`;

const waitSql = `
  select coalesce(max(extract(epoch from closed_until - clock_timestamp())) * 1000, 0)::float8 as ms
  from attempt_counters where key = any (string_to_array($1, ' '))`;

const takeBackSql = `
  with forgotten as (
    delete from attempt_counters where key = any (string_to_array($1, ' '))
    and (count <= 1 or key = any (string_to_array($2, ' ')))
  )
  update attempt_counters set count = count - 1, closed_until = now()
  where key = any (string_to_array($1, ' ')) and count > 1
  and not key = any (string_to_array($2, ' '))`;

const listed = (keys: readonly string[]): string => keys.map(encodeURIComponent).join(' ');

/** Creates the gate over the connection that the servers of a database have in common. */
export function createSharedAttemptGate(ask: AskLine, wall: Clock): AttemptGate {
  const { now } = steadyOf(wall);
  /** Until when a key is known to be closed: a flood of attempts does not reach the database. */
  const closed = new LRUCache<string, number>({ maxSize: mostKeys, sizeCalculation: () => 1 });

  const takeBack = async (keys: readonly string[], forget: readonly string[]): Promise<void> => {
    await ask(takeBackSql, [listed(keys), listed(forget)]);
  };

  return {
    begin: async (limits) => {
      const keys = limits.map(({ key }) => key);
      const knownMs = Math.max(0, ...keys.map((key) => (closed.get(key) ?? 0) - now()));
      if (knownMs > 0) throw tooMany(knownMs);
      const free = limits.map((limit) => limit.free).join(' ');
      const taken = await ask<{ readonly key: string }>(countSql, [listed(keys), free]);
      if (taken.length < keys.length) {
        const open = taken.map(({ key }) => decodeURIComponent(key));
        await takeBack(open, []);
        const shut = keys.filter((key) => !open.includes(key));
        const [wait] = await ask<{ readonly ms: number }>(waitSql, [listed(shut)]);
        const waitMs = Math.max(1, wait?.ms ?? 0);
        if (shut.length === 1) closed.set(shut.join(), now() + waitMs);
        throw tooMany(waitMs);
      }
      return {
        succeeded: (forget) => takeBack(keys, forget),
        unchecked: () => takeBack(keys, []),
      };
    },
  };
}
