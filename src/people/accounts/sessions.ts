/**
 * Sessions: active sign-ins. The database stores only the SHA-256 of a token. A session lasts for
 * 30 days after its last use. Ending it, or changing its user, takes effect with the next request.
 */
import { randomBytes } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { requestOrigin, type RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import {
  type Credentials,
  hashOfToken,
  createUseNotes,
  type Principal,
} from '../credentials/index.ts';
import { createFreshCache } from '../../platform/fresh-cache.ts';
import { createListeners } from '../../platform/listeners.ts';
import * as store from './session-store.ts';
import type { Session, StoredSession } from './session-store.ts';
import { fullVisibility, type Viewer } from '../viewer/index.ts';
import type { Users } from './users.ts';

/** The device and address of a sign-in. */
export interface Device {
  readonly name: string | null;
  readonly userAgent: string | null;
  readonly address: string | null;
}

/** A new session, with the token that is never available again. */
export interface FreshSession {
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly expiresAt: string;
}

export interface ListedSession extends Session {
  /** It is the session of the request. */
  readonly isCurrent: boolean;
}

export interface Sessions extends Credentials {
  readonly open: (trx: Transaction, userId: string, device: Device) => Promise<FreshSession>;
  /** Opens one for a token that only the device can make; `tokenHash` is that of the token. */
  readonly openFor: (
    trx: Transaction,
    userId: string,
    device: Device & { readonly tokenHash: string },
  ) => Promise<Omit<FreshSession, 'sessionToken'>>;
  /** The viewer's own sessions, last used first. */
  readonly list: (viewer: Viewer) => Promise<readonly ListedSession[]>;
  /** When the viewer's session began; `null` for another credential. */
  readonly startedAt: (viewer: Viewer) => Promise<string | null>;
  /** Whether no id belongs to a session of another user. */
  readonly areOwn: (viewer: Viewer, ids: readonly string[]) => Promise<boolean>;
  /** The sessions of a user, for admins, last used first. */
  readonly listOf: (userId: string, viewer: Viewer) => Promise<readonly ListedSession[]>;
  /** Ends a session of a user, for admins. */
  readonly removeOf: (
    session: { readonly userId: string; readonly id: string },
    viewer: Viewer,
  ) => Promise<void>;
  /** Ends one of the viewer's own sessions. */
  readonly remove: (id: string, viewer: Viewer) => Promise<void>;
  /** Ends all of the viewer's own sessions except that of the request. */
  readonly removeOthers: (viewer: Viewer) => Promise<void>;
  /** Invalidates the cache after a session was removed elsewhere. */
  readonly forget: () => void;
  /** Another server ended these sessions; `null` = any of them. */
  readonly onRemoteEnd: (ids: readonly string[] | null) => void;
  /** Reports ended sessions, before the call that ended them resolves. */
  readonly onEnd: (listener: (credentialIds: readonly string[]) => void) => Undo;
  /** Waits for pending writes. */
  readonly close: () => Promise<void>;
}

export interface SessionsParts {
  readonly database: Database;
  readonly users: Pick<Users, 'find' | 'noteSeen' | 'onChange'>;
  readonly audit: RecordAudit;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly random?: (count: number) => Buffer;
}

const tokenForm = /^vts_[\w-]{43}$/;
/** The token of a session, of 32 bytes that nobody can guess. */
export const sessionTokenOf = (bytes: Buffer): string => `vts_${bytes.toString('base64url')}`;

const lifetimeMs = 30 * 24 * 60 * 60_000;
const mostPerUser = 100;
/** Long, so that a clock that is a year ahead for an hour does not delete all sessions. */
const keptAfterEndMs = 400 * 24 * 60 * 60_000;
const mostCached = 1000;

class StoredSessions implements Sessions {
  readonly #parts: SessionsParts;
  readonly #random: (count: number) => Buffer;
  readonly #cache = createFreshCache<StoredSession>(mostCached);
  readonly #ended = createListeners<readonly string[]>();
  readonly #notes: ReturnType<typeof createUseNotes>;
  readonly forget: Sessions['forget'];
  readonly onEnd: Sessions['onEnd'];
  readonly close: Sessions['close'];

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#random = parts.random ?? randomBytes;
    this.#notes = createUseNotes({ clock: parts.clock, log: parts.log });
    parts.users.onChange(() => this.#cache.forget());
    this.forget = this.#cache.forget;
    this.onEnd = this.#ended.add;
    this.close = this.#notes.close;
  }

  readonly #endsAt = (fromMs: number): string => toTimestamp(fromMs + lifetimeMs);

  /** A cached expiry may be too early, because extensions are not cached: see `stillHolds`. */
  readonly #holds = ({ expiresAt }: StoredSession): boolean =>
    Date.parse(expiresAt) > this.#parts.clock.now();

  readonly principalOf: Sessions['principalOf'] = async (token) => {
    if (!tokenForm.test(token)) return null;
    const hash = hashOfToken(token);
    const session = await this.#cache.get(hash, () =>
      store.findSessionByHash(this.#parts.database.read, hash),
    );
    const principal = session ? await this.#standFor(session) : null;
    if (session && principal) this.#noteUse(session);
    return principal;
  };

  readonly principalOfId: Sessions['principalOfId'] = async (id) => {
    const session = await this.#cache.get(id, () =>
      store.findSession(this.#parts.database.read, id),
    );
    return session ? this.#standFor(session) : null;
  };

  async #standFor(session: StoredSession): Promise<Principal | null> {
    const user = await this.#parts.users.find(session.userId);
    if (!user || user.disabled || !(this.#holds(session) || (await this.#stillHolds(session.id))))
      return null;
    return {
      credentialId: session.id,
      credentialKind: 'session',
      userId: user.id,
      role: user.role,
      isReadOnly: false,
      scope: fullVisibility,
      routes: null,
    };
  }

  /** Reads the expiry again, past the cache. */
  async #stillHolds(id: string): Promise<boolean> {
    this.#cache.forget();
    const session = await store.findSession(this.#parts.database.read, id);
    return session !== undefined && this.#holds(session);
  }

  #noteUse({ id, userId }: StoredSession): void {
    const address = requestOrigin()?.address ?? null;
    this.#notes.add(id, (nowMs) =>
      this.#parts.database.write(async (trx) => {
        const at = toTimestamp(nowMs);
        await store.noteSessionUse(trx, { id, address, at, expiresAt: this.#endsAt(nowMs) });
        await this.#parts.users.noteSeen(trx, userId, at);
      }),
    );
  }

  readonly isValid: Sessions['isValid'] = async (credentialId) => {
    const session = await store.findSession(this.#parts.database.read, credentialId);
    const user =
      session && this.#holds(session) ? await this.#parts.users.find(session.userId) : undefined;
    return user !== undefined && !user.disabled;
  };

  readonly open: Sessions['open'] = async (trx, userId, device) => {
    const sessionToken = sessionTokenOf(this.#random(32));
    const tokenHash = hashOfToken(sessionToken);
    return { ...(await this.openFor(trx, userId, { ...device, tokenHash })), sessionToken };
  };

  readonly openFor: Sessions['openFor'] = async (trx, userId, device) => {
    const { name, userAgent, address, tokenHash } = device;
    const nowMs = this.#parts.clock.now();
    const [nowAt, expiresAt] = [toTimestamp(nowMs), this.#endsAt(nowMs)];
    const sessionId = this.#parts.newId();
    await store.insertSession(trx, {
      id: sessionId,
      userId,
      tokenHash,
      deviceName: name,
      userAgent: userAgent?.slice(0, 300) ?? null,
      address,
      createdAt: nowAt,
      lastSeenAt: nowAt,
      expiresAt,
    });
    await store.removeStaleSessions(trx, {
      userId,
      overBefore: toTimestamp(nowMs - keptAfterEndMs),
      kept: mostPerUser,
    });
    return { sessionId, expiresAt };
  };

  readonly listOf: Sessions['listOf'] = async (userId, { credentialId }) => {
    const found = await store.sessionsOf(
      this.#parts.database.read,
      userId,
      toTimestamp(this.#parts.clock.now()),
    );
    return found.map(({ userId: _, ...session }) => ({
      ...session,
      isCurrent: session.id === credentialId,
    }));
  };

  readonly list: Sessions['list'] = (viewer) => this.listOf(viewer.userId, viewer);

  readonly startedAt: Sessions['startedAt'] = async ({ credentialId, credentialKind }) => {
    if (credentialKind !== 'session') return null;
    return (await store.findSession(this.#parts.database.read, credentialId))?.createdAt ?? null;
  };

  readonly removeOf: Sessions['removeOf'] = async ({ userId, id }, viewer) => {
    await this.#parts.database.write(async (trx) => {
      const wasThere = await store.removeSession(trx, { id, userId });
      if (!wasThere) throw new AppError('not_found', { what: `Session ${id}` });
      const target = { type: 'session', id };
      const action = id === viewer.credentialId ? 'session.signed_out' : 'session.revoked';
      await this.#parts.audit(trx, {
        actor: viewer,
        action,
        change: 'event',
        target,
        details: { userId },
      });
    });
    this.#cache.forget();
    this.#ended.emit([id]);
  };

  readonly remove: Sessions['remove'] = (id, viewer) =>
    this.removeOf({ userId: viewer.userId, id }, viewer);

  readonly removeOthers: Sessions['removeOthers'] = async (viewer) => {
    const others = (await this.list(viewer)).filter(({ isCurrent }) => !isCurrent);
    await this.#parts.database.write(async (trx) => {
      const count = await store.removeSessionsOf(trx, viewer.userId, viewer.credentialId);
      const target = { type: 'user', id: viewer.userId };
      const change = { before: count, after: 0 };
      const entry = { actor: viewer, action: 'session.others_revoked', target, change };
      await this.#parts.audit(trx, { ...entry, details: { count } });
    });
    this.#cache.forget();
    this.#ended.emit(others.map(({ id }) => id));
  };

  readonly areOwn: Sessions['areOwn'] = async ({ userId }, ids) =>
    !(await store.isAnothers(this.#parts.database.read, { ids, userId }));

  readonly onRemoteEnd: Sessions['onRemoteEnd'] = (ids) => {
    this.#cache.forget();
    if (ids !== null) this.#ended.emit(ids);
  };
}

export const createSessions = (parts: SessionsParts): Sessions => new StoredSessions(parts);
