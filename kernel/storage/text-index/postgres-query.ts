/**
 * A query in PostgreSQL: one statement with one row, as in SQLite. The keys of all matches are gathered
 * once; counts and lists are made from them.
 */
import { isOfKind, lengthsOf, scopeOf } from './document-key.ts';
import type { IndexTables } from './index-tables.ts';
import type { Phrase } from './match-expression.ts';
import { mostWeighed, type Question, type Share } from './query-statement.ts';
import { joinSql, sql, verbatim, type SqlFragment } from './sql-fragment.ts';

/** The statement that answers a question, with one row. */
export function postgresStatement(tables: IndexTables, question: Question): SqlFragment {
  const documents = verbatim(tables.documents);
  const lists = question.shares.map((share, at) => listsOf(tables, question, share, at));
  return sql`with matching as materialized (
    select key from ${documents}
    where vector @@ ${tsQuery(question)}${ofScopes(tables, question.scopes)}
  ) select ${joinSql(lists, ', ')}`;
}

const hits = verbatim('json_agg(json_build_array(key, id, title, score))');

/** Of one kind how many match, the titles that are the query, the titles that have it, and the rest. */
function listsOf(
  tables: IndexTables,
  question: Question,
  { ordinal, limit }: Share,
  at: number,
): SqlFragment {
  const documents = verbatim(tables.documents);
  const scopes = ofScopes(tables, question.scopes);
  const ofKind = verbatim(isOfKind('key', ordinal));
  const titled = sql`select key from ${documents}
    where title_vector @@ ${tsQuery(question)} and ${ofKind}${scopes} order by key limit ${limit}`;
  return sql`
    (select count(*) from matching where ${ofKind}) as ${verbatim(`total_${at}`)},
    (select ${hits} from (
      select key, id, title, 0 as score from ${documents}
      where title_words = nullif(${question.exactTitle}, '') and ${ofKind}${scopes}
      order by key limit ${limit}
    ) as best) as ${verbatim(`exact_${at}`)},
    (select ${hits} from (
      select key, id, title, ${verbatim(`-${lengthsOf('key')}`)} as score
      from (${titled}) as best join ${documents} using (key)
    ) as best) as ${verbatim(`titled_${at}`)},
    case when (select count(*) from (${titled}) as best) <
      (select least(count(*), ${limit}::bigint) from matching where ${ofKind})
    then (select ${hits} from (
      select key, id, title,
        ${termsIn(question.expression.phrases)} - ${verbatim(`${lengthsOf('key')} / 256.0`)} as score
      from (
        select key from matching where ${ofKind}
        order by key limit ${verbatim(String(mostWeighed))}
      ) as shortest join ${documents} using (key)
      order by score desc, key limit ${limit}
    ) as best) end as ${verbatim(`rest_${at}`)}`;
}

/** How many of the terms a title has. */
function termsIn(terms: readonly (readonly Phrase[])[]): SqlFragment {
  const found = terms.map((phrases) => sql`(title_vector @@ ${textOf([phrases])}::tsquery)::int`);
  return sql`(${joinSql(found, ' + ')})`;
}

function tsQuery({ expression }: Question): SqlFragment {
  return sql`${textOf(expression.phrases)}::tsquery`;
}

/** Words have no quotes in them, so they can be nothing but words. */
function textOf(terms: readonly (readonly Phrase[])[]): string {
  return terms.map((phrases) => `(${phrases.map(phraseText).join(' | ')})`).join(' & ');
}

function phraseText({ words, isOpen }: Phrase): string {
  return `(${words.map((word) => `'${word}'`).join(' <-> ')}${isOpen ? ':*' : ''})`;
}

/**
 * Reads the scope out of the key. A scope that the index does not know matches nothing. As an array the
 * numbers are read once, whatever the planner thinks of the tables.
 */
function ofScopes(tables: IndexTables, scopes: Question['scopes']): SqlFragment {
  if (scopes === null) return verbatim('');
  return sql` and ${verbatim(scopeOf('key'))} = any (array(
    select ordinal from text_index_labels
    where index_id = ${verbatim(String(tables.indexId))} and type = 'scope'
      and label in (select jsonb_array_elements_text(${JSON.stringify(scopes)}::jsonb))))`;
}
