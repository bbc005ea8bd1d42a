/**
 * An index in PostgreSQL. Words come in folded, one by one; so a document's vector is written down word
 * by word and no dictionary of the server touches it, and a query is put together in the same way. What
 * is asked are the words of the title, and those of title and body in one row of places.
 */
import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import { insertRows } from '../insert-rows.ts';
import type { IndexedDocument, IndexTables } from './index-tables.ts';
import { indexedBeginnings } from './match-expression.ts';

/** Makes the tables. A title may be longer than what a tree takes, so titles are found by their hash. */
export async function createPostgresTables(
  trx: Knex.Transaction,
  { documents, terms }: IndexTables,
): Promise<void> {
  await trx.raw(`create table ${documents} (
    key bigint primary key,
    id text collate "C" not null unique,
    kind text not null,
    title text not null,
    title_words text collate "C" not null,
    body_words text not null,
    title_vector tsvector not null,
    vector tsvector not null
  )`);
  await trx.raw(`create index ${documents}_title on ${documents} using hash (title_words)`);
  for (const column of ['title_vector', 'vector']) {
    // With a list of what is not sorted in yet, each query would read that list.
    await trx.raw(
      `create index ${documents}_${column} on ${documents} using gin (${column}) with (fastupdate = off)`,
    );
  }
  await trx.raw(`create table ${terms} (
    length bigint not null,
    word text collate "C" not null,
    reversed text collate "C" not null,
    documents bigint not null,
    primary key (length, word)
  )`);
  await trx.raw(`create index ${terms}_reversed on ${terms} (length, reversed)`);
}

/** Adds documents that are not there. */
export async function insertPostgresDocuments(
  trx: Knex.Transaction,
  { documents }: IndexTables,
  rows: readonly IndexedDocument[],
): Promise<void> {
  const withVectors = rows.map((row) => {
    const [title, body] = [split(row.title_words), split(row.body_words)];
    return { ...row, title_vector: vectorOf([title]), vector: vectorOf([title, body]) };
  });
  await insertRows(trx, documents, withVectors);
}

/** Adds to the counts of words, and takes those away that are in no document any more. */
export async function addPostgresCounts(
  trx: Knex.Transaction,
  { terms }: IndexTables,
  rows: readonly (readonly [length: number, word: string, reversed: string, step: number])[],
): Promise<void> {
  await insertRows(
    trx,
    terms,
    rows.map(([length, word, reversed, documents]) => ({ length, word, reversed, documents })),
    { columns: ['length', 'word'], update: [], add: ['documents'] },
  );
  const fewer = rows.filter(([, , , step]) => step < 0).map(([length, word]) => [length, word]);
  if (fewer.length === 0) return;
  await trx.raw(
    `delete from ${terms} where documents <= 0 and (length, word) in
     (select (pair ->> 0)::bigint, pair ->> 1 from json_array_elements(?::json) as pairs (pair))`,
    [JSON.stringify(fewer)],
  );
}

/** Beginnings of so many characters stand in a vector as words of their own. */
const longestBeginning = Math.max(...indexedBeginnings);

/** No word has this sign in it. */
export const beginningWord = (beginning: string): string => `^${beginning}`;

/** Whether such a beginning stands in the vectors. */
export const isShort = (beginning: string): boolean =>
  Array.from(beginning).length <= longestBeginning;

/**
 * Finds the keys of all matches through the index, however many they are: to look into each vector, as
 * the planner would where a word is frequent, takes several times as long.
 */
export async function createMatches(trx: Knex.Transaction): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await trx.raw(`create function text_index_matches(documents text, asked tsquery)
    returns setof bigint language plpgsql stable set enable_seqscan = off as $body$ begin
      return query execute format('select key from %I where vector @@ $1', documents) using asked;
    end $body$`);
}

/** Puts the beginnings into the vectors of the indexes that are there. */
export async function addBeginnings(
  trx: Knex.Transaction,
  { documents }: IndexTables,
): Promise<void> {
  const lengths = indexedBeginnings.join(', ');
  for (const column of ['title_vector', 'vector'])
    await trx.raw(`update ${documents} set ${column} = ${column} || array_to_tsvector(array(
      select distinct '^' || left(word, length)
      from unnest(tsvector_to_array(${column})) as word, unnest(array[${lengths}]) as length))`);
}

/** PostgreSQL takes a vector of 1 MiB; what a hostile text has beyond it is not found by. */
const mostVectorBytes = 900_000;
const bytesPerPlace = 2;
/** Places after this one are not told apart. */
const lastPlace = 16_383;

/**
 * The words of texts with their places, as PostgreSQL reads a vector. Between two texts a place is left
 * out, so that no phrase reaches from one into the next.
 */
export function vectorOf(texts: readonly (readonly string[])[]): string {
  const places = new Map<string, number[]>();
  let [place, bytes] = [0, 0];
  for (const words of texts) {
    for (const word of words) {
      place += 1;
      bytes += bytesPerPlace + (places.has(word) ? 0 : Buffer.byteLength(word));
      if (bytes > mostVectorBytes) break;
      const known = places.get(word);
      if (known === undefined) places.set(word, [Math.min(place, lastPlace)]);
      else if (place <= lastPlace) known.push(place);
    }
    place += 1;
  }
  const words = Array.from(places, ([word, at]) => `'${word}':${at.join(',')}`);
  return [...words, ...beginningsOf([...places.keys()], mostVectorBytes - bytes)].join(' ');
}

function beginningsOf(words: readonly string[], mostBytes: number): readonly string[] {
  const found = new Set<string>();
  let bytes = 0;
  for (const word of words) {
    // Words are longer than their beginnings; most of them by far.
    const letters = Array.from(word.slice(0, 2 * longestBeginning)).slice(0, longestBeginning);
    for (const length of indexedBeginnings) {
      const beginning = beginningWord(letters.slice(0, length).join(''));
      if (found.has(beginning)) continue;
      bytes += Buffer.byteLength(beginning);
      if (bytes > mostBytes) return [...found].map((one) => `'${one}'`);
      found.add(beginning);
    }
  }
  return [...found].map((one) => `'${one}'`);
}

function split(words: string): readonly string[] {
  return words === '' ? [] : words.split(' ');
}
