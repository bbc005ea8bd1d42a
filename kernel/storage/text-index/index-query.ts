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

/** A query: documents that have all of `terms`, in some scopes. */
export interface TextQuery {
  readonly terms: readonly QueryTerm[];
  readonly scopes?: readonly string[] | null;
}

/** How many of the best hits of one kind are wanted. */
export interface WantedKind {
  readonly kind: string;
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
}

interface Question {
  readonly expression: string;
  readonly query: TextQuery;
}

/** One kind of an index: its number in the keys, and how many hits are wanted. */
interface Share {
  readonly ordinal: number;
  readonly kind: string;
  readonly limit: number;
}

/** Runs a query over one index; the answer has the hits of each wanted kind, in their order. */
export async function queryKinds(
  read: Knex,
  index: OpenIndex,
  query: TextQuery,
  wanted: readonly WantedKind[],
): Promise<readonly TextHits[]> {
  const expression = matchExpression(query.terms);
  // A name that the index does not know matches nothing.
  const shares = wanted.flatMap(({ kind, limit }) => {
    const ordinal = index.kinds.get(kind);
    return ordinal === undefined ? [] : [{ ordinal, kind, limit }];
  });
  if (expression === null || shares.length === 0) return wanted.map(() => nothing);
  const question = { expression, query };
  const [titled, totals] = await Promise.all([
    rankTitles(read, index, question, shares),
    countMatches(read, index, question, shares),
  ]);
  const found = await Promise.all(
    shares.map(async (share): Promise<readonly [string, TextHits]> => {
      const best = titled.filter(({ kind }) => kind === share.kind).slice(0, share.limit);
      const total = totals.get(share.kind) ?? 0;
      if (best.length === share.limit || best.length >= total)
        return [share.kind, { hits: best.map(toHit), total }];
      const keys = new Set(best.map(({ key }) => key));
      const all = await rankAll(read, index, question, share);
      const rest = all.filter(({ key }) => !keys.has(key));
      return [share.kind, { hits: [...best, ...rest].slice(0, share.limit).map(toHit), total }];
    }),
  );
  const byKind = new Map(found);
  return wanted.map(({ kind }) => byKind.get(kind) ?? nothing);
}

const nothing: TextHits = { hits: [], total: 0 };

/** Runs a query over one kind of an index, or over all of them as one. */
export async function runQuery(
  read: Knex,
  index: OpenIndex,
  query: TextQuery & { readonly kind?: string; readonly limit: number },
): Promise<TextHits> {
  const kinds = query.kind === undefined ? [...index.kinds.keys()] : [query.kind];
  const { limit } = query;
  const answers = await queryKinds(
    read,
    index,
    query,
    kinds.map((kind) => ({ kind, limit })),
  );
  // Stable, so that equals stay in the order of their kinds, and within one of their keys.
  const hits = answers.flatMap((answer) => answer.hits).sort((a, b) => b.score - a.score);
  return {
    hits: hits.slice(0, limit),
    total: answers.reduce((sum, { total }) => sum + total, 0),
  };
}

/** The best titles of each kind; at most twice as many as are wanted. */
function rankTitles(
  read: Knex,
  index: OpenIndex,
  { expression, query }: Question,
  shares: readonly Share[],
): Promise<readonly RankedRow[]> {
  const { documents, words } = index.tables;
  const scopes = scopeFilter(index, query);
  const kinds = shares.map(
    ({ ordinal }) => `
      select key, ${titleScore}.0 - ${lengthsOf('key')} as score
      from (
        select rowid as key from ${words}
        where ${words} match ? and ${isOfKind('rowid', ordinal)}${scopes.sql('rowid')}
        order by rowid limit ?
      )
      union all
      select * from (
        select key, ${titleScore}.0 from ${documents}
        where title_words = nullif(?, '') and ${isOfKind('key', ordinal)}${scopes.sql('key')}
        order by key limit ?
      )`,
  );
  const sql = `
    with best as (${kinds.join(' union all ')})
    select document.key, document.id, document.kind, document.title, sum(best.score) as score
    from best join ${documents} as document on document.key = best.key
    group by best.key
    order by score desc, best.key`;
  const exact = exactTitle(query.terms);
  const bindings = shares.flatMap(({ limit }) => [
    inTitle(expression),
    ...scopes.bindings,
    limit,
    exact,
    ...scopes.bindings,
    limit,
  ]);
  return read.raw<readonly RankedRow[]>(sql, bindings);
}

/** How many documents of each kind match, in one walk over all of them. */
async function countMatches(
  read: Knex,
  index: OpenIndex,
  { expression, query }: Question,
  shares: readonly Share[],
): Promise<ReadonlyMap<string, number>> {
  const { words } = index.tables;
  const scopes = scopeFilter(index, query);
  const sums = shares.map(
    ({ ordinal }, at) => `count(*) filter (where ${isOfKind('rowid', ordinal)}) as total_${at}`,
  );
  const sql = `select ${sums.join(', ')} from ${words} where ${words} match ?${scopes.sql('rowid')}`;
  const [row] = await read.raw<readonly Readonly<Record<string, number>>[]>(sql, [
    expression,
    ...scopes.bindings,
  ]);
  return new Map(shares.map(({ kind }, at) => [kind, row?.[`total_${at}`] ?? 0]));
}

/** The best matches of one kind by BM25. */
function rankAll(
  read: Knex,
  index: OpenIndex,
  { expression, query }: Question,
  { ordinal, limit }: Share,
): Promise<readonly RankedRow[]> {
  const { documents, words } = index.tables;
  const scopes = scopeFilter(index, query);
  const sql = `
    with candidates as materialized (
      select rowid as key, -bm25(${words}, ${titleAndBodyWeights}) as score from ${words}
      where ${words} match ? and ${isOfKind('rowid', ordinal)}${scopes.sql('rowid')}
      order by rowid limit ${mostRanked}
    )
    select document.key, document.id, document.kind, document.title, best.score
    from (select key, score from candidates order by score desc, key limit ?) as best
    join ${documents} as document on document.key = best.key
    order by best.score desc, best.key`;
  return read.raw<readonly RankedRow[]>(sql, [expression, ...scopes.bindings, limit]);
}

interface Filter {
  readonly sql: (key: string) => string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** Reads the scope out of the key. A scope that the index does not know matches nothing. */
function scopeFilter({ tables }: OpenIndex, { scopes }: TextQuery): Filter {
  if (scopes === undefined || scopes === null) return { sql: () => '', bindings: [] };
  const ordinals = `select ordinal from text_index_labels where index_id = ${tables.indexId}
    and type = 'scope' and label in (select value from json_each(?))`;
  return {
    sql: (key) => ` and ${scopeOf(key)} in (${ordinals})`,
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
