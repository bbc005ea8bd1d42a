/**
 * The two ways through an index in PostgreSQL, as functions of the database: a planner does not know
 * what it costs to look into a vector that lies beside its row, and would look into each of them, or
 * have helpers do so, whose start takes longer than the search.
 */
import type { Knex } from 'knex';

/**
 * `text_index_counts` counts the matches of each kind; `text_index_shortest` gives the first keys of one.
 * Where a word is frequent it need not gather all matches to know the first few: it looks into the
 * `walked` first documents, and gathers only when these do not have enough. `column` is `title` or
 * `anywhere`, `scopes` null for all, and a kind is given as its word and its first and last key.
 */
export async function createWalks(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`create function text_index_counts(
      words text, asked tsquery, starts bigint[], ends bigint[], scopes bigint[]
    ) returns bigint[] language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0 as $body$
    declare
      counts text;
      found bigint[];
    begin
      select string_agg(format('count(*) filter (where key between %s and %s)', first, last), ', ' order by at)
        into counts from unnest(starts, ends) with ordinality as kinds (first, last, at);
      execute format(
        'select array[%s] from %I where anywhere @@ $1 and ($2 is null or (key & 4095) = any ($2))',
        counts, words) into found using asked, scopes;
      return found;
    end $body$`);
  await trx.raw(`create function text_index_shortest(
      words text, part text, asked tsquery, kind text, starts bigint, ends bigint, scopes bigint[],
      walked bigint, most bigint
    ) returns setof bigint language plpgsql stable
    set enable_seqscan = off set enable_indexscan = on set max_parallel_workers_per_gather = 0 as $body$
    declare
      found bigint[];
    begin
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
