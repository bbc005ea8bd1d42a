/**
 * The ranking of a query: first titles that equal the query word for word, then titles with all
 * terms, the shorter first, then the rest by the number of terms in the title, and of these the
 * shorter first. The second group is in key order, so FTS5 stops after the first few. The count
 * always covers all matches.
 */
import type { Knex } from 'knex';
import type { TextHit } from '../../../plugin-api/index.ts';
import type { OpenIndex } from './index-catalogue.ts';
import { matchExpression, type QueryTerm } from './match-expression.ts';
import { dialectOf } from '../dialect.ts';
import { readRows } from '../read-rows.ts';
import { postgresStatement } from './postgres-query.ts';
import { queryStatement, readAnswers, type HitRow, type ShareAnswer } from './query-statement.ts';
import type { Share } from './question.ts';
import { isStorable } from '../stored-text.ts';
import { wordsOf } from './split-words.ts';

/** A query: documents that have all `terms`, in some scopes. */
export interface TextQuery {
  readonly terms: readonly QueryTerm[];
  readonly scopes?: readonly string[] | null;
}

/** How many of the best hits of one kind are wanted. */
export interface WantedKind {
  readonly kind: string;
  readonly limit: number;
}

/** A query over several kinds, each with its own limit. */
export type KindsQuery = TextQuery & { readonly kinds: readonly WantedKind[] };

/** The result of a query: the best hits, and the number of all matches. */
export interface TextHits {
  readonly hits: readonly TextHit[];
  readonly total: number;
}

/** Runs a query over one index; returns the hits of each wanted kind, in order. */
export async function queryKinds(
  read: Knex,
  index: OpenIndex,
  { kinds: wanted, ...query }: KindsQuery,
): Promise<readonly TextHits[]> {
  const expression = matchExpression(query.terms);
  // A kind that the index does not know matches nothing.
  const shares = wanted.flatMap(({ kind, limit }) => {
    const ordinal = index.kinds.get(kind);
    return ordinal === undefined ? [] : [{ ordinal, kind, limit }];
  });
  if (expression === null || shares.length === 0) return wanted.map(() => nothing);
  const toStatement = dialectOf(read) === 'sqlite' ? queryStatement : postgresStatement;
  const statement = toStatement(index.tables, {
    expression,
    exactTitle: exactTitle(query.terms),
    // Other texts cannot be scopes of a document, and some databases refuse them.
    scopes: query.scopes?.filter(isStorable) ?? null,
    shares,
    isEveryKind: isEach(shares, index.kinds.size),
  });
  const [row] = await readRows<Readonly<Record<string, unknown>>>(
    read,
    statement.text,
    statement.bindings,
  );
  const answers = readAnswers(row, shares);
  const byKind = new Map(
    answers.map((answer, at) => {
      const { kind = '', limit = 0 } = shares[at] ?? {};
      return [kind, toHits(answer, kind, limit)];
    }),
  );
  return wanted.map(({ kind }) => byKind.get(kind) ?? nothing);
}

/** Whether the shares are all kinds of an index, each of them once. */
const isEach = (shares: readonly Share[], kinds: number): boolean =>
  shares.length === kinds && new Set(shares.map(({ ordinal }) => ordinal)).size === kinds;

const nothing: TextHits = { hits: [], total: 0 };

/** Runs a query over one kind of an index, or over all kinds together. */
export async function runQuery(
  read: Knex,
  index: OpenIndex,
  query: TextQuery & { readonly kind?: string; readonly limit: number },
): Promise<TextHits> {
  const kinds = query.kind === undefined ? [...index.kinds.keys()] : [query.kind];
  const { limit } = query;
  const answers = await queryKinds(read, index, {
    ...query,
    kinds: kinds.map((kind) => ({ kind, limit })),
  });
  // A stable sort, so that equal hits keep the order of their kinds and keys.
  const hits = answers.flatMap((answer) => answer.hits).sort((a, b) => b.score - a.score);
  return {
    hits: hits.slice(0, limit),
    total: answers.reduce((sum, { total }) => sum + total, 0),
  };
}

/** The title that equals the query word for word; empty when a term has no words of its own. */
function exactTitle(terms: readonly QueryTerm[]): string {
  const words = terms.map(({ text, alternatives = [] }) => ({ own: wordsOf(text), alternatives }));
  const isOwn = words.every(({ own, alternatives }) => own.length > 0 || alternatives.length === 0);
  return isOwn ? words.flatMap(({ own }) => own).join(' ') : '';
}

/** The lowest score of each group: no hit scores more than one of the group before. */
const groupScores = { exact: 3000, titled: 2000, rest: 1000 } as const;

/** The hits of the groups in order, each document in its first group. */
function toHits(answer: ShareAnswer, kind: string, limit: number): TextHits {
  const hits = new Map<number, TextHit>();
  for (const group of ['exact', 'titled', 'rest'] as const) {
    for (const [key, id, title, score] of inOrder(answer[group])) {
      if (hits.size === limit) break;
      if (!hits.has(key)) hits.set(key, { id, kind, title, score: groupScores[group] + score });
    }
  }
  return { hits: [...hits.values()], total: answer.total };
}

/** Sorts the rows, since SQL guarantees no order inside a JSON array. */
function inOrder(rows: readonly HitRow[]): readonly HitRow[] {
  return rows.toSorted((a, b) => b[3] - a[3] || a[0] - b[0]);
}
