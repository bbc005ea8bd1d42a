/**
 * The two ways to read an index in PostgreSQL, as database functions. The planner does not know the
 * cost of reading a vector outside its row: it would read each of them, or start parallel workers,
 * which takes longer than the search.
 */
import type { Knex } from 'knex';

/** Keys of up to this many matches are kept for all lists, so that nothing is gathered twice. */
const mostKept = 2000;

/**
 * `text_index_matches` counts the matches of each kind, and returns their keys when there are few
 * (else null). `text_index_shortest` returns the first keys of one kind, from those keys if they are
 * `known`. For a frequent word it does not gather all matches: it examines the first `walked`
 * documents, and gathers only when these do not suffice. A phrase requires reading vectors, so with
 * few matches only theirs are read. `part` is `title` or `anywhere`, `scopes` is null for all, and a
 * kind is given as its word and its first and last key.
 */
export async function createWalks(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`create or replace function text_index_matches(
      words text, asked tsquery, starts bigint[], ends bigint[], scopes bigint[],
      out counts bigint[], out known bigint[]
    ) language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0 as $body$
    declare
      kinds text;
    begin
      select string_agg(format('count(*) filter (where key between %s and %s)', first, last), ', ' order by at)
        into kinds from unnest(starts, ends) with ordinality as kinds (first, last, at);
      execute format(
        'select array[%s], case when count(*) <= ${mostKept} then array_agg(key) end
          from %I where anywhere @@ $1 and ($2 is null or (key & 4095) = any ($2))',
        kinds, words) into counts, known using asked, scopes;
    end $body$`);
  await trx.raw(`create or replace function text_index_shortest(
      words text, part text, asked tsquery, kind text, starts bigint, ends bigint, scopes bigint[],
      known bigint[], walked bigint, most bigint
    ) returns setof bigint language plpgsql stable
    set enable_seqscan = off set enable_indexscan = on set max_parallel_workers_per_gather = 0 as $body$
    declare
      found bigint[];
    begin
      if known is not null and part = 'anywhere' then
        return query select one from unnest(known) as one
          where one between starts and ends order by one limit most;
        return;
      end if;
      if known is not null and position('<' in asked::text) > 0 then
        return query execute format('select key from %I
          where key = any ($1) and key between $2 and $3 and title @@ $4 order by key limit $5',
          words) using known, starts, ends, asked, most;
        return;
      end if;
      if walked > 0 then
        execute format('select array(select key from (
            select key, %I as part from %I where key between $1 and $2 order by key limit $3
          ) as shortest where part @@ $4 and ($5 is null or (key & 4095) = any ($5)) order by key limit $6)',
          part, words) into found using starts, ends, walked, asked, scopes, most;
        if cardinality(found) = most then
          return query select unnest(found);
          return;
        end if;
      end if;
      perform set_config('enable_indexscan', 'off', true);
      return query execute format('select key from %I
        where %I @@ ($1 && quote_literal($2)::tsquery) and ($3 is null or (key & 4095) = any ($3))
        order by key + 0 limit $4', words, part) using asked, kind, scopes, most;
    end $body$`);
}
