import type { Knex } from 'knex';
import type { MigrationSet } from '../../../kernel/store/index.ts';

/**
 * The tables of the broker. Tokens, request ids and recovery values are stored as hashes; no column
 * holds a private key, passphrase or code. Times are Unix milliseconds, except those of passes,
 * which are seconds.
 */
export const brokerMigrations: MigrationSet = {
  name: 'broker',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await createAccounts(trx);
        await createApps(trx);
        await createClients(trx);
        await createServers(trx);
        await createFeed(trx);
      },
    },
  ],
};

async function createAccounts(trx: Knex): Promise<void> {
  await trx.schema.createTable('users', (table) => {
    table.text('user_id').primary();
    table.text('handle').notNullable();
    /** The comparison form: one spelling for all names that look the same. */
    table.text('handle_key').notNullable().unique();
    table.text('user_pub_key').notNullable().unique();
    table.text('recovery_hash').notNullable();
    table.bigInteger('key_revoked_at');
    table.bigInteger('created_at').notNullable();
  });
  await trx.schema.createTable('passkeys', (table) => {
    table.text('id').primary();
    table.text('user_id').notNullable().index();
    table.text('public_key').notNullable();
    table.bigInteger('counter').notNullable();
    table.text('transports').notNullable();
    table.integer('backed_up').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
  });
  await trx.schema.createTable('vaults', (table) => {
    table.text('user_id').primary();
    table.bigInteger('rev').notNullable();
    table.text('wraps').notNullable();
    table.text('sealed_key').notNullable();
    table.text('proof').notNullable();
  });
  await trx.schema.createTable('sessions', (table) => {
    table.text('hash').primary();
    table.text('user_id').notNullable().index();
    table.bigInteger('asserted_at').notNullable();
    table.integer('is_recovery').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
  await trx.schema.createTable('challenges', (table) => {
    table.text('hash').primary();
    table.text('purpose').notNullable();
    table.text('subject').notNullable();
    table.text('nonce').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
}

async function createApps(trx: Knex): Promise<void> {
  await trx.schema.createTable('apps', (table) => {
    table.text('app_id').primary();
    table.text('user_id').notNullable().index();
    table.text('name').notNullable();
    table.text('icon');
    table.text('domain');
    /** When the domain proof was last found; null = not verified. */
    table.bigInteger('verified_at');
    table.bigInteger('checked_at');
    table.integer('is_enabled').notNullable();
    table.bigInteger('created_at').notNullable();
    /** The row of a deleted app stays, so that the id is never used again. */
    table.bigInteger('deleted_at');
  });
  await trx.schema.createTable('app_callbacks', (table) => {
    table.text('app_id').notNullable();
    table.integer('position').notNullable();
    table.text('url').notNullable();
    table.primary(['app_id', 'position']);
  });
  await trx.schema.createTable('pairings', (table) => {
    table.text('request_hash').primary();
    table.text('code_hmac').unique();
    /** The request id, readable only with the code and the broker's key. */
    table.text('code_mask');
    table.text('app_id').notNullable().index();
    table.text('client_pub_key').notNullable();
    table.text('device_name').notNullable();
    table.text('platform').notNullable();
    table.text('callback_url');
    table.text('network').notNullable();
    table.text('line').notNullable();
    table.text('status').notNullable();
    table.text('error');
    table.text('client_id');
    table.bigInteger('requested_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
}

async function createClients(trx: Knex): Promise<void> {
  await trx.schema.createTable('clients', (table) => {
    table.text('client_id').primary();
    table.text('user_id').notNullable().index();
    table.text('app_id').notNullable();
    table.text('client_pub_key').notNullable().index();
    table.text('device_name').notNullable();
    table.text('platform').notNullable();
    /** The newest pass that has become valid. */
    table.text('cert').notNullable();
    table.text('server_list').notNullable();
    table.bigInteger('paired_at').notNullable();
    table.bigInteger('last_seen_at');
    table.bigInteger('revoked_at');
  });
  await trx.schema.createTable('passes', (table) => {
    table.text('client_id').notNullable();
    table.bigInteger('iat').notNullable();
    table.bigInteger('exp').notNullable().index();
    table.text('cert').notNullable();
    table.primary(['client_id', 'iat']);
  });
  await trx.schema.createTable('renew_seen', (table) => {
    table.text('client_id').notNullable();
    table.bigInteger('ts').notNullable();
    table.bigInteger('seen_at').notNullable().index();
    table.primary(['client_id', 'ts']);
  });
}

async function createServers(trx: Knex): Promise<void> {
  await trx.schema.createTable('linked_servers', (table) => {
    table.text('user_id').notNullable();
    table.text('server_id').notNullable().index();
    table.integer('position').notNullable();
    table.text('base_url').notNullable();
    table.text('name').notNullable();
    table.bigInteger('linked_at').notNullable();
    table.text('grant_object').notNullable();
    /** When the server signed its newest update that was accepted or refused; seconds. */
    table.bigInteger('told_at').notNullable();
    table.text('next_base_url');
    table.text('next_name');
    table.primary(['user_id', 'server_id']);
  });
  await trx.schema.createTable('links', (table) => {
    table.text('request_hash').primary();
    table.text('server_id').notNullable();
    table.text('base_url').notNullable();
    table.text('name').notNullable();
    table.text('nonce').notNullable();
    table.text('status').notNullable();
    table.text('error');
    table.text('grant_object');
    table.bigInteger('expires_at').notNullable().index();
  });
}

async function createFeed(trx: Knex): Promise<void> {
  await trx.schema.createTable('records', (table) => {
    table.bigInteger('published_at').primary();
    table.text('payload_hash').notNullable().unique();
    table.text('user_id').notNullable().index();
    table.text('kind').notNullable();
    table.text('client_id');
    table.text('payload').notNullable();
    table.text('sig').notNullable();
    table.text('new_sig');
  });
  await trx.schema.createTable('rotations', (table) => {
    table.text('old_pub_key').primary();
    table.text('user_id').notNullable().index();
    table.text('new_pub_key').notNullable();
    table.text('payload_hash').notNullable();
    table.bigInteger('rotated_at').notNullable();
    table.bigInteger('revoked_at');
  });
  await trx.schema.createTable('feed', (table) => {
    table.integer('id').primary();
    table.text('epoch').notNullable();
    table.bigInteger('last').notNullable();
  });
}
