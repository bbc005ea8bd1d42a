/** How the indexes that are in a PostgreSQL database became what `createPostgresTables` makes. */
import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import { tablesOf, type IndexTables } from './index-tables.ts';
import { indexedBeginnings } from './match-expression.ts';
import { createWalks } from './postgres-walks.ts';
import { createVectors, indexTitles } from './postgres-tables.ts';

/** Finds matches through the index, and short beginnings without gathering their words. */
export async function quickenPostgres(trx: Knex.Transaction): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  for (const tables of await allTables(trx)) await addBeginnings(trx, tables);
}

/** Moves the vectors to a table of short rows, and gives each the kind of its document. */
export async function shortenPostgres(trx: Knex.Transaction): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await trx.raw('drop function if exists text_index_matches (text, tsquery)');
  await createWalks(trx);
  for (const tables of await allTables(trx)) await moveVectors(trx, tables);
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
  await trx.raw(`alter table ${documents} drop column title_vector, drop column vector`);
  await trx.raw(`drop index ${documents}_title`);
  await indexTitles(trx, documents);
}
