/**
 * A query in PostgreSQL: one statement with one row, as in SQLite. All matches are counted in one pass,
 * and each list gathers only the first keys. A short beginning is a word of its own in the vectors, so
 * the lists of all words with that beginning need not be merged. A pair with a frequent word is one too
 * (`word-pairs.ts`).
 */
import { keysOfKind, lengthsOf, scopeOf, isOfKind } from './document-key.ts';
import type { IndexTables } from './index-tables.ts';
import type { Phrase, TitlePatterns } from './match-expression.ts';
import { beginningWord, isShort, kindWord, titleHash } from './postgres-tables.ts';
import { mostWeighed } from './query-statement.ts';
import type { Question, Share } from './question.ts';
import { pairsOfPhrase } from './word-pairs.ts';
import { preparedMark } from '../postgres/statement-cache.ts';
import { joinSql, sql, verbatim, type SqlFragment } from './sql-fragment.ts';

/** The statement that answers a question, with one row. */
export function postgresStatement(tables: IndexTables, question: Question): SqlFragment {
  const { shares } = question;
  const bounds = shares.map(({ ordinal }) => keysOfKind(ordinal));
  const arrayOf = (numbers: readonly number[]): SqlFragment =>
    verbatim(`array[${numbers.join(', ')}]::bigint[]`);
  const titles = shares.map((share, at) => titlesOf(tables, share, at));
  const lists = shares.map((share, at) => listsOf(tables, question, share, at));
  return sql`${verbatim(preparedMark)} with asked as materialized (
    select ${textOf(question.expression.phrases)}::tsquery as words,
      ${scopesOf(tables, question.scopes)} as scopes,
      nullif(${question.exactTitle}, '') as exact_title
  ), counted as materialized (
    select words, scopes, exact_title, counts, known, documents from asked,
      text_index_matches(${tables.words}, words, ${arrayOf(bounds.map(([first]) => first))},
        ${arrayOf(bounds.map(([, last]) => last))}, scopes),
      text_indexes where index_id = ${tables.indexId}
  ), ${joinSql(titles, ', ')} select ${joinSql(lists, ', ')} from counted`;
}

/** For a frequent word, this many documents are examined before all matches are gathered. */
const walked = { title: 1000, anywhere: 4 * mostWeighed } as const;
/** The cost of examining a document, relative to gathering one. */
const lookingCost = 15;

/** The first matching keys of one kind; `most` is how many are wanted. */
function shortest(
  tables: IndexTables,
  part: keyof typeof walked,
  { ordinal, most, at }: { readonly ordinal: number; readonly most: number; readonly at: number },
): SqlFragment {
  const count = `counts[${at + 1}]::float8`;
  const isDense = `${count} * ${count} > ${mostWeighed * lookingCost} * documents::float8`;
  return sql`text_index_shortest(${tables.words}, ${part}, words, ${kindWord(ordinal)},
    ${verbatim(keysOfKind(ordinal).join(', '))}, scopes, known,
    ${verbatim(`case when ${isDense} then ${walked[part]} else 0 end`)}, ${most})`;
}

/** The keys of titles of one kind that have all terms. */
function titlesOf(tables: IndexTables, { ordinal, limit }: Share, at: number): SqlFragment {
  return sql`${verbatim(`titles_${at}`)} as materialized (
    select key from counted, ${shortest(tables, 'title', { ordinal, most: limit, at })} as found (key)
    where ${verbatim(`counts[${at + 1}]`)} > 0
  )`;
}

const hits = verbatim('json_agg(json_build_array(key, id, title, score))');

/**
 * For one kind: the number of matches, the titles that equal the query, those that contain it, and
 * the rest.
 */
function listsOf(
  tables: IndexTables,
  question: Question,
  { ordinal, limit }: Share,
  at: number,
): SqlFragment {
  const documents = verbatim(tables.documents);
  const total = verbatim(`counts[${at + 1}]`);
  const titled = verbatim(`titles_${at}`);
  return sql`
    ${total} as ${verbatim(`total_${at}`)},
    (select ${hits} from (
      select key, id, title, 0 as score from ${documents}
      where ${verbatim(titleHash('title_words'))} = ${verbatim(titleHash('exact_title'))}
        and title_words = exact_title and ${verbatim(isOfKind('key', ordinal))}
        and (scopes is null or ${verbatim(scopeOf('key'))} = any (scopes))
      order by ${verbatim(titleHash('title_words'))}, key limit ${limit}
    ) as best) as ${verbatim(`exact_${at}`)},
    (select ${hits} from (
      select key, id, title, ${verbatim(`-${lengthsOf('key')}`)} as score
      from ${titled} join ${documents} using (key)
    ) as best) as ${verbatim(`titled_${at}`)},
    case when (select count(*) from ${titled}) < least(${total}, ${limit}::bigint)
    then (select ${hits} from (
      select key, id, title, ${termsIn(question.expression.titlePatterns)} - ${verbatim(`${lengthsOf('key')} / 256.0`)} as score
      from ${shortest(tables, 'anywhere', { ordinal, most: mostWeighed, at })} as found (key)
        join ${documents} using (key)
      order by score desc, key limit ${limit}
    ) as best) end as ${verbatim(`rest_${at}`)}`;
}

/** The number of terms in a title. */
function termsIn(terms: readonly TitlePatterns[]): SqlFragment {
  const title = verbatim(`' ' || title_words || ' '`);
  const found = terms.map((patterns) => {
    const places = patterns.map((pattern) => sql`position(${pattern} in ${title}) > 0`);
    return sql`(${joinSql(places, ' or ')})::int`;
  });
  return sql`(${joinSql(found, ' + ')})`;
}

/** Words have no quotes, so they cannot be syntax. */
function textOf(terms: readonly (readonly Phrase[])[]): string {
  return terms.map((phrases) => `(${phrases.map(phraseText).join(' | ')})`).join(' & ');
}

function phraseText({ words, isOpen }: Phrase): string {
  const [word = ''] = words;
  if (isOpen && words.length === 1 && isShort(word)) return `'${beginningWord(word)}'`;
  const row = `(${words.map((word) => `'${word}'`).join(' <-> ')}${isOpen ? ':*' : ''})`;
  const { pairs, isWhole } = pairsOfPhrase(words, isOpen);
  const found = pairs.map((pair) => `'${pair.word}'${pair.isOpen ? ':*' : ''}`);
  return isWhole ? found.join('') : `(${[...found, row].join(' & ')})`;
}

/** The numbers of the scopes. A scope that the index does not know matches nothing. */
function scopesOf({ indexId }: IndexTables, scopes: Question['scopes']): SqlFragment {
  if (scopes === null) return verbatim('null::bigint[]');
  return sql`array(
    select ordinal::bigint from text_index_labels
    where index_id = ${indexId} and type = 'scope'
      and label in (select jsonb_array_elements_text(${JSON.stringify(scopes)}::jsonb)))`;
}
