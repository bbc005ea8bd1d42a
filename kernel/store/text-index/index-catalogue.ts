import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import { most } from './document-key.ts';
import { tablesOf, type IndexTables } from './index-tables.ts';
import { indexedBeginnings } from './match-expression.ts';
import { createPostgresTables } from './postgres-tables.ts';

/** The catalogue row of one plugin's index. */
export interface CatalogueEntry {
  readonly index_id: number;
  readonly plugin_id: string;
  readonly documents: number;
  readonly next_sequence: number;
}

/** What a name in a document key stands for. */
export type LabelType = 'kind' | 'scope';

interface Label {
  readonly index_id: number;
  readonly type: LabelType;
  readonly label: string;
  readonly ordinal: number;
}

/** An index for queries: its tables, and the numbers of its kinds. */
export interface OpenIndex {
  readonly tables: IndexTables;
  readonly kinds: ReadonlyMap<string, number>;
}

/** The index of a plugin, if it has one. */
export async function findIndex(knex: Knex, pluginId: string): Promise<CatalogueEntry | undefined> {
  return knex<CatalogueEntry>('text_indexes').where({ plugin_id: pluginId }).first();
}

/** The index of a plugin for queries, if it has one. */
export async function findOpenIndex(knex: Knex, pluginId: string): Promise<OpenIndex | undefined> {
  const entry = await findIndex(knex, pluginId);
  if (entry === undefined) return undefined;
  const { index_id } = entry;
  return { tables: tablesOf(index_id), kinds: await readLabels(knex, index_id, 'kind') };
}

/** The index of a plugin, created when missing. */
export async function openIndex(trx: Knex.Transaction, pluginId: string): Promise<CatalogueEntry> {
  const found = await findIndex(trx, pluginId);
  if (found !== undefined) return found;
  const [entry] = await trx<CatalogueEntry>('text_indexes')
    .insert({ plugin_id: pluginId, documents: 0, next_sequence: 0 })
    .returning('*');
  if (entry === undefined) throw new Error('An insert into text_indexes gave no row.');
  await createTables(trx, tablesOf(entry.index_id));
  return entry;
}

/** The length of the texts of all documents, in characters. */
export async function measureIndex(knex: Knex, indexId: number): Promise<number> {
  const { documents } = tablesOf(indexId);
  const texts = 'length(id) + length(title) + length(title_words) + length(body_words)';
  const found: unknown = await knex(documents)
    .select(knex.raw(`sum(${texts}) as size`))
    .first();
  return Number((found as { readonly size: unknown } | undefined)?.size ?? 0);
}

/** Empties a plugin's index; the index itself stays. */
export async function clearIndex(trx: Knex.Transaction, pluginId: string): Promise<void> {
  const entry = await findIndex(trx, pluginId);
  if (entry === undefined) return;
  const { documents, words, terms } = tablesOf(entry.index_id);
  await trx.raw(
    dialectOf(trx) === 'sqlite'
      ? `insert into ${words} (${words}) values ('delete-all')`
      : `delete from ${words}`,
  );
  await trx.raw(`delete from ${documents}`);
  await trx.raw(`delete from ${terms}`);
  await trx('text_index_labels').where({ index_id: entry.index_id }).delete();
  await trx('text_indexes')
    .where({ index_id: entry.index_id })
    .update({ documents: 0, next_sequence: 0 });
}

/** Deletes a plugin's index with its tables. */
export async function dropIndex(trx: Knex.Transaction, pluginId: string): Promise<void> {
  const entry = await findIndex(trx, pluginId);
  if (entry === undefined) return;
  const { documents, words, terms } = tablesOf(entry.index_id);
  for (const table of [words, documents, terms]) await trx.raw(`drop table ${table}`);
  await trx('text_index_labels').where({ index_id: entry.index_id }).delete();
  await trx('text_indexes').where({ index_id: entry.index_id }).delete();
}

/**
 * Gives each name its number within the index; new names get the next free number. Numbers are never
 * reused, since keys hold them. Scopes beyond the limit have none: see `scopelessOrdinal`.
 */
export async function numberLabels(
  trx: Knex.Transaction,
  indexId: number,
  labels: { readonly type: LabelType; readonly names: ReadonlySet<string> },
): Promise<ReadonlyMap<string, number>> {
  const { type, names } = labels;
  const ordinals = await readLabels(trx, indexId, type);
  const room = type === 'scope' ? most.scopes - 1 - ordinals.size : Infinity;
  const unknown = [...names].filter((name) => !ordinals.has(name)).slice(0, Math.max(0, room));
  for (const label of unknown) {
    const ordinal = ordinals.size;
    ordinals.set(label, ordinal);
    await trx('text_index_labels').insert({ index_id: indexId, type, label, ordinal });
  }
  return ordinals;
}

async function readLabels(
  knex: Knex,
  indexId: number,
  type: LabelType,
): Promise<Map<string, number>> {
  const rows = await knex<Label>('text_index_labels')
    .where({ index_id: indexId, type })
    .orderBy('ordinal')
    .select('label', 'ordinal');
  return new Map(rows.map(({ label, ordinal }) => [label, ordinal]));
}

async function createTables(trx: Knex.Transaction, tables: IndexTables): Promise<void> {
  await (dialectOf(trx) === 'sqlite'
    ? createSqliteTables(trx, tables)
    : createPostgresTables(trx, tables));
  await indexBeginnings(trx, tables);
}

/**
 * `documents` holds the fields of a hit and the indexed words, `words` is the inverted index without
 * a copy of the text, `terms` counts the documents of each word, for `similar`. Words are folded and
 * separated by spaces before they are stored, so the simplest tokenizer suffices: it splits at ASCII
 * characters other than letters and digits.
 */
async function createSqliteTables(trx: Knex.Transaction, tables: IndexTables): Promise<void> {
  await trx.raw(`create table ${tables.documents} (
    key integer primary key,
    id text not null unique,
    kind text not null,
    title text not null,
    title_words text not null,
    body_words text not null
  )`);
  await trx.raw(`create index ${tables.documents}_title on ${tables.documents} (title_words)`);
  await trx.raw(`create virtual table ${tables.words} using fts5(
    title, body,
    content='', contentless_delete=1, tokenize='ascii', prefix='${indexedBeginnings.join(' ')}'
  )`);
  await trx.raw(`create table ${tables.terms} (
    length integer not null,
    word text not null,
    reversed text not null,
    documents integer not null,
    primary key (length, word)
  ) without rowid`);
  await trx.raw(`create index ${tables.terms}_reversed on ${tables.terms} (length, reversed)`);
}

/** Creates the index that finds words by their beginning. */
async function indexBeginnings(trx: Knex.Transaction, { terms }: IndexTables): Promise<void> {
  await trx.raw(`create index ${terms}_word on ${terms} (word)`);
}
