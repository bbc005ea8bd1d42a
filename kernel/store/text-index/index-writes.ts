/**
 * Every change of a document changes three tables: the document, the inverted index, and the counts
 * of its words. They change in one transaction, and the counts follow from the words in the document
 * row. So counts are exact, and words without a document disappear. Rows are passed as one JSON text,
 * since binding single values costs more. `jsonb_each` returns parsed rows; `json_each` would
 * serialise them again.
 */
import type { Knex } from 'knex';
import type { TextDocument } from '../../../plugin-api/index.ts';
import { dialectOf } from '../dialect.ts';
import { membersOf } from '../read-together.ts';
import { assertStorable, isStorable, toStorable } from '../stored-text.ts';
import { documentKey, scopelessOrdinal, sequenceOf } from './document-key.ts';
import { type CatalogueEntry, findIndex, numberLabels, openIndex } from './index-catalogue.ts';
import { type IndexedDocument, type IndexTables, tablesOf } from './index-tables.ts';
import { addPostgresCounts, insertPostgresDocuments } from './postgres-tables.ts';
import { lengthOf, reversed } from './similar-words.ts';
import { isUnspaced, wordsOf } from './split-words.ts';

type WordCounts = Map<string, number>;

const withIds = (trx: Knex): string => `id in ${membersOf(trx)}`;

/** Adds or replaces documents. An unchanged document costs no write. */
export async function putDocuments(
  trx: Knex.Transaction,
  pluginId: string,
  documents: readonly TextDocument[],
): Promise<void> {
  const entry = await openIndex(trx, pluginId);
  const tables = tablesOf(entry.index_id);
  const distinct = new Map(documents.map((document) => [document.id, document]));
  const stored = await readDocuments(trx, tables, [...distinct.keys()]);
  const { rows, nextSequence } = await makeRows(trx, entry, [...distinct.values()], stored);
  const changed = rows.filter((row) => !isSame(row, stored.get(row.id)));
  if (changed.length === 0) return;
  const replaced = changed.flatMap((row) => stored.get(row.id) ?? []);

  const counts: WordCounts = new Map();
  await takeOut(trx, tables, replaced, counts);
  await putIn(trx, tables, changed, counts);
  await applyCounts(trx, tables, counts);
  await updateEntry(trx, entry, {
    documents: entry.documents + changed.length - replaced.length,
    next_sequence: nextSequence,
  });
}

/** Removes documents; unknown ids are ignored. */
export async function removeDocuments(
  trx: Knex.Transaction,
  pluginId: string,
  ids: readonly string[],
): Promise<void> {
  const entry = await findIndex(trx, pluginId);
  if (entry === undefined) return;
  const tables = tablesOf(entry.index_id);
  const stored = [...(await readDocuments(trx, tables, ids)).values()];
  const counts: WordCounts = new Map();
  await takeOut(trx, tables, stored, counts);
  await applyCounts(trx, tables, counts);
  await updateEntry(trx, entry, {
    documents: entry.documents - stored.length,
    next_sequence: entry.next_sequence,
  });
}

