import { randomInt } from 'node:crypto';
import type { Database } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { hashFor } from './new-user.ts';
import { insertOutsideChange } from './outside-change-store.ts';
import { removePasskeysOf } from './passkeys/passkey-store.ts';
import type { Passwords } from '../credentials/index.ts';
import { removeSessionsOf } from './session-store.ts';
import { findUserByName, shownUser, updateUser } from './user-store.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';

/** A reset, by the operator of the machine, for a user who can no longer sign in. */
export interface Reset {
  readonly name: string;
  readonly password: string;
  /** Removes the passkeys, because the devices are lost as well. */
  readonly removesPasskeys: boolean;
}

export interface ResetParts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly audit: RecordAudit;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Gives a user a new password, which alone is enough to sign in, and ends their sessions. A running
 * server on the same database applies it within a second.
 */
export async function resetUser(reset: Reset, parts: ResetParts): Promise<User> {
  const { database, passwords, audit, clock } = parts;
  const { id, name } = await named(database.read, reset.name);
  const passwordHash = await hashFor(name, reset.password, {
    passwords,
    of: { purpose: 'password', userId: id },
  });
  return database.write(async (trx) => {
    const at = toTimestamp(clock.now());
    await updateUser(trx, id, { passwordHash, requiresPasskey: false }, at);
    await removeSessionsOf(trx, id);
    if (reset.removesPasskeys) await removePasskeysOf(trx, id);
    await insertOutsideChange(trx, id);
    const target = { type: 'user', id };
    const details = { name, removesPasskeys: reset.removesPasskeys, by: 'vitrine users reset' };
    await audit(trx, {
      actor: 'server',
      action: 'user.password_reset',
      change: 'event',
      target,
      details,
    });
    return shownUser(await named(trx, name));
  });
}

async function named(trx: Parameters<typeof findUserByName>[0], name: string) {
  const user = await findUserByName(trx, name);
  if (user) return user;
  throw new AppError('not_found', { what: `A user named ${JSON.stringify(name)}` });
}

/** Without characters that look alike: no 0 and o, no 1, i and l. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password that is easy to dictate, of some 99 bits. */
export const newPassword = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-');
