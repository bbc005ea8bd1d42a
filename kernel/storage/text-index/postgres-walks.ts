/**
 * The two ways through an index in PostgreSQL, as functions of the database: a planner does not know
 * what it costs to look into a vector that lies beside its row, and would look into each of them, or
 * have helpers do so, whose start takes longer than the search.
 */
import type { Knex } from 'knex';

/** Up to so many keys of matches are kept, so that each list is made of them and nothing is gathered twice. */
const mostKept = 2000;

/**
 * `text_index_matches` counts the matches of each kind, and has their keys where they are few (else null);
 * `text_index_shortest` gives the first keys of one kind, from those keys if they are `known`. Where a
 * word is frequent it need not gather all matches to know the first few: it looks into the `walked`
 * first documents, and gathers only when these do not have enough. For a row of words vectors have to be
 * read, so of few matches only theirs are. `part` is `title` or `anywhere`, `scopes` null for all, and a
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

/** Takes away those that a version made which gathered for each list anew. */
export async function dropOlderWalks(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    'drop function if exists text_index_counts (text, tsquery, bigint[], bigint[], bigint[])',
  );
  await trx.raw(`drop function if exists text_index_shortest
    (text, text, tsquery, text, bigint, bigint, bigint[], bigint, bigint)`);
}
