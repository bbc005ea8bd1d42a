/**
 * API keys. The database stores only the SHA-256 of a token, so reading it reveals no token. Tokens
 * are looked up by that hash, so the time of a lookup reveals nothing about a token. A key never
 * has more rights than its user, and none once its user is disabled or removed.
 */
import { randomBytes } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import {
  assertLibraries,
  isApiToken,
  isExpired,
  parseNewApiKey,
  principalOfKey,
} from './api-key.ts';
import * as store from './api-key-store.ts';
import { assertStillIn } from './still-in.ts';
import { type Credentials, hashOfToken, createUseNotes } from '../credentials/index.ts';
import { createFreshCache } from '../../platform/fresh-cache.ts';
import { createListeners } from '../../platform/listeners.ts';
import type { Users } from './users.ts';
import { isFullAdmin, type Viewer } from '../viewer/index.ts';
import type {
  ApiKey,
  ApiKeysPage,
  FreshApiKey,
  NewApiKey,
} from '../../contract/resources/accounts/api-keys.ts';

export interface ApiKeys extends Credentials {
  /** The viewer's own keys; for a full admin those of all users. */
  readonly list: (
    viewer: Viewer,
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ) => Promise<ApiKeysPage>;
  /** Creates a key of the viewer's own user. */
  readonly create: (newKey: NewApiKey, viewer: Viewer) => Promise<FreshApiKey>;
  /** From this moment on the key is not valid, also where it was cached. */
  readonly remove: (id: string, viewer: Viewer) => Promise<void>;
  /** Makes the token from the environment a key of that admin, in place of the previous one. */
  readonly installAdminToken: (trx: Transaction, token: string, adminId: string) => Promise<void>;
  /** Gives keys that are older than user accounts to the first admin. */
  readonly adoptOwnerless: (trx: Transaction, adminId: string) => Promise<void>;
  readonly forget: () => void;
  /** Another server changed or removed these keys; `null` = any of them. */
  readonly onRemoteEnd: (ids: readonly string[] | null) => void;
  /** Reports removed keys, before the removal resolves. */
  readonly onEnd: (listener: (credentialIds: readonly string[]) => void) => Undo;
  /** Waits for pending writes. */
  readonly close: () => Promise<void>;
}

export interface ApiKeysParts {
  readonly database: Database;
  readonly users: Pick<Users, 'find' | 'noteSeen' | 'onChange'>;
  readonly audit: RecordAudit;
  /** Whether a key can be limited to this library. */
  readonly hasLibrary: (id: string) => boolean;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly random?: (count: number) => Buffer;
}

const mostCached = 1000;

class StoredApiKeys implements ApiKeys {
  readonly #parts: ApiKeysParts;
  readonly #random: (count: number) => Buffer;
  readonly #cache = createFreshCache<ApiKey>(mostCached);
  readonly #ended = createListeners<readonly string[]>();
  readonly #notes: ReturnType<typeof createUseNotes>;
  readonly adoptOwnerless: ApiKeys['adoptOwnerless'];
  readonly forget: ApiKeys['forget'];
  readonly onEnd: ApiKeys['onEnd'];
  readonly close: ApiKeys['close'];

