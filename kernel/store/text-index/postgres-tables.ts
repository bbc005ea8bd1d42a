/**
 * An index in PostgreSQL. Words are folded before they are stored, so vectors are written word by
 * word without a dictionary of the server. Queries are written in the same way.
 */
import type { Knex } from 'knex';
import { insertRows } from '../insert-rows.ts';
import { kindOf } from './document-key.ts';
import type { IndexedDocument, IndexTables } from './index-tables.ts';
import { indexedBeginnings } from './match-expression.ts';
import { pairsOf } from './word-pairs.ts';

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

/** A title may be longer than a B-tree entry, so titles are found by their hash. */
export async function indexTitles(trx: Knex.Transaction, documents: string): Promise<void> {
  await trx.raw(
    `create index ${documents}_title on ${documents} (${titleHash('title_words')}, key)`,
  );
}

/** SQL for the indexed hash of a title. */
export const titleHash = (title: string): string => `md5(${title})`;

/**
 * For each document: the words of its title, and those of title and body in one sequence of
 * positions, with their short beginnings, the pairs of short words, and the kind of the document.
 * Counting matches visits each row, so rows must be short, but vectors are long. PostgreSQL stores a
 * value outside its row only when the row exceeds 2 kB. So a filler of spaces, which compresses to
 * thirty bytes, makes each row that long. A row is then a hundred bytes, and vectors are read only
 * for phrases.
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

/** Much faster after the rows are inserted than before. */
export async function indexVectors(trx: Knex.Transaction, words: string): Promise<void> {
  for (const column of ['title', 'anywhere']) {
    // With a pending list, each query would read that list.
    await trx.raw(
      `create index ${words}_${column} on ${words} using gin (${column}) with (fastupdate = off)`,
    );
  }
}

/** Adds new documents. */
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

/** Adds to the counts of words, and deletes words without a document. */
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

/** Beginnings up to this length are words of their own in a vector. */
const longestBeginning = Math.max(...indexedBeginnings);

/** The kind of a document, as a word of its vector. No other word has this sign. */
export const kindWord = (kind: number): string => `~${kind}`;

/** A beginning as a word. No other word has this sign. */
export const beginningWord = (beginning: string): string => `^${beginning}`;

/** Whether such a beginning is in the vectors. */
export const isShort = (beginning: string): boolean =>
  Array.from(beginning).length <= longestBeginning;

/** PostgreSQL limits a vector to 1 MiB; words of a hostile text beyond it are not found. */
const mostVectorBytes = 900_000;
const bytesPerPlace = 2;
/** The last distinct position. */
const lastPlace = 16_383;

/**
 * The words of texts with their positions, in PostgreSQL's vector syntax. One position between two
 * texts stays empty, so that no phrase spans both.
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
  // Words are mostly much longer than these beginnings.
  const letters = Array.from(word.slice(0, 2 * longestBeginning)).slice(0, longestBeginning);
  return indexedBeginnings.map((length) => beginningWord(letters.slice(0, length).join('')));
}

/** Each word once and quoted, up to the size limit. */
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
