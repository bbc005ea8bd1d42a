/**
 * A query is one statement: counts, and the best hits of each kind as one JSON text. More statements
 * would cost thread switches, and rows would cost objects; both cost more than most of these parts.
 *
 * With few matches, FTS5 reads them once, and counts and lists are computed from their keys; its
 * reads are the main cost of a query of several words. With many matches, no list exceeds the limit,
 * since FTS5 reads in key order and stops; the rest is read only when titles do not fill the answer,
 * and only counting reads all matches. A beginning of few words is written as these words, because
 * for a beginning FTS5 gathers all matches before it returns the first.
 */
import { matchCounts } from './count-statement.ts';
import { isOfKind, lengthsOf, scopeOf } from './document-key.ts';
import type { IndexTables } from './index-tables.ts';
import { openText, type ExpressionPart, type TitlePatterns } from './match-expression.ts';
import type { Question, Share } from './question.ts';
import { joinSql, sql, verbatim, type SqlFragment } from './sql-fragment.ts';

/** The result for one kind. Each list has at most the wanted number of rows, in any order. */
export interface ShareAnswer {
  readonly total: number;
  /** Titles that equal the query; also among `titled` when there are not too many. */
  readonly exact: readonly HitRow[];
  /** The shortest titles that have all terms. */
  readonly titled: readonly HitRow[];
  /** Documents that have all terms; empty when titles fill the answer. */
  readonly rest: readonly HitRow[];
}

/** A document. The score is relative to its list: higher is better. */
export type HitRow = readonly [key: number, id: string, title: string, score: number];

/** The number of matches with terms in the body that are ranked; the shortest come first. */
export const mostWeighed = 500;
/** Up to this many matches are read once; checking for more costs hardly anything. */
const few = 150;
/** The most words by which a beginning is replaced. */
const mostEndings = 4;

/** The statement that answers a question, with one row. */
export function queryStatement(tables: IndexTables, question: Question): SqlFragment {
  const { shares, scopes } = question;
  const words = verbatim(tables.words);
  const countsOfKeys = shares.map(({ ordinal }) =>
    verbatim(`count(*) filter (where ${isOfKind('value', ordinal)})`),
  );
  const inner = shares.map((share, at) => titleColumns(tables, question, { ...share, at }));
  const outer = shares.map((share, at) => answerColumns(tables, question, { ...share, at }));
  const isMatch = sql`${matches(tables)}${ofScopes(tables, scopes, 'rowid')}`;
  return sql`with asked as materialized (
    select ${expressionOf(tables, question)} as expression
  ), matching as materialized (
    ${keysOfFew(question, isMatch, words)}
  ), lists as materialized (
    select keys, case when keys is null
      then ${matchCounts(tables, question, isMatch)}
      else (select json_array(${joinSql(countsOfKeys, ', ')}) from json_each(keys)) end as totals,
      ${joinSql(inner, ', ')}
    from matching
  ) select ${joinSql(outer, ', ')} from lists`;
}

/** The keys of all matches when there are few. For a single word this saves nothing. */
function keysOfFew(
  { expression }: Question,
  isMatch: SqlFragment,
  words: SqlFragment,
): SqlFragment {
  if (expression.phrases.length === 1) return verbatim('select null as keys');
  return sql`select case when count(*) <= ${verbatim(String(few))} then json_group_array(key) end as keys
    from (select rowid as key from ${words} where ${isMatch} limit ${verbatim(String(few + 1))})`;
}

/** The answers of the shares, in order. */
export function readAnswers(
  row: Readonly<Record<string, unknown>> | undefined,
  shares: readonly Share[],
): readonly ShareAnswer[] {
  const rows = (column: string): readonly HitRow[] => {
    const json = row?.[column];
    return typeof json === 'string' ? (JSON.parse(json) as readonly HitRow[]) : [];
  };
  return shares.map((_, at) => ({
    total: Number(row?.[`total_${at}`] ?? 0),
    exact: rows(`exact_${at}`),
    titled: rows(`titled_${at}`),
    rest: rows(`rest_${at}`),
  }));
}

interface PlacedShare extends Share {
  readonly at: number;
}

const hits = verbatim('json_group_array(json_array(key, id, title, score))');

