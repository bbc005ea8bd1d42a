/**
 * An index in PostgreSQL. Words come in folded, one by one; so a document's vector is written down word
 * by word and no dictionary of the server touches it, and a query is put together in the same way.
 */
import type { Knex } from 'knex';
import { insertRows } from '../insert-rows.ts';
import { kindOf } from './document-key.ts';
import type { IndexedDocument, IndexTables } from './index-tables.ts';
import { indexedBeginnings } from './match-expression.ts';
import { pairsOf } from './word-pairs.ts';

/** Makes the tables. */
export async function createPostgresTables(
  trx: Knex.Transaction,
  { documents, words, terms }: IndexTables,
): Promise<void> {
  await trx.raw(`create table ${documents} (
    key bigint primary key,
    id text collate "C" not null unique,
    kind text not null,
    title text not null,
    title_words text collate "C" not null,
    body_words text not null
  )`);
  await indexTitles(trx, documents);
  await createVectors(trx, words);
  await indexVectors(trx, words);
  await trx.raw(`create table ${terms} (
    length bigint not null,
    word text collate "C" not null,
    reversed text collate "C" not null,
    documents bigint not null,
    primary key (length, word)
  )`);
  await trx.raw(`create index ${terms}_reversed on ${terms} (length, reversed)`);
}

/** A title may be longer than what a tree takes, so titles are found by their hash. */
export async function indexTitles(trx: Knex.Transaction, documents: string): Promise<void> {
  await trx.raw(
    `create index ${documents}_title on ${documents} (${titleHash('title_words')}, key)`,
  );
}

/** SQL by which a title is found in its index. */
export const titleHash = (title: string): string => `md5(${title})`;

/**
 * Of each document the words of its title, and those of title and body in one row of places; with them
 * their short beginnings, the pairs of short words, and the kind of the document. To count
 * matches PostgreSQL visits the row of each of them, so rows have to be short, and vectors are long. It
 * puts a value beside its row only where the row has more than 2 kB. So each is filled up with
 * spaces, of which some thirty bytes are kept; a row is a hundred bytes then, and its vectors are
 * read where a query asks for a phrase.
 */
export async function createVectors(trx: Knex.Transaction, words: string): Promise<void> {
  await trx.raw(`create table ${words} (
    key bigint primary key,
    filler text not null generated always as (repeat(' ', 2048)) stored,
    title tsvector not null,
    anywhere tsvector not null
  ) with (toast_tuple_target = 128)`);
  await trx.raw(`alter table ${words} alter filler set storage main,
    alter title set storage external, alter anywhere set storage external`);
}

/** Much quicker after the rows than before them. */
export async function indexVectors(trx: Knex.Transaction, words: string): Promise<void> {
  for (const column of ['title', 'anywhere']) {
    // With a list of what is not sorted in yet, each query would read that list.
    await trx.raw(
      `create index ${words}_${column} on ${words} using gin (${column}) with (fastupdate = off)`,
    );
  }
}

/** Adds documents that are not there. */
export async function insertPostgresDocuments(
  trx: Knex.Transaction,
  { documents, words }: IndexTables,
  rows: readonly IndexedDocument[],
): Promise<void> {
  await insertRows(trx, documents, rows.map(toColumns));
  const vectors = rows.map(({ key, title_words, body_words }) => {
    const [title, body] = [split(title_words), split(body_words)];
    const kind = ` '${kindWord(kindOf(key))}'`;
    return { key, title: vectorOf([title]) + kind, anywhere: vectorOf([title, body]) + kind };
  });
  await insertRows(trx, words, vectors);
}

function toColumns(row: IndexedDocument): Readonly<Record<string, unknown>> {
  const { key, id, kind, title, title_words, body_words } = row;
  return { key, id, kind, title, title_words, body_words };
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

/** The kind of a document, as a word of it. No other word has this sign in it. */
export const kindWord = (kind: number): string => `~${kind}`;

/** No word has this sign in it. */
export const beginningWord = (beginning: string): string => `^${beginning}`;

/** Whether such a beginning stands in the vectors. */
export const isShort = (beginning: string): boolean =>
  Array.from(beginning).length <= longestBeginning;

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
  const further = [...[...places.keys()].flatMap(beginningsOf), ...texts.flatMap(pairsOf)];
  return [...words, ...distinct(further, mostVectorBytes - bytes)].join(' ');
}

function beginningsOf(word: string): readonly string[] {
  // Words are longer than their beginnings; most of them by far.
  const letters = Array.from(word.slice(0, 2 * longestBeginning)).slice(0, longestBeginning);
  return indexedBeginnings.map((length) => beginningWord(letters.slice(0, length).join('')));
}

/** Each once, as long as there is room; between quotes. */
function distinct(words: readonly string[], mostBytes: number): readonly string[] {
  let bytes = 0;
  return [...new Set(words)].flatMap((word) => {
    bytes += Buffer.byteLength(word);
    return bytes > mostBytes ? [] : [`'${word}'`];
  });
}

function split(words: string): readonly string[] {
  return words === '' ? [] : words.split(' ');
}
