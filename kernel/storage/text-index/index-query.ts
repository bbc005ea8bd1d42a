import type { Knex } from 'knex';
import type { TextHit } from '../../../plugin-api/index.ts';
import { kindOf, scopeOf } from './document-key.ts';
import type { IndexTables } from './index-catalogue.ts';
import { inTitle, matchesTitle, matchExpression, type QueryTerm } from './match-expression.ts';
import { wordsOf } from './words.ts';

/** A query: documents that have all of `terms`, of one kind, in some scopes. */
export interface TextQuery {
  readonly terms: readonly QueryTerm[];
  readonly kind?: string;
  readonly scopes?: readonly string[] | null;
  readonly limit: number;
}

/**
 * How many matches are ranked at most. Ranking a match costs ten times as much as counting it; past
 * so many, those with the shortest titles are ranked, and where these do not settle it, those that
 * match by their titles alone.
 */
const mostRanked = 500;

/** What a title that is the query, word for word, counts more than any other. */
const exactTitleBonus = 1000;

const titleAndBodyWeights = '10.0, 1.0';

interface RankedRow {
  readonly key: number;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly score: number;
  readonly total: number;
}

/** Runs a query over one index. */
export async function runQuery(
  read: Knex,
  tables: IndexTables,
  query: TextQuery,
): Promise<{ readonly hits: readonly TextHit[]; readonly total: number }> {
  const expression = matchExpression(query.terms);
  if (expression === null) return { hits: [], total: 0 };
  const filter = filterOf(tables, query);
  const rows = await rank(read, tables, { expression, filter, query });
  const total = rows[0]?.total ?? 0;
  const isSettled =
    total <= mostRanked || rows.every(({ title }) => matchesTitle(query.terms, title));
  if (isSettled) return { hits: rows.map(toHit), total };
  const byTitle = await rank(read, tables, { expression: inTitle(expression), filter, query });
  return { hits: merge(rows, byTitle, query.limit).map(toHit), total };
}

interface Filter {
  readonly sql: (key: string) => string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** Reads kind and scope out of the key. A name that the index does not know matches nothing. */
function filterOf({ indexId }: IndexTables, { kind, scopes }: TextQuery): Filter {
  const label = `select ordinal from text_index_labels where index_id = ${indexId} and type =`;
  const conditions: ((key: string) => string)[] = [];
  const bindings: Knex.RawBinding[] = [];
  if (kind !== undefined) {
    conditions.push((key) => ` and ${kindOf(key)} = (${label} 'kind' and label = ?)`);
    bindings.push(kind);
  }
  if (scopes !== undefined && scopes !== null) {
    const listed = 'label in (select value from json_each(?))';
    conditions.push((key) => ` and ${scopeOf(key)} in (${label} 'scope' and ${listed})`);
    bindings.push(JSON.stringify(scopes));
  }
  return { sql: (key) => conditions.map((condition) => condition(key)).join(''), bindings };
}

async function rank(
  read: Knex,
  { documents, words }: IndexTables,
  question: { readonly expression: string; readonly filter: Filter; readonly query: TextQuery },
): Promise<readonly RankedRow[]> {
  const { expression, filter, query } = question;
  const matching = `from ${words} where ${words} match ?${filter.sql('rowid')}`;
  const match = [expression, ...filter.bindings];
  const sql = `
    with
      candidates as materialized (
        select rowid as key, -bm25(${words}, ${titleAndBodyWeights}) as score ${matching}
        order by rowid limit ${mostRanked}
      ),
      counted as (select count(*) as matches from candidates),
      best as (
        select * from (select key, score from candidates order by score desc, key limit ?)
        union all
        select * from (
          select key, ${exactTitleBonus} from ${documents}
          where title_words = nullif(?, '')${filter.sql('key')} order by key limit ?
        )
      )
    select document.key, document.id, document.kind, document.title, sum(best.score) as score,
      case when (select matches from counted) < ${mostRanked} then (select matches from counted)
        else (select count(*) ${matching}) end as total
    from best join ${documents} as document on document.key = best.key
    group by best.key
    order by score desc, best.key
    limit ?`;
  const bindings = [
    ...match,
    query.limit,
    exactTitle(query.terms),
    ...filter.bindings,
    query.limit,
    ...match,
    query.limit,
  ];
  return read.raw<readonly RankedRow[]>(sql, bindings);
}

/** The title that would be the query, word for word; empty when a term has no words of its own. */
function exactTitle(terms: readonly QueryTerm[]): string {
  const words = terms.map(({ text, alternatives = [] }) => ({ own: wordsOf(text), alternatives }));
  const isOwn = words.every(({ own, alternatives }) => own.length > 0 || alternatives.length === 0);
  return isOwn ? words.flatMap(({ own }) => own).join(' ') : '';
}

function merge(
  first: readonly RankedRow[],
  second: readonly RankedRow[],
  limit: number,
): readonly RankedRow[] {
  const best = new Map<number, RankedRow>();
  for (const row of [...first, ...second]) {
    if ((best.get(row.key)?.score ?? -Infinity) < row.score) best.set(row.key, row);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
}

function toHit({ id, kind, title, score }: RankedRow): TextHit {
  return { id, kind, title, score };
}
