/**
 * The first start. The holder of the one-time token creates the first admin. The token is printed
 * to the operator only, lives in memory, and is not valid once there is a user.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Device, Sessions } from './sessions.ts';
import type { SignedIn } from './sign-in.ts';
import { hashOfToken } from '../credentials/index.ts';
import { countUsers, firstAdminId } from './user-store.ts';
import type { Users } from './users.ts';

/** The creation of the first admin. */
export type Setup = ReturnType<typeof createSetup>;

export interface SetupParts {
  readonly database: Database;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly audit: RecordAudit;
  readonly random?: (count: number) => Buffer;
}

/** Creates it; setup is refused before `open`. */
export function createSetup(parts: SetupParts) {
  const { database, users, sessions, apiKeys, audit, random = randomBytes } = parts;
  let tokenHash: string | null = null;

  /**
   * With a token from the environment: ensures an admin who owns that key. Without: returns the
   * one-time token if there is no user yet, else `null`.
   */
  const open = async (adminToken: string | null): Promise<string | null> => {
    await database.write(async (trx) => {
      if (adminToken !== null && (await countUsers(trx)) === 0) {
        const preparedUser = await users.prepare(
          { name: 'admin', password: null, role: 'admin' },
          { purpose: 'sign-in', address: null },
        );
        const { id } = await users.insert(trx, preparedUser);
        const entry = { actor: 'server', action: 'user.created' } as const;
        const target = { type: 'user', id };
        await audit(trx, {
          ...entry,
          change: 'event',
          target,
          details: { name: 'admin', role: 'admin' },
        });
      }
      const adminId = await firstAdminId(trx);
      if (adminId === undefined) return;
      await apiKeys.adoptOwnerless(trx, adminId);
      if (adminToken !== null) await apiKeys.installAdminToken(trx, adminToken, adminId);
    });
    apiKeys.forget();
    if (!(await isNeeded())) return null;
    const token = random(32).toString('base64url');
    tokenHash = hashOfToken(token);
    return token;
  };

  const isNeeded = async (): Promise<boolean> => (await countUsers(database.read)) === 0;

  /** Creates the first admin and signs them in. */
  const complete = async (
    {
      token,
      name,
      password,
    }: { readonly token: string; readonly name: string; readonly password: string },
    device: Device,
  ): Promise<SignedIn> => {
    await assertNeeded();
    if (tokenHash === null || !isEqual(hashOfToken(token), tokenHash)) {
      throw new AppError('wrong_setup_token', {});
    }
    const preparedUser = await users.prepare(
      { name, password, role: 'admin' },
      { purpose: 'sign-in', address: device.address },
    );
    const done = await database.write(async (trx) => {
      if ((await countUsers(trx)) > 0) throw alreadySetUp();
      const user = await users.insert(trx, preparedUser);
      await apiKeys.adoptOwnerless(trx, user.id);
      const fresh = await sessions.open(trx, user.id, device);
      const actor = {
        userId: user.id,
        credentialId: fresh.sessionId,
        credentialKind: 'session',
        role: user.role,
      };
      const target = { type: 'user', id: user.id };
      const details = { name: user.name, role: user.role };
      await audit(trx, { actor, action: 'user.created', change: 'event', target, details });
      return { ...fresh, user };
    });
    tokenHash = null;
    apiKeys.forget();
    return done;
  };

  async function assertNeeded(): Promise<void> {
    if (!(await isNeeded())) throw alreadySetUp();
  }

  return { open, isNeeded, complete };
}

const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other));

const alreadySetUp = (): AppError =>
  new AppError('conflict', { what: 'This server is set up already: sign in.' });
