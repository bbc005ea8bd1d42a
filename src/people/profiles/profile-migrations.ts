import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The tables of profiles, PINs, pictures and groups. They depend on the tables of users. */
export const profileMigrations: MigrationSet = {
  name: 'profiles',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('profiles', (table) => {
          table.text('id').primary();
          table.text('user_id').notNullable().index();
          table.text('name').notNullable();
          table.integer('is_default').notNullable();
          table.text('library_access').notNullable();
          table.text('avatar_url');
          table.text('pin_hash');
          // Failed attempts since the last right PIN, and the end of the pause.
          table.integer('pin_tries').notNullable();
          table.bigInteger('pin_blocked_until').notNullable();
          table.text('created_at').notNullable();
          table.text('updated_at').notNullable();
        });
        await trx.raw(
          'create unique index profiles_one_default on profiles (user_id) where is_default = 1',
        );
        await trx.schema.createTable('profile_unlocks', (table) => {
          table.text('profile_id').notNullable();
          table.text('credential_id').notNullable();
          table.bigInteger('until').notNullable().index();
          table.primary(['profile_id', 'credential_id']);
        });
        await trx.schema.createTable('profile_avatars', (table) => {
          table.text('profile_id').primary();
          table.text('media_type').notNullable();
          table.text('hash').notNullable();
          table.binary('bytes').notNullable();
        });
        await trx.schema.createTable('access_groups', (table) => {
          table.text('id').primary();
          table.text('name').notNullable();
          table.text('name_key').notNullable().unique();
          table.text('library_access').notNullable();
          table.text('created_at').notNullable();
          table.text('updated_at').notNullable();
        });
        await trx.schema.createTable('profile_preferences', (table) => {
          table.text('profile_id').primary();
          table.text('preferences').notNullable();
        });
      },
    },
  ],
};
