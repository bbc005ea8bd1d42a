/**
 * Columns for changes over time: auxiliary files beside media, content fingerprints, and when a
 * file went missing.
 */
import { byteOrdered, type Migration } from '../../../../../kernel/storage/index.ts';

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
      // The problems of its roots in the last scan: a list of {uri, code, message}.
      table.text('problems');
      // The volume on which each root lay when it was last complete, by URI.
      table.text('root_volumes');
    });
    await trx.schema.alterTable('removed_items', (table) => {
      // Unix milliseconds; null until the upkeep has seen it.
      table.bigInteger('removed_at').index();
    });
  },
};