async function readDocuments(
  trx: Knex.Transaction,
  tables: IndexTables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IndexedDocument>> {
  const rows = await trx.raw<readonly IndexedDocument[]>(
    `select key, id, kind, title, title_words, body_words
     from ${tables.documents} where ${withIds(trx)}`,
    [JSON.stringify(ids.filter(isStorable))],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function makeRows(
  trx: Knex.Transaction,
  entry: CatalogueEntry,
  documents: readonly TextDocument[],
  stored: ReadonlyMap<string, IndexedDocument>,
): Promise<{ readonly rows: readonly IndexedDocument[]; readonly nextSequence: number }> {
  const names = { kind: new Set<string>(), scope: new Set<string>() };
  for (const { id, kind, scope } of documents) {
    assertStorable(id, 'id of a document');
    assertStorable(kind, 'kind of a document');
    assertStorable(scope, 'scope of a document');
    names.kind.add(kind);
    names.scope.add(scope);
  }
  const label = (type: 'kind' | 'scope') =>
    numberLabels(trx, entry.index_id, { type, names: names[type] });
  const [kinds, scopes] = [await label('kind'), await label('scope')];

  let nextSequence = entry.next_sequence;
  const rows = documents.map(({ id, kind, scope, title, body }) => {
    const before = stored.get(id);
    const [titleWords, bodyWords] = [wordsOf(title), wordsOf(body)];
    const key = documentKey({
      titleWords: titleWords.length,
      bodyWords: bodyWords.length,
      kind: kinds.get(kind) ?? 0,
      scope: scopes.get(scope) ?? scopelessOrdinal,
      sequence: before === undefined ? nextSequence++ : sequenceOf(before.key),
    });
    const words = { title_words: titleWords.join(' '), body_words: bodyWords.join(' ') };
    return { key, id, kind, title: toStorable(title), ...words };
  });
  return { rows, nextSequence };
}

function isSame(row: IndexedDocument, stored: IndexedDocument | undefined): boolean {
  return (
    stored !== undefined &&
    row.key === stored.key &&
    row.title === stored.title &&
    row.title_words === stored.title_words &&
    row.body_words === stored.body_words
  );
}

async function takeOut(
  trx: Knex.Transaction,
  tables: IndexTables,
  rows: readonly IndexedDocument[],
  counts: WordCounts,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const key = dialectOf(trx) === 'sqlite' ? 'rowid' : 'key';
  await trx.raw(
    `delete from ${tables.words} where ${key} in (select key from ${tables.documents} where ${withIds(trx)})`,
    [ids],
  );
  await trx.raw(`delete from ${tables.documents} where ${withIds(trx)}`, [ids]);
  for (const row of rows) countWords(row, counts, -1);
}

async function putIn(
  trx: Knex.Transaction,
  tables: IndexTables,
  rows: readonly IndexedDocument[],
  counts: WordCounts,
): Promise<void> {
  if (rows.length === 0) return;
  for (const row of rows) countWords(row, counts, 1);
  if (dialectOf(trx) === 'postgres') return insertPostgresDocuments(trx, tables, rows);
  await trx.raw(
    `insert into ${tables.documents} (key, id, kind, title, title_words, body_words)
     select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
     from jsonb_each(?)`,
    [JSON.stringify(rows.map(toColumns))],
  );
  // In the order of the key: FTS5 flushes its buffer whenever a key decreases.
  await trx.raw(
    `insert into ${tables.words} (rowid, title, body)
     select key, title_words, body_words from ${tables.documents} where ${withIds(trx)} order by key`,
    [JSON.stringify(rows.map(({ id }) => id))],
  );
}

function toColumns(row: IndexedDocument): readonly unknown[] {
  return [row.key, row.id, row.kind, row.title, row.title_words, row.body_words];
}

function countWords(row: IndexedDocument, counts: WordCounts, step: 1 | -1): void {
  const words = new Set([...row.title_words.split(' '), ...row.body_words.split(' ')]);
  for (const word of words) {
    if (word === '' || isUnspaced(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + step);
  }
}

async function applyCounts(
  trx: Knex.Transaction,
  tables: IndexTables,
  counts: WordCounts,
): Promise<void> {
  const changes = [...counts].filter(([, step]) => step !== 0);
  if (changes.length === 0) return;
  const rows = changes.map(([word, step]) => [lengthOf(word), word, reversed(word), step] as const);
  if (dialectOf(trx) === 'postgres') return addPostgresCounts(trx, tables, rows);
  const { terms } = tables;
  await trx.raw(
    `insert into ${terms} (length, word, reversed, documents)
     select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from jsonb_each(?) where true
     on conflict (length, word) do update set documents = documents + excluded.documents`,
    [JSON.stringify(rows)],
  );
  const fewer = changes.filter(([, step]) => step < 0);
  if (fewer.length === 0) return;
  await trx.raw(
    `delete from ${terms} where documents <= 0 and (length, word) in
     (select value ->> 0, value ->> 1 from jsonb_each(?))`,
    [JSON.stringify(fewer.map(([word]) => [lengthOf(word), word]))],
  );
}

async function updateEntry(
  trx: Knex.Transaction,
  { index_id }: CatalogueEntry,
  columns: Pick<CatalogueEntry, 'documents' | 'next_sequence'>,
): Promise<void> {
  await trx<CatalogueEntry>('text_indexes').where({ index_id }).update(columns);
}
