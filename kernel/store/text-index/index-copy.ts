/** Renaming and copying a plugin's whole index, in a transaction of the caller. */
import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import { type CatalogueEntry, findIndex, openIndex } from './index-catalogue.ts';
import { tablesOf } from './index-tables.ts';

/** Gives the index another owner, which must have none. */
export async function renameIndex(trx: Knex.Transaction, from: string, to: string): Promise<void> {
  await trx('text_indexes').where({ plugin_id: from }).update({ plugin_id: to });
}

/** Copies the index to another owner, which must have none. */
export async function copyIndex(trx: Knex.Transaction, from: string, to: string): Promise<void> {
  const source = await findIndex(trx, from);
  if (source === undefined) return;
  const made = await openIndex(trx, to);
  const [old, copy] = [tablesOf(source.index_id), tablesOf(made.index_id)];
  for (const table of ['documents', 'terms'] as const)
    await trx.raw(`insert into ${copy[table]} select * from ${old[table]}`);
  await trx.raw(
    dialectOf(trx) === 'sqlite'
      ? // The inverted index stores no text, so it is rebuilt from the words of the documents.
        `insert into ${copy.words} (rowid, title, body)
         select key, title_words, body_words from ${copy.documents} order by key`
      : `insert into ${copy.words} (key, title, anywhere)
         select key, title, anywhere from ${old.words}`,
  );
  await trx.raw(
    `insert into text_index_labels (index_id, type, label, ordinal)
     select ${made.index_id}, type, label, ordinal from text_index_labels where index_id = ${source.index_id}`,
  );
  const { documents, next_sequence } = source;
  await trx<CatalogueEntry>('text_indexes')
    .where({ index_id: made.index_id })
    .update({ documents, next_sequence });
}
