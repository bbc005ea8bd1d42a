import type { Knex } from 'knex';
import type { TextHit } from '../../../plugin-api/index.ts';
import { isOfKind, scopeOf } from './document-key.ts';
import type { OpenIndex } from './index-catalogue.ts';
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

interface RankedRows {
  readonly rows: readonly RankedRow[];
  readonly total: number;
}

/** Runs a query over one index. Kinds are walked one by one: each is a range of its own. */
export async function runQuery(
  read: Knex,
  index: OpenIndex,
  query: TextQuery,
): Promise<{ readonly hits: readonly TextHit[]; readonly total: number }> {
  const expression = matchExpression(query.terms);
  if (expression === null) return { hits: [], total: 0 };
  const kinds = query.kind === undefined ? [...index.kinds.values()] : kindNamed(index, query.kind);
  const answers = await Promise.all(
    kinds.map((kind) => rankKind(read, index, { expression, query, kind })),
  );
  const rows = answers.flatMap((answer) => answer.rows);
  return {
    hits: best(rows, query.limit).map(toHit),
    total: answers.reduce((sum, { total }) => sum + total, 0),
  };
}

/** A name that the index does not know matches nothing. */
function kindNamed({ kinds }: OpenIndex, name: string): readonly number[] {
  const kind = kinds.get(name);
  return kind === undefined ? [] : [kind];
}

interface Question {
  readonly expression: string;
  readonly query: TextQuery;
  readonly kind: number;
}

async function rankKind(read: Knex, index: OpenIndex, question: Question): Promise<RankedRows> {
  const { expression, query } = question;
  const rows = await rank(read, index, question);
  const total = rows[0]?.total ?? 0;
  const isSettled =
    total <= mostRanked || rows.every(({ title }) => matchesTitle(query.terms, title));
  if (isSettled) return { rows, total };
  const byTitle = await rank(read, index, { ...question, expression: inTitle(expression) });
  return { rows: [...rows, ...byTitle], total };
}

interface Filter {
  readonly sql: (key: string) => string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** Reads kind and scope out of the key. A scope that the index does not know matches nothing. */
function filterOf({ tables }: OpenIndex, { kind, query: { scopes } }: Question): Filter {
  if (scopes === undefined || scopes === null) {
    return { sql: (key) => ` and ${isOfKind(key, kind)}`, bindings: [] };
  }
  const ordinals = `select ordinal from text_index_labels where index_id = ${tables.indexId}
    and type = 'scope' and label in (select value from json_each(?))`;
  return {
    sql: (key) => ` and ${isOfKind(key, kind)} and ${scopeOf(key)} in (${ordinals})`,
    bindings: [JSON.stringify(scopes)],
  };
}

async function rank(
  read: Knex,
  index: OpenIndex,
  question: Question,
): Promise<readonly RankedRow[]> {
  const { expression, query } = question;
  const { documents, words } = index.tables;
  const filter = filterOf(index, question);
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

/** The best rows, each document once. */
function best(rows: readonly RankedRow[], limit: number): readonly RankedRow[] {
  const distinct = new Map<number, RankedRow>();
  for (const row of rows) {
    if ((distinct.get(row.key)?.score ?? -Infinity) < row.score) distinct.set(row.key, row);
  }
  return [...distinct.values()].sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
}

function toHit({ id, kind, title, score }: RankedRow): TextHit {
  return { id, kind, title, score };
}