  constructor(parts: ApiKeysParts) {
    this.#parts = parts;
    this.#random = parts.random ?? randomBytes;
    this.#notes = createUseNotes({ clock: parts.clock, log: parts.log });
    parts.users.onChange(() => this.#cache.forget());
    this.adoptOwnerless = store.adoptOwnerlessKeys;
    this.forget = this.#cache.forget;
    this.onEnd = this.#ended.add;
    this.close = this.#notes.close;
  }

  readonly principalOf: ApiKeys['principalOf'] = async (token) => {
    if (!isApiToken(token)) return null;
    const hash = hashOfToken(token);
    const key = await this.#cache.get(hash, () =>
      store.findApiKeyByHash(this.#parts.database.read, hash),
    );
    const user = key && (await this.#ownerOf(key));
    if (!user) return null;
    this.#noteUse(key.id, user.id);
    return principalOfKey(key, user);
  };

  readonly principalOfId: ApiKeys['principalOfId'] = async (id) => {
    const key = await this.#cache.get(id, () => store.findApiKey(this.#parts.database.read, id));
    const user = key && (await this.#ownerOf(key));
    return user ? principalOfKey(key, user) : null;
  };

  /** The user of a valid key. */
  async #ownerOf(key: ApiKey) {
    if (key.userId === null || isExpired(key, this.#parts.clock.now())) return undefined;
    const user = await this.#parts.users.find(key.userId);
    return user?.disabled === false ? user : undefined;
  }

  readonly #noteUse = (id: string, userId: string): void =>
    this.#notes.add(id, (nowMs) =>
      this.#parts.database.write(async (trx) => {
        const at = toTimestamp(nowMs);
        await store.noteApiKeyUse(trx, id, at);
        await this.#parts.users.noteSeen(trx, userId, at);
      }),
    );

  readonly isValid: ApiKeys['isValid'] = async (credentialId) => {
    const key = await store.findApiKey(this.#parts.database.read, credentialId);
    return key !== undefined && (await this.#ownerOf(key)) !== undefined;
  };

  readonly list: ApiKeys['list'] = async (viewer, { limit = 50, cursor }) => {
    const olderThan = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const userId = isFullAdmin(viewer) ? null : viewer.userId;
    const keys = await store.listApiKeys(this.#parts.database.read, {
      userId,
      olderThan,
      limit: limit + 1,
    });
    const apiKeys = keys.slice(0, limit);
    const last = apiKeys.at(-1);
    return { apiKeys, nextCursor: keys.length > limit && last ? writeCursor([last.id]) : null };
  };

  readonly create: ApiKeys['create'] = async (newKey, viewer) => {
    const { clock, database, audit } = this.#parts;
    const parent = await this.#parentOf(viewer);
    const parsed = parseNewApiKey(newKey, viewer, clock.now());
    if (parent) assertEndsNoLater(parsed, parent);
    assertLibraries(parsed, this.#parts.hasLibrary);
    const token = `vtk_${this.#random(32).toString('hex')}`;
    const apiKey = this.#keyOf(parsed, viewer.userId);
    await database.write(async (trx) => {
      await assertStillIn(trx, viewer);
      await store.insertApiKey(trx, { ...apiKey, tokenHash: hashOfToken(token), origin: 'admin' });
      const { id, name, role, scopes, expiresAt } = apiKey;
      const details = { name, role, scopes, expiresAt };
      await audit(trx, {
        actor: viewer,
        action: 'api_key.created',
        change: 'event',
        target: targetOf(id),
        details,
      });
    });
    return { apiKey, token };
  };

  /**
   * The key of the request. A limited key must not create a less limited one. An identity app must
   * not create keys, which would stay valid after its user revokes the app.
   */
  async #parentOf({ credentialKind, credentialId }: Viewer): Promise<ApiKey | null> {
    if (credentialKind === 'identity') throw new AppError('forbidden', { what: appsMakeNoKeys });
    if (credentialKind !== 'api-key') return null;
    const parent = await store.findApiKey(this.#parts.database.read, credentialId);
    if (parent?.scopes === null) return parent;
    throw new AppError('forbidden', {
      what: 'A key that is limited by scopes cannot create keys.',
    });
  }

  readonly #keyOf = (
    fields: Pick<ApiKey, 'name' | 'role' | 'scopes' | 'expiresAt'>,
    userId: string,
  ): ApiKey => ({
    id: this.#parts.newId(),
    userId,
    ...fields,
    createdAt: toTimestamp(this.#parts.clock.now()),
    lastUsedAt: null,
  });

  readonly remove: ApiKeys['remove'] = async (id, viewer) => {
    await this.#parts.database.write(async (trx) => {
      const key = await store.findApiKey(trx, id);
      if (!key || (key.userId !== viewer.userId && !isFullAdmin(viewer))) {
        throw new AppError('not_found', { what: `API key ${id}` });
      }
      await store.removeApiKey(trx, id);
      const details = { name: key.name, userId: key.userId };
      await this.#parts.audit(trx, {
        actor: viewer,
        action: 'api_key.removed',
        change: 'event',
        target: targetOf(id),
        details,
      });
    });
    this.#cache.forget();
    this.#ended.emit([id]);
  };

  readonly installAdminToken: ApiKeys['installAdminToken'] = async (trx, token, adminId) => {
    if (!isApiToken(token)) {
      throw new AppError('invalid_admin_token', { source: 'VITRINE_ADMIN_TOKEN' });
    }
    const tokenHash = hashOfToken(token);
    await store.removeOlderEnvironmentKeys(trx, tokenHash);
    const known = await store.findApiKeyByHash(trx, tokenHash);
    if (known) return store.giveApiKey(trx, known.id, adminId);
    const fields = {
      name: 'VITRINE_ADMIN_TOKEN',
      role: 'admin',
      scopes: null,
      expiresAt: null,
    } as const;
    const key = this.#keyOf(fields, adminId);
    await store.insertApiKey(trx, { ...key, tokenHash, origin: 'environment' });
    const target = targetOf(key.id);
    await this.#parts.audit(trx, {
      actor: 'server',
      action: 'api_key.installed',
      change: 'event',
      target,
    });
  };

  readonly onRemoteEnd: ApiKeys['onRemoteEnd'] = (ids) => {
    this.#cache.forget();
    if (ids !== null) this.#ended.emit(ids);
  };
}

export const createApiKeys = (parts: ApiKeysParts): ApiKeys => new StoredApiKeys(parts);

const targetOf = (id: string) => ({ type: 'api_key', id });

const appsMakeNoKeys =
  'An identity app cannot create API keys: sign in to this server to create one.';

function assertEndsNoLater(key: Pick<ApiKey, 'expiresAt'>, parent: ApiKey): void {
  if (parent.expiresAt === null) return;
  if (key.expiresAt !== null && key.expiresAt <= parent.expiresAt) return;
  throw new AppError('invalid_request', {
    what: `expiresAt must be at most ${parent.expiresAt}, when the key of this request expires.`,
  });
}
