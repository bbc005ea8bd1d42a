import type { Migration } from '../../../../../kernel/storage/index.ts';

/** The parts of probe reports that no other column has, so that files are not probed twice. */
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
