import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The tables of linked identities. */
export const identityMigrations: MigrationSet = {
  name: 'identity',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('identity_links', (table) => {
          table.text('id').primary();
          table.text('local_user_id').notNullable().index();
          table.text('user_pub_key').notNullable().unique();
          table.text('user_id').notNullable();
          table.text('identity_url').notNullable();
          table.text('state').notNullable();
          table.integer('follow_rotation').notNullable();
          table.text('link_grant').notNullable();
          table.bigInteger('grant_iat').notNullable();
          table.text('linked_at').notNullable();
          // A link is active when the feed was read whole after it was written.
          table.integer('awaits_feed').notNullable().defaultTo(0);
        });
        // Replaced keys: their passes stay valid for a while, and then must be renewed.
        await trx.schema.createTable('identity_former_keys', (table) => {
          table.text('user_pub_key').primary();
          table.text('link_id').notNullable().index();
          table.bigInteger('accepted_until').notNullable();
        });
        await trx.schema.createTable('identity_sessions', (table) => {
          table.text('id').primary();
          table.text('token_hash').notNullable().unique();
          table.text('link_id').notNullable();
          table.text('local_user_id').notNullable().index();
          table.text('user_id').notNullable();
          table.text('user_pub_key').notNullable();
          table.text('client_id').notNullable();
          table.text('app_id').notNullable();
          table.text('device_name').notNullable();
          table.text('scope').notNullable();
          table.bigInteger('cert_exp').notNullable();
          table.text('address');
          table.text('created_at').notNullable();
          table.text('last_seen_at').notNullable();
          table.text('expires_at').notNullable().index();
          table.text('revoked_at').index();
          table.index(['link_id', 'client_id']);
        });
        await trx.schema.createTable('identity_revocations', (table) => {
          table.text('user_pub_key').notNullable();
          table.text('client_id').notNullable();
          table.text('payload_hash').notNullable().index();
          table.text('server_ids');
          table.bigInteger('iat').notNullable();
          table.primary(['user_pub_key', 'client_id', 'payload_hash']);
        });
        // Links that were begun and not confirmed.
        await trx.schema.createTable('identity_link_requests', (table) => {
          table.text('id').primary();
          table.text('user_id').notNullable();
          table.text('credential_id').notNullable().index();
          table.text('request').notNullable();
          table.bigInteger('polled_at').notNullable();
          table.bigInteger('expires_at').notNullable().index();
        });
        await trx.schema.createTable('identity_feed', (table) => {
          table.text('identity_url').primary();
          table.text('epoch');
          table.bigInteger('next').notNullable();
          table.text('last_ok_at');
          table.text('told_base_url');
          table.text('told_name');
        });
      },
    },
  ],
};
