import type { Knex } from 'knex';
import { readLimit, writeLimit, type Role } from '../viewer/index.ts';
import type { ApiKey } from '../../contract/resources/accounts/api-keys.ts';

/** The origin of a key: its user, the first start of older versions, or the environment. */
export type ApiKeyOrigin = 'admin' | 'first-start' | 'environment';

/** A row to insert. */
export interface ApiKeyInsert extends ApiKey {
  readonly tokenHash: string;
  readonly origin: ApiKeyOrigin;
}

/** The position and filter of a page. */
export interface ApiKeyPage {
  /** `null` = the keys of all users. */
  readonly userId: string | null;
  readonly olderThan: string | null;
  readonly limit: number;
}

interface ApiKeyRow {
  readonly id: string;
  readonly user_id: string | null;
  readonly name: string;
  readonly role: Role;
  readonly scopes: string;
  readonly token_hash: string;
  readonly origin: ApiKeyOrigin;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

const keys = (trx: Knex) => trx<ApiKeyRow>('api_keys');

export async function insertApiKey(trx: Knex, key: ApiKeyInsert): Promise<void> {
  await keys(trx).insert({
    id: key.id,
    user_id: key.userId,
    name: key.name,
    role: key.role,
    scopes: writeLimit(key.scopes),
    token_hash: key.tokenHash,
    origin: key.origin,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
  });
}

export async function findApiKeyByHash(trx: Knex, tokenHash: string): Promise<ApiKey | undefined> {
  const row = await keys(trx).where('token_hash', tokenHash).first();
  return row && toApiKey(row);
}

export async function findApiKey(trx: Knex, id: string): Promise<ApiKey | undefined> {
  const row = await keys(trx).where({ id }).first();
  return row && toApiKey(row);
}

export async function listApiKeys(trx: Knex, page: ApiKeyPage): Promise<readonly ApiKey[]> {
  const query = keys(trx).orderBy('id', 'desc').limit(page.limit);
  if (page.userId !== null) void query.where('user_id', page.userId);
  if (page.olderThan !== null) void query.where('id', '<', page.olderThan);
  return (await query).map(toApiKey);
}

export async function removeApiKey(trx: Knex, id: string): Promise<void> {
  await keys(trx).where({ id }).delete();
}

export async function removeApiKeysOf(trx: Knex, userId: string): Promise<void> {
  await keys(trx).where('user_id', userId).delete();
}

/**
 * Ends a user's keys except one, and returns the number of ended keys. The key of the environment
 * stays: the operator set it, and the next start would create it again.
 */
export async function endApiKeysOf(trx: Knex, userId: string, exceptId = ''): Promise<number> {
  const own = keys(trx).where('user_id', userId).whereNot({ id: exceptId });
  return own.whereNot('origin', 'environment').delete();
}

/** Gives keys that are older than user accounts to a user. */
export async function adoptOwnerlessKeys(trx: Knex, userId: string): Promise<void> {
  await keys(trx).whereNull('user_id').update({ user_id: userId });
}

export async function giveApiKey(trx: Knex, id: string, userId: string): Promise<void> {
  await keys(trx).where({ id }).update({ user_id: userId });
}

/** The environment sets one key: an older one with another token is removed. */
export async function removeOlderEnvironmentKeys(trx: Knex, keptHash: string): Promise<void> {
  await keys(trx).where('origin', 'environment').whereNot('token_hash', keptHash).delete();
}

export async function noteApiKeyUse(trx: Knex, id: string, at: string): Promise<void> {
  await keys(trx).where({ id }).update({ last_used_at: at });
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    role: row.role,
    scopes: readLimit<string>(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}
