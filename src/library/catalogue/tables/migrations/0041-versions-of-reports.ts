import type { Migration } from '../../../../../kernel/storage/index.ts';

/** Which version of its probe made a report, so that a better one reads the file again. */
export const versionsOfReportsMigration: Migration = {
  id: '0041-versions-of-reports',
  up: async (trx) => {
    await trx.schema.alterTable('kept_reports', (table) => {
      table.integer('answers_version').notNullable().defaultTo(1);
    });
  },
};
