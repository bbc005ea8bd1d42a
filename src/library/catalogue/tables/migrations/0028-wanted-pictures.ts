import type { Migration } from '../../../../../kernel/storage/index.ts';

/** The queue of pictures that are fetched before somebody asks for them. */
export const wantedPicturesMigration: Migration = {
  id: '0028-wanted-pictures',
  up: async (trx) => {
    await trx.schema.createTable('wanted_pictures', (table) => {
      table.text('asset_id').primary();
      table.integer('attempts').notNullable();
      table.bigInteger('next_at').notNullable().index();
    });
    const there = [
      ['assets', ['poster', 'cover', 'backdrop'], 0],
      ['assets', ['thumbnail'], 1],
      ['entity_assets', ['poster', 'cover', 'backdrop'], 0],
    ] as const;
    for (const [table, types, turn] of there) {
      const names = types.map((type) => `'${type}'`).join(', ');
      await trx.raw(
        `insert into wanted_pictures (asset_id, attempts, next_at)
         select id, 0, ${turn} from ${table} where type in (${names}) and uri like 'http%'`,
      );
    }
  },
};
