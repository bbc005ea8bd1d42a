import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { hashFor } from './new-user.ts';
import { countPasskeysOf } from './passkeys/passkey-store.ts';
import type { PasskeyProof, ProvenPasskey } from './passkeys/passkey-proof.ts';
import type { PasswordCheck } from './password-check.ts';
import type { Passwords } from '../credentials/index.ts';
import type { Device, FreshSession, Sessions } from './sessions.ts';
import { endApiKeysOf } from './api-key-store.ts';
import { removeSessionsOf } from './session-store.ts';
import { findUser, shownUser, updateUser, type StoredUser } from './user-store.ts';
import type { Users } from './users.ts';
import type { Viewer } from '../viewer/index.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';

/** A user with a new session. */
export interface SignedIn extends FreshSession {
  readonly user: User;
}

/** The credentials of a sign-in. */
export interface LoginAttempt {
  readonly name: string;
  readonly password: string;
  /** The reply of the browser, for users who need a passkey besides the password. */
  readonly passkey?: unknown;
}

export interface SignInParts {
  readonly database: Database;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly check: PasswordCheck;
  readonly prove: PasskeyProof;
  readonly audit: RecordAudit;
  readonly clock: Clock;
}

/** The ways to sign in, and to change them. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  readonly #now = (): string => toTimestamp(this.#parts.clock.now());

  readonly withPassword = async (
    { name, password, passkey }: LoginAttempt,
    device: Device,
  ): Promise<SignedIn> => {
    const { check, prove, passwords } = this.#parts;
    const address = device.address;
    const user = await check.signIn({ name, password, address });
    assertEnabled(user);
    if (user.requiresPasskey && passkey === undefined) throw new AppError('passkey_required', {});
    const proven = user.requiresPasskey
      ? await prove(passkey, { userId: user.id, isSecondFactor: true })
      : null;
    const better =
      user.passwordHash !== null && passwords.isOutdated(user.passwordHash)
        ? await passwords.hash(password, { purpose: 'sign-in', userId: user.id })
        : null;
    return this.#entered(async (trx) => {
      const current = await this.#stillAsItWas(trx, user);
      if (better !== null) await updateUser(trx, user.id, { passwordHash: better }, this.#now());
      return this.#enter(trx, current, { proven, device });
    });
  };

  /** A passkey alone is enough when its authenticator has verified its user. */
  readonly withPasskey = async (passkey: unknown, device: Device): Promise<SignedIn> => {
    const proven = await this.#parts.prove(passkey, { userId: null, isSecondFactor: false });
    return this.#entered(async (trx) => {
      const user = await findUser(trx, proven.userId);
      if (!user) throw new AppError('passkey_refused', { why: 'It is no longer registered.' });
      assertEnabled(user);
      return this.#enter(trx, user, { proven, device });
    });
  };

  /** A new session may have ended the oldest one, so the cache is invalidated. */
  async #entered(work: (trx: Transaction) => Promise<SignedIn>): Promise<SignedIn> {
    const signedIn = await this.#parts.database.write(work);
    this.#parts.sessions.forget();
    return signedIn;
  }

  async #enter(
    trx: Transaction,
    user: StoredUser,
    how: { readonly proven: ProvenPasskey | null; readonly device: Device },
  ): Promise<SignedIn> {
    const { sessions, users, audit } = this.#parts;
    await how.proven?.note(trx);
    const fresh = await sessions.open(trx, user.id, how.device);
    await users.noteSeen(trx, user.id, this.#now());
    const actor = {
      userId: user.id,
      credentialId: fresh.sessionId,
      credentialKind: 'session',
      role: user.role,
    };
    const target = { type: 'session', id: fresh.sessionId };
    const details = { deviceName: how.device.name, withPasskey: how.proven !== null };
    await audit(trx, { actor, action: 'session.opened', change: 'event', target, details });
    return { ...fresh, user: { ...shownUser(user), lastSeenAt: this.#now() } };
  }

  /** Refuses when the user was changed after the password check. */
  async #stillAsItWas(
    trx: Transaction,
    before: StoredUser,
    code: 'sign_in_failed' | 'wrong_password' = 'sign_in_failed',
  ): Promise<StoredUser> {
    const user = await findUser(trx, before.id);
    if (user?.passwordHash !== before.passwordHash) throw new AppError(code, {});
    if (user.requiresPasskey && !before.requiresPasskey) throw new AppError(code, {});
    assertEnabled(user);
    return user;
  }

  /** Changes one's own password, with the old one; ends one's other sessions. */
  readonly changePassword = async (
    change: {
      readonly currentPassword: string | null;
      readonly newPassword: string;
      /** Also ends one's API keys, except that of the request. */
      readonly endApiKeys?: boolean;
    },
    viewer: Viewer,
  ): Promise<void> => {
    const { check, passwords, database, audit, users } = this.#parts;
    const confirmed = await check.confirm(viewer, change.currentPassword);
    const passwordHash = await hashFor(confirmed.name, change.newPassword, {
      passwords,
      of: { purpose: 'password', userId: viewer.userId },
    });
    await database.write(async (trx) => {
      await this.#stillAsItWas(trx, confirmed, 'wrong_password');
      await updateUser(trx, viewer.userId, { passwordHash }, this.#now());
      const sessionsEnded = await removeSessionsOf(trx, viewer.userId, viewer.credentialId);
      const target = { type: 'user', id: viewer.userId };
      const apiKeysEnded =
        change.endApiKeys === true
          ? await endApiKeysOf(trx, viewer.userId, viewer.credentialId)
          : 0;
      const details = { sessionsEnded, ...(apiKeysEnded > 0 && { apiKeysEnded }) };
      await audit(trx, {
        actor: viewer,
        action: 'user.password_changed',
        change: 'event',
        target,
        details,
      });
    });
    users.changed(viewer.userId);
  };

  /** Sets whether a passkey is required besides the password. */
  readonly requirePasskey = async (
    choice: { readonly requiresPasskey: boolean; readonly password: string | null },
    viewer: Viewer,
  ): Promise<User> => {
    const { check, database, audit, users } = this.#parts;
    const { requiresPasskey } = choice;
    const confirmed = await check.confirm(viewer, choice.password);
    const { id } = confirmed;
    const user = await database.write(async (trx) => {
      const before = (await this.#stillAsItWas(trx, confirmed, 'wrong_password')).requiresPasskey;
      if (requiresPasskey) await assertTwoFactors(trx, id);
      await updateUser(trx, id, { requiresPasskey }, this.#now());
      const change = { before, after: requiresPasskey };
      const target = { type: 'user', id };
      const details = { requiresPasskey };
      await audit(trx, { actor: viewer, action: 'user.updated', target, details, change });
      return findUser(trx, id);
    });
    users.changed(id);
    if (!user) throw new AppError('sign_in_again', {});
    return shownUser(user);
  };
}

/** Creates the ways to sign in. */
export const createSignIn = (parts: SignInParts): SignIn => new SignIn(parts);

function assertEnabled({ disabled }: User): void {
  if (disabled) throw new AppError('account_disabled', {});
}

async function assertTwoFactors(trx: Transaction, userId: string): Promise<void> {
  const user = await findUser(trx, userId);
  if (user?.hasPassword === true && (await countPasskeysOf(trx, userId)) > 0) return;
  throw new AppError('conflict', {
    what: 'requiresPasskey needs a password and a passkey: add what is missing first.',
  });
}
