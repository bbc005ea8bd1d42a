/**
 * Invites. The database stores only the SHA-256 of a token, so reading it admits no one. A caller
 * with a token cannot distinguish an unknown invite from one that has expired, was used up, or
 * whose creator may no longer invite.
 */
import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { requestOrigin, type RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { assertFullAdmin, isAtLeast, type Role, type Viewer } from '../viewer/index.ts';
import { type AttemptGate, hashOfToken } from '../credentials/index.ts';
import {
  assertSeesAllIfAdmin,
  wantedAccess,
  type CheckUserAccess,
  type Device,
  type FreshSession,
  type Sessions,
  type Users,
} from '../accounts/index.ts';
import { inviteToken, isInviteToken, parseExpiry } from './invite.ts';
import * as store from './invite-store.ts';
import type { Reachability } from './reachability.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';
import type {
  FreshInvite,
  Invite,
  InvitesPage,
  NewInvite,
} from '../../contract/resources/accounts/invites.ts';

/** What the holder of a token sees of the invite. */
export interface InvitePreview {
  readonly role: Role;
  readonly serverName: string;
  readonly expiresAt: string;
}

/** The input to redeem an invite. */
export interface Redemption {
  readonly name: string;
  readonly password: string;
  readonly device: Device;
}

/** The new user with a session. */
export interface Redeemed extends FreshSession {
  readonly user: User;
}

export interface InvitesParts {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly audit: RecordAudit;
  readonly users: Pick<Users, 'prepare' | 'insert'>;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly checkUserAccess: CheckUserAccess;
  readonly gate: AttemptGate;
  readonly reachability: Reachability;
  /** The address at which clients reach the server, as far as it is known. */
  readonly serverUrl: () => string;
  readonly serverName: string;
  readonly random?: (count: number) => Buffer;
}

const freeAttempts = 20;

export class Invites {
  readonly #parts: InvitesParts;
  readonly #random: (count: number) => Buffer;

  constructor(parts: InvitesParts) {
    this.#parts = parts;
    this.#random = parts.random ?? randomBytes;
  }

  readonly #now = (): string => toTimestamp(this.#parts.clock.now());

  readonly create = async (newInvite: NewInvite, viewer: Viewer): Promise<FreshInvite> => {
    const { clock, newId, database, checkUserAccess, audit, reachability, serverUrl } = this.#parts;
    assertFullAdmin(viewer, 'Invites');
    const { role = 'user', maxUses = 1 } = newInvite;
    if (!isAtLeast(viewer.role, role)) {
      throw new AppError('forbidden', { what: `role: you may not invite to the role ${role}.` });
    }
    const nowMs = clock.now();
    const token = inviteToken(this.#random(32));
    const fields = {
      id: newId(),
      role,
      maxUses,
      expiresAt: toTimestamp(parseExpiry(newInvite.expiresAt, nowMs)),
      createdBy: viewer.userId,
      createdAt: toTimestamp(nowMs),
    };
    const invite = await database.write(async (trx) => {
      const access = await checkUserAccess(trx, wantedAccess(newInvite));
      assertSeesAllIfAdmin(role, access);
      const made = { ...fields, ...access };
      await store.insertInvite(trx, {
        ...made,
        tokenHash: hashOfToken(token),
        tokenEnd: token.slice(-4),
      });
      const details = { role, maxUses, expiresAt: fields.expiresAt };
      await audit(trx, {
        actor: viewer,
        action: 'invite.created',
        change: 'event',
        target: targetOf(made.id),
        details,
      });
      return { ...made, token, useCount: 0 };
    });
    const { reachable, reason } = await reachability.check();
    const url = `${serverUrl()}/invite#token=${token}`;
    return { invite, url, externallyReachable: reachable, reason };
  };

  readonly list = async (
    viewer: Viewer,
    {
      limit = 50,
      cursor,
    }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<InvitesPage> => {
    assertFullAdmin(viewer, 'Invites');
    const olderThan = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const found = await store.listInvites(this.#parts.database.read, {
      olderThan,
      limit: limit + 1,
    });
    const invites = found.slice(0, limit);
    const last = invites.at(-1);
    return { invites, nextCursor: found.length > limit && last ? writeCursor([last.id]) : null };
  };

  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    assertFullAdmin(viewer, 'Invites');
    await this.#parts.database.write(async (trx) => {
      const invite = await store.findInvite(trx, id);
      if (!invite) throw new AppError('not_found', { what: `Invite ${id}` });
      await store.removeInvite(trx, id);
      const { role, useCount } = invite;
      const target = targetOf(id);
      await this.#parts.audit(trx, {
        actor: viewer,
        action: 'invite.removed',
        change: 'event',
        target,
        details: { role, useCount },
      });
    });
  };

  /** Throttles guesses of tokens, and of names and passwords with a valid token. */
  async #withOpen<Result>(
    token: string,
    work: (invite: Invite) => Promise<Result>,
  ): Promise<Result> {
    const key = `invite:${requestOrigin()?.address ?? ''}`;
    const attempt = await this.#parts.gate.begin([{ key, free: freeAttempts }]);
    const invite = await this.#find(this.#parts.database.read, token);
    if (!invite) throw new AppError('invite_not_open', {});
    const result = await work(invite);
    await attempt.succeeded([]);
    return result;
  }

  /** A malformed token is looked up as well, so that it takes the same time. */
  readonly #find = (
    trx: Transaction | Database['read'],
    token: string,
  ): Promise<Invite | undefined> =>
    store.findOpenInvite(trx, isInviteToken(token) ? hashOfToken(token) : '', this.#now());

  /** Rejects with `invite_not_open`, or `too_many_attempts`. */
  readonly lookUp = (token: string): Promise<InvitePreview> =>
    this.#withOpen(token, async ({ role, expiresAt }) => ({
      role,
      serverName: this.#parts.serverName,
      expiresAt,
    }));

  /** Creates the user and a session. Of two concurrent calls for the last use one succeeds. */
  readonly redeem = (token: string, { name, password, device }: Redemption): Promise<Redeemed> =>
    this.#withOpen(token, async ({ id, role, libraryAccess, groupIds }) => {
      const preparedUser = await this.#parts.users.prepare(
        { name, password, role, libraryAccess, groupIds },
        { purpose: 'sign-in', address: device.address },
      );
      return this.#parts.database.write(async (trx) => {
        const isOpen = (await this.#find(trx, token)) !== undefined;
        if (!isOpen || !(await store.takeUse(trx, id, this.#now())))
          throw new AppError('invite_not_open', {});
        const user = await this.#parts.users.insert(trx, preparedUser, { isAccessChecked: true });
        const session = await this.#parts.sessions.open(trx, user.id, device);
        const details = { userId: user.id, name: user.name, role };
        await this.#parts.audit(trx, {
          actor: 'nobody',
          action: 'invite.redeemed',
          change: 'event',
          target: targetOf(id),
          details,
        });
        return { user, ...session };
      });
    });
}

export const createInvites = (parts: InvitesParts): Invites => new Invites(parts);

const targetOf = (id: string) => ({ type: 'invite', id });
