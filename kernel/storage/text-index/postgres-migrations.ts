/** Migrations of existing PostgreSQL indexes to the form that `createPostgresTables` makes. */
import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import { tablesOf, type IndexTables } from './index-tables.ts';
import { indexedBeginnings } from './match-expression.ts';
import { createWalks, dropOlderWalks } from './postgres-walks.ts';
import { createVectors, indexTitles, indexVectors } from './postgres-tables.ts';
import { pairsOfVector } from './word-pairs.ts';

/** Finds matches through the index, and short beginnings as words of their own. */
export async function quickenPostgres(trx: Knex.Transaction): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  for (const tables of await allTables(trx)) await addBeginnings(trx, tables);
}

/** Moves the vectors to a table of short rows, with the kind of each document. */
export async function shortenPostgres(trx: Knex.Transaction): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await trx.raw('drop function if exists text_index_matches (text, tsquery)');
  await createWalks(trx);
  for (const tables of await allTables(trx)) await moveVectors(trx, tables);
}

/** Adds the pairs of short words to existing vectors, and makes queries gather their matches once. */
export async function pairPostgres(trx: Knex.Transaction): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await dropOlderWalks(trx);
  await createWalks(trx);
  for (const { words } of await allTables(trx)) await addPairs(trx, words);
}

/** Pairs need about as much room as their words, and a vector has at most 1 MiB. */
const longestPaired = 400_000;

async function addPairs(trx: Knex.Transaction, words: string): Promise<void> {
  const before = `${words}_before`;
  await trx.raw(`drop index ${words}_title, ${words}_anywhere`);
  await trx.raw(`alter table ${words} rename to ${before}`);
  await createVectors(trx, words);
  const paired = (column: string) => `case when pg_column_size(${column}) < ${longestPaired}
    then ${column} || ${pairsOfVector(column)} else ${column} end`;
  await trx.raw(`insert into ${words} (key, title, anywhere)
    select key, ${paired('title')}, ${paired('anywhere')} from ${before} order by key`);
  await trx.raw(`drop table ${before}`);
  await indexVectors(trx, words);
}

async function allTables(trx: Knex.Transaction): Promise<readonly IndexTables[]> {
  const numbers = await trx('text_indexes').pluck<number[]>('index_id');
  return numbers.map(tablesOf);
}

async function addBeginnings(trx: Knex.Transaction, { documents }: IndexTables): Promise<void> {
  const lengths = indexedBeginnings.join(', ');
  for (const column of ['title_vector', 'vector'])
    await trx.raw(`update ${documents} set ${column} = ${column} || array_to_tsvector(array(
      select distinct '^' || left(word, length)
      from unnest(tsvector_to_array(${column})) as word, unnest(array[${lengths}]) as length))`);
}

async function moveVectors(
  trx: Knex.Transaction,
  { documents, words }: IndexTables,
): Promise<void> {
  await createVectors(trx, words);
  const withKind = (column: string) =>
    `${column} || array_to_tsvector(array['~' || (key >> 48)::text])`;
  await trx.raw(`insert into ${words} (key, title, anywhere)
    select key, ${withKind('title_vector')}, ${withKind('vector')} from ${documents} order by key`);
  await indexVectors(trx, words);
  await trx.raw(`alter table ${documents} drop column title_vector, drop column vector`);
  await trx.raw(`drop index ${documents}_title`);
  await indexTitles(trx, documents);
}
