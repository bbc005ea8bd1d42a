/**
 * What it takes to stay true over time: sidecars beside media, content that tells files apart, and
 * since when a file is missing.
 */
import { byteOrdered, type Migration } from '../../../kernel/index.ts';

export const truthMigration: Migration = {
  id: '0005-truth',
  up: async (trx) => {
    await trx.schema.alterTable('files', (table) => {
      // Of an auxiliary file: the URI of its folder. Null for media.
      byteOrdered(table, 'folder');
      // Hex, 32 digits: size and samples of the content. Null = not known.
      table.text('fingerprint');
      // Null = it is not missing.
      table.bigInteger('missed_at');
    });
    await trx.raw(
      `create index files_auxiliary on files (library_no, folder) where type = 'auxiliary'`,
    );
    await trx.raw(`create index files_missing on files (missed_at) where status = 'missing'`);
    await trx('files')
      .where('status', 'missing')
      .update({ missed_at: trx.ref('updated_at') });
    await trx.schema.alterTable('libraries', (table) => {
      // What went wrong with its roots in the last scan: a list of {uri, code, message}.
      table.text('problems');
      // On which volume each root lay when it was last seen whole, by its URI.
      table.text('root_volumes');
    });
    await trx.schema.alterTable('removed_items', (table) => {
      // Unix milliseconds; null until the upkeep has seen it.
      table.bigInteger('removed_at').index();
    });
  },
};
