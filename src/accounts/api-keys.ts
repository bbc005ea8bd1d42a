/**
 * API keys. Only the SHA-256 of a token is kept, so the database gives none away; and since a token
 * is looked up by that hash, how long a look-up takes tells a guesser nothing about any token.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, Log } from '../../kernel/index.ts';
import { toTimestamp, type Clock } from '../clock.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import type { NewId } from '../uuid-v7.ts';
import {
  hashOfToken,
  isApiToken,
  isExpired,
  parseNewApiKey,
  principalOfKey,
  type ApiKey,
  type NewApiKey,
} from './api-key.ts';
import * as store from './api-key-store.ts';
import type { Principal } from './principal.ts';
import { isFullAdmin, type Viewer } from './viewer.ts';

/** A page of keys, newest first. */
export interface ApiKeysPage {
  readonly apiKeys: readonly ApiKey[];
  readonly nextCursor: string | null;
}

/** A key at the only moment at which its token is known. */
export interface FreshApiKey {
  readonly apiKey: ApiKey;
  readonly token: string;
}

/** API keys. */
export interface ApiKeys {
  /** Whom a token stands for; `null` when it is unknown or expired. */
  readonly principalOf: (token: string) => Promise<Principal | null>;
  /** Whether the credential is still good: for connections that outlive a request. */
  readonly isValid: (credentialId: string) => Promise<boolean>;
  readonly list: (
    viewer: Viewer,
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ) => Promise<ApiKeysPage>;
  readonly create: (newKey: NewApiKey, viewer: Viewer) => Promise<FreshApiKey>;
  /** From this moment on the key is no good, whatever was cached. */
  readonly remove: (id: string, viewer: Viewer) => Promise<void>;
  /** Makes `vtk_<64 hex>` from the environment an admin key, in place of the one before it. */
  readonly installAdminToken: (token: string) => Promise<void>;
  /** The token of an admin key if there is no key at all; else `null`. */
  readonly createFirstAdminKey: () => Promise<string | null>;
  /** Waits for what is still being written. */
  readonly close: () => Promise<void>;
}

/** What API keys are made of. */
export interface ApiKeysParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly random?: (count: number) => Buffer;
}

const mostCached = 1000;
/** `lastUsedAt` is right to the minute; a busy key costs one write in that time. */
const useNotedEveryMs = 60_000;

/** Creates the keys over the database. */
export function createApiKeys(parts: ApiKeysParts): ApiKeys {
  const { database, clock, newId, log, random = randomBytes } = parts;
  const byHash = new LRUCache<string, ApiKey>({ max: mostCached });
  const notedAt = new LRUCache<string, number>({ max: mostCached });
  const writing = new Set<Promise<void>>();
  let removals = 0;

  async function principalOf(token: string): Promise<Principal | null> {
    if (!isApiToken(token)) return null;
    const hash = hashOfToken(token);
    const key = byHash.get(hash) ?? (await lookUp(hash));
    if (!key || isExpired(key, clock.now())) return null;
    noteUse(key.id);
    return principalOfKey(key);
  }

  /** A key that is removed while it is looked up must not come back into the cache. */
  async function lookUp(hash: string): Promise<ApiKey | undefined> {
    const removalsBefore = removals;
    const key = await store.findApiKeyByHash(database.read, hash);
    if (key && removalsBefore === removals) byHash.set(hash, key);
    return key;
  }

  function forget(): void {
    removals += 1;
    byHash.clear();
  }

  function noteUse(id: string): void {
    const nowMs = clock.now();
    if (nowMs - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < useNotedEveryMs) return;
    notedAt.set(id, nowMs);
    const write = database
      .write((trx) => store.noteApiKeyUse(trx, id, toTimestamp(nowMs)))
      .catch((error: unknown) => log.warn({ err: error }, 'The use of an API key was not noted.'))
      .finally(() => writing.delete(write));
    writing.add(write);
  }

  async function isValid(credentialId: string): Promise<boolean> {
    const key = await store.findApiKey(database.read, credentialId);
    return key !== undefined && !isExpired(key, clock.now());
  }

  const list: ApiKeys['list'] = async (viewer, { limit = 50, cursor }) => {
    assertFullAdmin(viewer);
    const olderThan = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const keys = await store.listApiKeys(database.read, { olderThan, limit: limit + 1 });
    const apiKeys = keys.slice(0, limit);
    const last = apiKeys.at(-1);
    return { apiKeys, nextCursor: keys.length > limit && last ? writeCursor([last.id]) : null };
  };

  async function create(newKey: NewApiKey, viewer: Viewer): Promise<FreshApiKey> {
    assertFullAdmin(viewer);
    const parsed = parseNewApiKey(newKey, clock.now());
    const token = newToken();
    const key = keyOf(parsed);
    await insert(key, token, 'admin');
    return { apiKey: key, token };
  }

  const newToken = (): string => `vtk_${random(32).toString('hex')}`;

  const keyOf = (fields: Pick<ApiKey, 'name' | 'role' | 'scopes' | 'expiresAt'>): ApiKey => ({
    id: newId(),
    ...fields,
    createdAt: toTimestamp(clock.now()),
    lastUsedAt: null,
  });

  const adminKey = (name: string): ApiKey =>
    keyOf({ name, role: 'admin', scopes: [], expiresAt: null });

  const insert = (key: ApiKey, token: string, origin: store.ApiKeyOrigin): Promise<void> =>
    database.write((trx) =>
      store.insertApiKey(trx, { ...key, tokenHash: hashOfToken(token), origin }),
    );

  async function remove(id: string, viewer: Viewer): Promise<void> {
    assertFullAdmin(viewer);
    const wasThere = await database.write((trx) => store.removeApiKey(trx, id));
    forget();
    if (!wasThere) throw new AppError('not_found', { what: `API key ${id}` });
  }

  async function installAdminToken(token: string): Promise<void> {
    if (!isApiToken(token)) {
      throw new AppError('invalid_admin_token', { source: 'VITRINE_ADMIN_TOKEN' });
    }
    const tokenHash = hashOfToken(token);
    await database.write(async (trx) => {
      await store.removeOlderEnvironmentKeys(trx, tokenHash);
      if (await store.findApiKeyByHash(trx, tokenHash)) return;
      const key = adminKey('VITRINE_ADMIN_TOKEN');
      await store.insertApiKey(trx, { ...key, tokenHash, origin: 'environment' });
    });
    forget();
  }

  async function createFirstAdminKey(): Promise<string | null> {
    const token = newToken();
    const key = { ...adminKey('first start'), tokenHash: hashOfToken(token) };
    return database.write(async (trx) => {
      if (await store.hasApiKeys(trx)) return null;
      await store.insertApiKey(trx, { ...key, origin: 'first-start' });
      return token;
    });
  }

  async function close(): Promise<void> {
    await Promise.all(writing);
  }

  return {
    principalOf,
    isValid,
    list,
    create,
    remove,
    installAdminToken,
    createFirstAdminKey,
    close,
  };
}

/** A key that is limited to some libraries must not make itself one that is not. */
function assertFullAdmin(viewer: Viewer): void {
  if (isFullAdmin(viewer)) return;
  throw new AppError('forbidden', {
    what: 'API keys are for admins whose credential is not limited to some libraries.',
  });
}
