/**
 * Sessions that were created with a pass. The database stores only the SHA-256 of a token. A
 * session ends with its pass, after a day at most, and is not extended: its app signs in again, and
 * is checked again. A revoked session stays in the table, so that its app learns that it was
 * revoked and is not merely unknown.
 */
import { randomBytes } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import {
  createUseNotes,
  hashOfToken,
  type Credentials,
  type Principal,
} from '../credentials/index.ts';
import { fullVisibility, type Viewer } from '../viewer/index.ts';
import { findUser, type Users } from '../accounts/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { createFreshCache } from '../../platform/fresh-cache.ts';
import { createListeners } from '../../platform/listeners.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import type { Link } from './link.ts';
import type { PassClaims } from '../../../packages/lib/identity-protocol/index.ts';
import * as store from './session-store.ts';
import type { IdentitySession } from './session-store.ts';
import type {
  FreshIdentitySession,
  IdentityMe,
} from '../../contract/resources/accounts/identity-sessions.ts';

/** The user and the pass of a new session. */
export interface NewIdentitySession {
  readonly link: Link;
  readonly claims: PassClaims;
  readonly network: string;
}

export interface IdentitySessions extends Credentials {
  readonly open: (
    trx: Transaction,
    who: NewIdentitySession,
  ) => Promise<FreshIdentitySession & { readonly ended: readonly string[] }>;
  /** Rejects with `token_invalid` for another kind of credential. */
  readonly me: (viewer: Viewer) => Promise<IdentityMe>;
  /** Whether no id belongs to a session of another user. */
  readonly areOwn: (viewer: Viewer, ids: readonly string[]) => Promise<boolean>;
  /** Ends the session of the request. */
  readonly end: (viewer: Viewer) => Promise<void>;
  /**
   * To be called after a transaction that ended sessions: invalidates the cache, and calls the
   * listeners.
   */
  readonly ended: (credentialIds: readonly string[]) => void;
  /** Reports sessions that ended early. */
  readonly onEnd: (listener: (credentialIds: readonly string[]) => void) => Undo;
  /** The networks of sign-ins within the last day. */
  readonly networks: () => Promise<readonly string[]>;
  /** Waits for pending writes. */
  readonly close: () => Promise<void>;
}

export interface IdentitySessionsParts {
  readonly database: Database;
  readonly users: Pick<Users, 'find' | 'noteSeen' | 'onChange'>;
  readonly audit: RecordAudit;
  /** Rejects while the feed of the link's broker is too old. */
  readonly assertFresh: (linkId: string) => Promise<void>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly random?: (count: number) => Buffer;
}

const tokenForm = /^vti_[\w-]{43}$/;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const mostPerClient = 20;
const mostCached = 1000;
/** How long clients can learn why a session ended. */
const expiredKnownMs = 7 * dayMs;
const revokedKnownMs = 400 * dayMs;

class StoredIdentitySessions implements IdentitySessions {
  readonly #parts: IdentitySessionsParts;
  readonly #random: (count: number) => Buffer;
  readonly #cache = createFreshCache<IdentitySession>(mostCached);
  readonly #ends = createListeners<readonly string[]>();
  readonly #notes: ReturnType<typeof createUseNotes>;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  readonly onEnd: IdentitySessions['onEnd'];
  readonly close: IdentitySessions['close'];

