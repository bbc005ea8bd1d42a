import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The tables of users, credentials and sessions. */
export const accountMigrations: MigrationSet = {
  name: 'accounts',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('api_keys', (table) => {
          table.text('id').primary();
          table.text('name').notNullable();
          table.text('role').notNullable();
          table.text('scopes').notNullable();
          table.text('token_hash').notNullable().unique();
          table.text('origin').notNullable();
          table.text('created_at').notNullable();
          table.text('expires_at');
          table.text('last_used_at');
          // Null = it has no owner until there is an admin.
          table.text('user_id').index();
        });
        await trx.schema.createTable('users', (table) => {
          table.text('id').primary();
          table.text('name').notNullable();
          table.text('name_key').notNullable().unique();
          table.text('role').notNullable();
          table.integer('disabled').notNullable();
          table.text('library_access').notNullable();
          table.text('group_ids').notNullable();
          table.text('password_hash');
          table.integer('requires_passkey').notNullable();
          table.text('created_at').notNullable();
          table.text('updated_at').notNullable();
          table.text('last_seen_at');
        });
        await trx.schema.createTable('sessions', (table) => {
          table.text('id').primary();
          table.text('user_id').notNullable().index();
          table.text('token_hash').notNullable().unique();
          table.text('device_name');
          table.text('user_agent');
          table.text('address');
          table.text('created_at').notNullable();
          table.text('last_seen_at').notNullable();
          table.text('expires_at').notNullable();
        });
        await trx.schema.createTable('passkeys', (table) => {
          table.text('id').primary();
          table.text('user_id').notNullable().index();
          table.text('credential_id').notNullable().unique();
          table.text('public_key').notNullable();
          table.bigInteger('counter').notNullable();
          table.text('transports').notNullable();
          table.text('name').notNullable();
          table.integer('is_synced').notNullable();
          table.text('created_at').notNullable();
          table.text('last_used_at');
        });
        // Devices that wait for a person, and those that a person has decided about.
        await trx.schema.createTable('pairings', (table) => {
          table.text('secret_hash').primary();
          table.text('code_hash').notNullable().unique();
          // The session of the device has this token, which only its secret gives.
          table.text('token_hash').notNullable();
          table.text('state').notNullable();
          table.text('user_id');
          table.text('session_id');
          table.text('session_expires_at');
          table.text('device_name');
          table.text('user_agent');
          table.text('address');
          table.text('household').notNullable().index();
          table.text('site').notNullable().index();
          table.bigInteger('begun_at').notNullable().index();
        });
        await trx.schema.createTable('spent_challenges', (table) => {
          table.text('hash').primary();
          table.bigInteger('ends_at').notNullable().index();
        });
        await trx.schema.createTable('account_changes', (table) => {
          table.increments('seq');
          table.text('user_id').notNullable();
        });
      },
    },
  ],
};
