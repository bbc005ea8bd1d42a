/**
 * Counts all matches of each kind. For a frequent word this is most of the cost of a query, and each
 * match that is read, or compared with the range of a kind, adds to it.
 */
import { isOfKind } from './document-key.ts';
import type { IndexTables } from './index-tables.ts';
import type { Phrase } from './match-expression.ts';
import type { Question } from './question.ts';
import { joinSql, sql, verbatim, type SqlFragment } from './sql-fragment.ts';

/**
 * A JSON array with the number of matches of each share. `isMatch` is true for a match in the wanted
 * scopes, with its key as `rowid`.
 *
 * When every kind is asked for, the first is the difference of all matches and those of the others:
 * comparing each match with its range would take longer. So the kind with the most documents should be
 * the first. FTS5 gathers all matches of a beginning (`*`) for each count, so those are read once.
 */
export function matchCounts(
  tables: IndexTables,
  question: Question,
  isMatch: SqlFragment,
): SqlFragment {
  const { shares, isEveryKind } = question;
  const words = verbatim(tables.words);
  const ofKind = shares.map(({ ordinal }) => verbatim(isOfKind('rowid', ordinal)));
  const filtered = ofKind.map((range) => sql`count(*) filter (where ${range})`);
  const inOneRead = sql`(select json_array(${joinSql(filtered, ', ')}) from ${words} where ${isMatch})`;
  if (!isEveryKind) return inOneRead;
  const others = ofKind
    .slice(1)
    .map((range) => sql`(select count(*) from ${words} where ${isMatch} and ${range})`);
  const names = others.map((_, at) => verbatim(`other_${at}`));
  const columns = others.map((count, at) => sql`, ${count} as ${verbatim(`other_${at}`)}`);
  const first = joinSql([verbatim('everything'), ...names], ' - ');
  return sql`case when instr((select expression from asked), '*') > 0 then ${inOneRead}
    else (select json_array(${joinSql([first, ...names], ', ')})
      from (select ${countOfAll(tables, question, isMatch)} as everything${joinSql(columns, '')})) end`;
}

/** The number of all matches. The index keeps that of the documents with one word. */
function countOfAll(tables: IndexTables, question: Question, isMatch: SqlFragment): SqlFragment {
  const count = sql`(select count(*) from ${verbatim(tables.words)} where ${isMatch})`;
  const word = question.scopes === null ? onlyWord(question.expression.phrases) : null;
  if (word === null) return count;
  const { terms } = tables;
  const known = word.isOpen
    ? // A beginning of several words: a document may have more than one of them.
      sql`(select case when count(*) = 1 then max(documents) end from (
        select documents from ${verbatim(terms)}
        where word >= ${word.text} and word < ${`${word.text}\u{10ffff}`} limit 2))`
    : sql`(select documents from ${verbatim(terms)} where word = ${word.text})`;
  return sql`coalesce(${known}, ${count})`;
}

/** The word of a query that is one word; `null` = it is more. */
function onlyWord(
  phrases: readonly (readonly Phrase[])[],
): { readonly text: string; readonly isOpen: boolean } | null {
  const [phrase, ...more] = phrases.flat();
  const [text, ...further] = phrase?.words ?? [];
  if (phrase === undefined || text === undefined || more.length + further.length > 0) return null;
  return { text, isOpen: phrase.isOpen };
}