  constructor(parts: IdentitySessionsParts) {
    this.#parts = parts;
    this.#random = parts.random ?? randomBytes;
    this.#notes = createUseNotes({ clock: parts.clock, log: parts.log });
    parts.users.onChange(() => this.#cache.forget());
    this.onEnd = this.#ends.add;
    this.close = this.#notes.close;
  }

  readonly principalOf: IdentitySessions['principalOf'] = async (token) => {
    const hash = tokenForm.test(token) ? hashOfToken(token) : '';
    const session = await this.#cache.get(hash, () =>
      store.findSessionByHash(this.#parts.database.read, hash),
    );
    if (!session) throw new AppError('token_invalid', {});
    if (session.revokedAt !== null) throw new AppError('identity_revoked', {});
    if (!this.#holds(session)) throw new AppError('token_expired', {});
    await this.#parts.assertFresh(session.linkId);
    const principal = await this.#standFor(session);
    if (!principal) throw new AppError('token_invalid', {});
    this.#noteUse(session);
    return principal;
  };

  readonly #holds = ({ expiresAt, revokedAt }: IdentitySession): boolean =>
    revokedAt === null && Date.parse(expiresAt) > this.#parts.clock.now();

  readonly principalOfId: IdentitySessions['principalOfId'] = async (id) => {
    const session = await store.findSession(this.#parts.database.read, id);
    return session && this.#holds(session) ? this.#standFor(session) : null;
  };

  async #standFor({ id, localUserId }: IdentitySession): Promise<Principal | null> {
    const user = await this.#parts.users.find(localUserId);
    if (!user || user.disabled) return null;
    return {
      credentialId: id,
      credentialKind: 'identity',
      userId: user.id,
      role: user.role,
      isReadOnly: false,
      scope: fullVisibility,
      routes: null,
    };
  }

  readonly #noteUse = ({ id, localUserId }: IdentitySession): void =>
    this.#notes.add(id, (nowMs) =>
      this.#parts.database.write(async (trx) => {
        const at = toTimestamp(nowMs);
        await store.noteSessionUse(trx, id, at);
        await this.#parts.users.noteSeen(trx, localUserId, at);
      }),
    );

  readonly open: IdentitySessions['open'] = async (trx, { link, claims, network }) => {
    const { clock, newId, users, audit } = this.#parts;
    const nowMs = clock.now();
    const sessionToken = `vti_${this.#random(32).toString('base64url')}`;
    const nowAt = toTimestamp(nowMs);
    const expiresAt = toTimestamp(Math.min(nowMs + dayMs, claims.exp * 1000));
    const id = newId();
    const { userId, userPubKey, clientId, appId, deviceName, scope, exp: certExp } = claims;
    await this.#sweep(trx, nowMs);
    const client = { linkId: link.id, clientId };
    const ended = await store.endOldest(trx, client, { nowAt, kept: mostPerClient - 1 });
    await store.insertSession(trx, {
      ...client,
      id,
      userId,
      userPubKey,
      appId,
      deviceName,
      scope,
      certExp,
      expiresAt,
      localUserId: link.localUserId,
      tokenHash: hashOfToken(sessionToken),
      address: network,
      createdAt: nowAt,
      lastSeenAt: nowAt,
      revokedAt: null,
    });
    await users.noteSeen(trx, link.localUserId, nowAt);
    const role = (await findUser(trx, link.localUserId))?.role ?? 'guest';
    const actor = { userId: link.localUserId, credentialId: id, credentialKind: 'identity', role };
    const target = { type: 'identity_session', id };
    const details = { appId, clientId, deviceName, linkId: link.id };
    await audit(trx, {
      actor,
      action: 'identity.session_opened',
      change: 'event',
      target,
      details,
    });
    return { sessionToken, expiresAt, ended };
  };

  /** Removes old sessions during a sign-in, but not during each. */
  async #sweep(trx: Transaction, nowMs: number): Promise<void> {
    if (nowMs - this.#sweptAtMs < hourMs) return;
    this.#sweptAtMs = nowMs;
    await store.removeLongOver(trx, {
      expiredAt: toTimestamp(nowMs - expiredKnownMs),
      revokedAt: toTimestamp(nowMs - revokedKnownMs),
    });
  }

  readonly me: IdentitySessions['me'] = async ({ credentialId, role }) => {
    const session = await store.findSession(this.#parts.database.read, credentialId);
    if (!session) throw new AppError('token_invalid', {});
    const { userId, userPubKey, clientId, appId, deviceName, scope, localUserId } = session;
    const { certExp, expiresAt } = session;
    const of = { userId, userPubKey, clientId, appId, deviceName, scope, localUserId };
    return { ...of, role, certExp, expiresAt };
  };

  readonly end: IdentitySessions['end'] = async (viewer) => {
    const id = viewer.credentialId;
    await this.#parts.database.write(async (trx) => {
      if (!(await store.removeSession(trx, id))) throw new AppError('token_invalid', {});
      const target = { type: 'identity_session', id };
      await this.#parts.audit(trx, {
        actor: viewer,
        action: 'identity.session_signed_out',
        change: 'event',
        target,
      });
    });
    this.ended([id]);
  };

  readonly ended = (credentialIds: readonly string[]): void => {
    this.#cache.forget();
    if (credentialIds.length > 0) this.#ends.emit(credentialIds);
  };

  readonly isValid: IdentitySessions['isValid'] = async (id) =>
    (await this.principalOfId(id)) !== null;

  readonly areOwn: IdentitySessions['areOwn'] = async ({ userId }, ids) =>
    !(await store.isAnothers(this.#parts.database.read, { ids, userId }));

  readonly networks: IdentitySessions['networks'] = () =>
    store.networksSince(this.#parts.database.read, toTimestamp(this.#parts.clock.now() - dayMs));
}

export const createIdentitySessions = (parts: IdentitySessionsParts): IdentitySessions =>
  new StoredIdentitySessions(parts);
