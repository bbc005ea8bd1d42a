/**
 * A query in PostgreSQL: one statement with one row, as in SQLite. The keys of all matches are gathered
 * once, and counted in one walk; each list is made once. A short beginning is a word of its own in the
 * vectors: else as many lists as there are such words would have to be put together.
 */
import { isOfKind, lengthsOf, scopeOf } from './document-key.ts';
import type { IndexTables } from './index-tables.ts';
import type { Phrase } from './match-expression.ts';
import { beginningWord, isShort } from './postgres-tables.ts';
import { mostWeighed, type Question, type Share } from './query-statement.ts';
import { keptMark } from '../postgres/kept-statements.ts';
import { joinSql, sql, verbatim, type SqlFragment } from './sql-fragment.ts';

/** The statement that answers a question, with one row. */
export function postgresStatement(tables: IndexTables, question: Question): SqlFragment {
  const { shares } = question;
  const counts = shares.map(({ ordinal }, at) =>
    verbatim(`count(*) filter (where ${isOfKind('key', ordinal)}) as total_${at}`),
  );
  const titles = shares.map((share, at) => titlesOf(tables, question, share, at));
  const lists = shares.map((share, at) => listsOf(tables, question, share, at));
  return sql`${verbatim(keptMark)} with matching as materialized (
    select key from text_index_matches(${tables.documents}, ${tsQuery(question)}) as matches (key)
    where true${ofScopes(tables, question.scopes)}
  ), totals as materialized (
    select ${joinSql(counts, ', ')} from matching
  ), ${joinSql(titles, ', ')} select ${joinSql(lists, ', ')} from totals`;
}

/** Of one kind the keys of the titles that have all terms. */
function titlesOf(
  tables: IndexTables,
  question: Question,
  { ordinal, limit }: Share,
  at: number,
): SqlFragment {
  return sql`${verbatim(`titles_${at}`)} as materialized (
    select key from ${verbatim(tables.documents)}
    where title_vector @@ ${tsQuery(question)} and ${verbatim(isOfKind('key', ordinal))}${ofScopes(tables, question.scopes)}
    order by key limit ${limit}
  )`;
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
  const total = verbatim(`total_${at}`);
  const titled = verbatim(`titles_${at}`);
  return sql`
    ${total},
    (select ${hits} from (
      select key, id, title, 0 as score from (
        -- Alone: together with the range of the kind the planner would walk that whole range.
        select key, id, title from ${documents}
        where title_words = nullif(${question.exactTitle}, '') offset 0
      ) as titled where ${ofKind}${scopes}
      order by key limit ${limit}
    ) as best) as ${verbatim(`exact_${at}`)},
    (select ${hits} from (
      select key, id, title, ${verbatim(`-${lengthsOf('key')}`)} as score
      from ${titled} join ${documents} using (key)
    ) as best) as ${verbatim(`titled_${at}`)},
    case when (select count(*) from ${titled}) < least(${total}, ${limit}::bigint)
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
  const [word = ''] = words;
  if (isOpen && words.length === 1 && isShort(word)) return `'${beginningWord(word)}'`;
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
