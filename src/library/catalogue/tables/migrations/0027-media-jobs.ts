import type { Migration } from '../../../../../kernel/storage/index.ts';

export const mediaJobsMigration: Migration = {
  id: '0027-media-jobs',
  up: async (trx) => {
    await trx.schema.alterTable('files', (table) => {
      // What a job measured of its sound, as JSON; null = not measured.
      table.text('loudness');
    });
    await trx.schema.alterTable('libraries', (table) => {
      // The media jobs that run for it at night, as a JSON list; null = all.
      table.text('media_jobs');
    });
  },
};
