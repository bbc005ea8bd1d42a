/**
 * Sessions: active sign-ins. The database stores only the SHA-256 of a token. A session lasts for
 * 30 days after its last use. Ending it, or changing its user, takes effect with the next request.
 */
import { randomBytes } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/storage/index.ts';
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

export function createSessions(parts: SessionsParts): Sessions {
  const { database, users, audit, clock, newId, log, random = randomBytes } = parts;
  const cache = createFreshCache<StoredSession>(mostCached);
  const ended = createListeners<readonly string[]>();
  const notes = createUseNotes({ clock, log });
  const endsAt = (fromMs: number): string => toTimestamp(fromMs + lifetimeMs);
  users.onChange(() => cache.forget());

  /** A cached expiry may be too early, because extensions are not cached: see `stillHolds`. */
  const holds = ({ expiresAt }: StoredSession): boolean => Date.parse(expiresAt) > clock.now();

  const principalOf: Sessions['principalOf'] = async (token) => {
    if (!tokenForm.test(token)) return null;
    const hash = hashOfToken(token);
    const session = await cache.get(hash, () => store.findSessionByHash(database.read, hash));
    const principal = session ? await standFor(session) : null;
    if (session && principal) noteUse(session);
    return principal;
  };

  const principalOfId: Sessions['principalOfId'] = async (id) => {
    const session = await cache.get(id, () => store.findSession(database.read, id));
    return session ? standFor(session) : null;
  };

  async function standFor(session: StoredSession): Promise<Principal | null> {
    const user = await users.find(session.userId);
    if (!user || user.disabled || !(holds(session) || (await stillHolds(session.id)))) return null;
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
  async function stillHolds(id: string): Promise<boolean> {
    cache.forget();
    const session = await store.findSession(database.read, id);
    return session !== undefined && holds(session);
  }

  function noteUse({ id, userId }: StoredSession): void {
    const address = requestOrigin()?.address ?? null;
    notes.add(id, (nowMs) =>
      database.write(async (trx) => {
        const at = toTimestamp(nowMs);
        await store.noteSessionUse(trx, { id, address, at, expiresAt: endsAt(nowMs) });
        await users.noteSeen(trx, userId, at);
      }),
    );
  }

  const isValid: Sessions['isValid'] = async (credentialId) => {
    const session = await store.findSession(database.read, credentialId);
    const user = session && holds(session) ? await users.find(session.userId) : undefined;
    return user !== undefined && !user.disabled;
  };

  const open: Sessions['open'] = async (trx, userId, device) => {
    const sessionToken = sessionTokenOf(random(32));
    const tokenHash = hashOfToken(sessionToken);
    return { ...(await openFor(trx, userId, { ...device, tokenHash })), sessionToken };
  };

  const openFor: Sessions['openFor'] = async (trx, userId, device) => {
    const { name, userAgent, address, tokenHash } = device;
    const nowMs = clock.now();
    const [nowAt, expiresAt] = [toTimestamp(nowMs), endsAt(nowMs)];
    const sessionId = newId();
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

  const listOf: Sessions['listOf'] = async (userId, { credentialId }) => {
    const found = await store.sessionsOf(database.read, userId, toTimestamp(clock.now()));
    return found.map(({ userId: _, ...session }) => ({
      ...session,
      isCurrent: session.id === credentialId,
    }));
  };

  const list: Sessions['list'] = (viewer) => listOf(viewer.userId, viewer);

  const startedAt: Sessions['startedAt'] = async ({ credentialId, credentialKind }) => {
    if (credentialKind !== 'session') return null;
    return (await store.findSession(database.read, credentialId))?.createdAt ?? null;
  };

  const removeOf: Sessions['removeOf'] = async ({ userId, id }, viewer) => {
    await database.write(async (trx) => {
      const wasThere = await store.removeSession(trx, { id, userId });
      if (!wasThere) throw new AppError('not_found', { what: `Session ${id}` });
      const target = { type: 'session', id };
      const action = id === viewer.credentialId ? 'session.signed_out' : 'session.revoked';
      await audit(trx, { actor: viewer, action, change: 'event', target, details: { userId } });
    });
    cache.forget();
    ended.emit([id]);
  };

  const remove: Sessions['remove'] = (id, viewer) =>
    removeOf({ userId: viewer.userId, id }, viewer);

  const removeOthers: Sessions['removeOthers'] = async (viewer) => {
    const others = (await list(viewer)).filter(({ isCurrent }) => !isCurrent);
    await database.write(async (trx) => {
      const count = await store.removeSessionsOf(trx, viewer.userId, viewer.credentialId);
      const target = { type: 'user', id: viewer.userId };
      const change = { before: count, after: 0 };
      const entry = { actor: viewer, action: 'session.others_revoked', target, change };
      await audit(trx, { ...entry, details: { count } });
    });
    cache.forget();
    ended.emit(others.map(({ id }) => id));
  };

  return {
    principalOf,
    principalOfId,
    isValid,
    open,
    openFor,
    list,
    listOf,
    removeOf,
    startedAt,
    areOwn: async ({ userId }, ids) => !(await store.isAnothers(database.read, { ids, userId })),
    remove,
    removeOthers,
    forget: cache.forget,
    onRemoteEnd: (ids) => {
      cache.forget();
      if (ids !== null) ended.emit(ids);
    },
    onEnd: ended.add,
    close: notes.close,
  };
}
