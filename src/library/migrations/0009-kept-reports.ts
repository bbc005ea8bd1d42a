import type { Migration } from '../../../kernel/index.ts';

/** What a probe found in files, as far as it is in no other column, so that it is not read twice. */
export const keptReportsMigration: Migration = {
  id: '0009-kept-reports',
  up: async (trx) => {
    await trx.schema.createTable('kept_reports', (table) => {
      table.integer('file_no').primary();
      table.text('plugin_id').notNullable();
      // Chapters, tags and artwork of the report. Null = it has none of them.
      table.text('rest');
    });
  },
};