/** For one kind, the titles that equal the query and those that contain it. */
function titleColumns(
  tables: IndexTables,
  question: Question,
  { ordinal, limit, at }: PlacedShare,
): SqlFragment {
  const [words, documents] = [verbatim(tables.words), verbatim(tables.documents)];
  const { scopes, exactTitle, expression } = question;
  const ofKind = (key: string): SqlFragment => verbatim(isOfKind(key, ordinal));
  return sql`
    (select ${hits} from (
      select key, id, title, 0 as score from ${documents}
      where title_words = nullif(${exactTitle}, '')
        and ${ofKind('key')}${ofScopes(tables, scopes, 'key')}
      order by key limit ${limit}
    )) as ${verbatim(`exact_${at}`)},
    case when keys is null then (select ${hits} from (
      select rowid as key, ${verbatim(`-${lengthsOf('rowid')}`)} as score from ${words}
      where ${matches(tables, 'title')}
        and ${ofKind('rowid')}${ofScopes(tables, scopes, 'rowid')}
      order by rowid limit ${limit}
    ) join ${documents} using (key))
    else (select ${hits} from (
      select key, id, title, ${verbatim(`-${lengthsOf('key')}`)} as score
      from (select value as key from json_each(keys) where ${ofKind('value')})
      join ${documents} using (key)
      where ${allTermsIn(expression.titlePatterns)}
      order by key limit ${limit}
    )) end as ${verbatim(`titled_${at}`)}`;
}

function answerColumns(
  tables: IndexTables,
  question: Question,
  { at, ...share }: PlacedShare,
): SqlFragment {
  const total = verbatim(`totals ->> ${at}`);
  const titled = verbatim(`titled_${at}`);
  return sql`${total} as ${verbatim(`total_${at}`)}, ${verbatim(`exact_${at}`)}, ${titled},
    case when json_array_length(${titled}) < min(${share.limit}, ${total})
      then ${restList(tables, question, share)} end as ${verbatim(`rest_${at}`)}`;
}

/** Of the shortest matches of one kind, those with the most terms in the title. */
function restList(tables: IndexTables, question: Question, { ordinal, limit }: Share): SqlFragment {
  const [words, documents] = [verbatim(tables.words), verbatim(tables.documents)];
  const { scopes, expression } = question;
  const ofKind = (key: string): SqlFragment => verbatim(isOfKind(key, ordinal));
  const ranked = (from: SqlFragment): SqlFragment => sql`(select ${hits} from (
    select key, id, title,
      ${termsIn(expression.titlePatterns)} - ${verbatim(`${lengthsOf('key')} / 256.0`)} as score
    from ${from} join ${documents} using (key)
    order by score desc, key limit ${limit}
  ))`;
  return sql`case when keys is null then ${ranked(sql`(
      select rowid as key from ${words}
      where ${matches(tables)}
        and ${ofKind('rowid')}${ofScopes(tables, scopes, 'rowid')}
      order by rowid limit ${verbatim(String(mostWeighed))}
    )`)} else ${ranked(sql`(select value as key from json_each(keys) where ${ofKind('value')})`)} end`;
}

/** Whether a title has each of the terms. */
function allTermsIn(patterns: readonly TitlePatterns[]): SqlFragment {
  return sql`${termsIn(patterns)} = ${verbatim(String(patterns.length))}`;
}

/** The number of terms in a title. */
function termsIn(patterns: readonly TitlePatterns[]): SqlFragment {
  const terms = patterns.map((ofTerm) => {
    const found = ofTerm.map((pattern) => sql`instr(' ' || title_words || ' ', ${pattern}) > 0`);
    return sql`(${joinSql(found, ' or ')})`;
  });
  return sql`(${joinSql(terms, ' + ')})`;
}

/** The expression, built in the statement because it depends on the indexed words. */
function expressionOf(tables: IndexTables, { expression }: Question): SqlFragment {
  return joinSql(
    expression.parts.map((part) => pieceSql(tables, part)),
    ' || ',
  );
}

/** True for matches of the expression. */
function matches(tables: IndexTables, where: 'title' | 'anywhere' = 'anywhere'): SqlFragment {
  const asked = where === 'title' ? `'{title} : (' || expression || ')'` : 'expression';
  return verbatim(`${tables.words} match (select ${asked} from asked)`);
}

function pieceSql(tables: IndexTables, part: ExpressionPart): SqlFragment {
  return typeof part === 'string' ? sql`${part}` : endingsSql(tables, part.beginning);
}

/** The words with a beginning, or the beginning itself when there are many. */
function endingsSql(tables: IndexTables, beginning: string): SqlFragment {
  return sql`coalesce((
    select case when count(*) between 1 and ${verbatim(String(mostEndings))}
      then '(' || group_concat('"' || word || '"', ' OR ') || ')' end
    from (
      select word from ${verbatim(tables.terms)}
      where word >= ${beginning} and word < ${`${beginning}\u{10ffff}`}
      limit ${verbatim(String(mostEndings + 1))}
    )), ${openText(beginning)})`;
}

/** Filters by the scope in the key. A scope that the index does not know matches nothing. */
function ofScopes(tables: IndexTables, scopes: Question['scopes'], key: string): SqlFragment {
  if (scopes === null) return verbatim('');
  return sql` and ${verbatim(scopeOf(key))} in (
    select ordinal from text_index_labels
    where index_id = ${verbatim(String(tables.indexId))} and type = 'scope'
      and label in (select value from json_each(${JSON.stringify(scopes)})))`;
}
