/**
 * How a query is ranked: first the titles that are the query word for word, then the titles that have
 * all of the terms, the shorter first, then the rest by BM25. The order of the key is the order of the
 * second group already, so FTS5 stops after the first few; only the third group costs a ranking, and
 * only when the first two do not fill the answer. Counting is done over all matches, always.
 */
import type { Knex } from 'knex';
import type { TextHit } from '../../../plugin-api/index.ts';
import { isOfKind, lengthsOf, scopeOf } from './document-key.ts';
import type { OpenIndex } from './index-catalogue.ts';
import { inTitle, matchExpression, type QueryTerm } from './match-expression.ts';
import { wordsOf } from './words.ts';

/** A query: documents that have all of `terms`, of one kind, in some scopes. */
export interface TextQuery {
  readonly terms: readonly QueryTerm[];
  readonly kind?: string;
  readonly scopes?: readonly string[] | null;
  readonly limit: number;
}

/** What a query found: the best hits, and how many documents match in all. */
export interface TextHits {
  readonly hits: readonly TextHit[];
  readonly total: number;
}

/** How many matches BM25 ranks at most: ranking one costs ten times as much as counting it. */
const mostRanked = 500;

/** What a title with all of the terms scores, less its length; BM25 stays below. */
const titleScore = 1000;

const titleAndBodyWeights = '10.0, 1.0';

interface RankedRow {
  readonly key: number;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly score: number;
  readonly total: number;
}

/** Runs a query over one index. Kinds are walked one by one: each is a range of its own. */
export async function runQuery(read: Knex, index: OpenIndex, query: TextQuery): Promise<TextHits> {
  const expression = matchExpression(query.terms);
  if (expression === null) return { hits: [], total: 0 };
  const kinds = query.kind === undefined ? [...index.kinds.values()] : kindNamed(index, query.kind);
  const answers = await Promise.all(
    kinds.map((kind) => rankKind(read, index, { expression, query, kind })),
  );
  const rows = answers.flat().sort((a, b) => b.score - a.score || a.key - b.key);
  return {
    hits: rows.slice(0, query.limit).map(toHit),
    total: answers.reduce((sum, [first]) => sum + (first?.total ?? 0), 0),
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

async function rankKind(
  read: Knex,
  index: OpenIndex,
  question: Question,
): Promise<readonly RankedRow[]> {
  const titled = await rankTitles(read, index, question);
  const isFull = titled.length === question.query.limit;
  if (isFull || titled.length === titled[0]?.total) return titled;
  const rest = await rankAll(read, index, question);
  const keys = new Set(titled.map(({ key }) => key));
  return [...titled, ...rest.filter(({ key }) => !keys.has(key))];
}

async function rankTitles(
  read: Knex,
  index: OpenIndex,
  question: Question,
): Promise<readonly RankedRow[]> {
  const { expression, query } = question;
  const { documents, words } = index.tables;
  const filter = filterOf(index, question);
  const matching = `from ${words} where ${words} match ?${filter.sql('rowid')}`;
  const sql = `
    with best as (
      select key, ${titleScore}.0 - ${lengthsOf('key')} as score
      from (select rowid as key ${matching} order by rowid limit ?)
      union all
      select * from (
        select key, ${titleScore}.0 from ${documents}
        where title_words = nullif(?, '')${filter.sql('key')} order by key limit ?
      )
    )
    select document.key, document.id, document.kind, document.title, sum(best.score) as score,
      (select count(*) ${matching}) as total
    from best join ${documents} as document on document.key = best.key
    group by best.key
    order by score desc, best.key
    limit ?`;
  return read.raw<readonly RankedRow[]>(sql, [
    inTitle(expression),
    ...filter.bindings,
    query.limit,
    exactTitle(query.terms),
    ...filter.bindings,
    query.limit,
    expression,
    ...filter.bindings,
    query.limit,
  ]);
}

async function rankAll(
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
      counted as (select count(*) as matches from candidates)
    select document.key, document.id, document.kind, document.title, best.score,
      case when (select matches from counted) < ${mostRanked} then (select matches from counted)
        else (select count(*) ${matching}) end as total
    from (select key, score from candidates order by score desc, key limit ?) as best
    join ${documents} as document on document.key = best.key
    order by best.score desc, best.key`;
  return read.raw<readonly RankedRow[]>(sql, [...match, ...match, query.limit]);
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

/** The title that would be the query, word for word; empty when a term has no words of its own. */
function exactTitle(terms: readonly QueryTerm[]): string {
  const words = terms.map(({ text, alternatives = [] }) => ({ own: wordsOf(text), alternatives }));
  const isOwn = words.every(({ own, alternatives }) => own.length > 0 || alternatives.length === 0);
  return isOwn ? words.flatMap(({ own }) => own).join(' ') : '';
}

function toHit({ id, kind, title, score }: RankedRow): TextHit {
  return { id, kind, title, score };
}
