import { onTestFinished } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import type { Database, StorageOptions } from '../../../kernel/store/index.ts';
import {
  accountMigrations,
  createAccounts,
  type Accounts,
} from '../../../src/people/accounts/index.ts';
import { createPasswords } from '../../../src/people/credentials/index.ts';
import {
  fullVisibility,
  serverViewer,
  type ProfileResolver,
  type Role,
  type Viewer,
} from '../../../src/people/viewer/index.ts';
import type { AccountsParts } from '../../../src/people/accounts/accounts.ts';
import { auditMigrations, createAudit, type Audit } from '../../../src/platform/audit/index.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { openTestStorage } from '../storage/storage.ts';
import type { User } from '../../../src/contract/resources/accounts/accounts.ts';

/** Accounts over a database of their own, at a time that stands still. */
export interface TestAccounts {
  readonly accounts: Accounts;
  readonly database: Database;
  readonly audit: Audit;
  readonly clock: FakeClock;
  /** How many hashes of passwords were computed. */
  readonly hashes: () => number;
  /** Accounts over the same database, as after a restart. */
  readonly restarted: (changed?: Partial<AccountsParts>) => Accounts;
}

/** Long enough to be one. */
export const password = 'correct horse battery';

/** Everybody acts as a profile that sees everything. */
export const seesAll: ProfileResolver = {
  resolveProfile: async ({ userId }) => ({
    profileId: `profile-of-${userId}`,
    visibility: fullVisibility,
    isLocked: false,
  }),
};

/** Opens them; hashes are as cheap as can be, since a test makes many. */
export async function openTestAccounts(
  parts: Partial<AccountsParts> = {},
  options: Partial<StorageOptions> = {},
): Promise<TestAccounts> {
  const migrations = [auditMigrations, accountMigrations];
  const { database } = await openTestStorage({ migrations, ...options });
  const clock = createFakeClock();
  const audit = createAudit({ database, clock, log: silentLog });
  onTestFinished(() => audit.close());
  let hashes = 0;

  function create(changed: Partial<AccountsParts> = {}): Accounts {
    const accounts = createAccounts({
      database,
      audit,
      activeProfiles: seesAll,
      checkUserAccess: async (_trx, access) => access,
      hasLibrary: (id) => ['films', 'series'].includes(id),
      assertRoom: async () => undefined,
      followers: [],
      publicUrl: () => 'http://127.0.0.1:8360',
      clock,
      newId: createUuidV7({ now: clock.now }),
      log: silentLog,
      passwords: createPasswords({
        cost: { memoryKib: 8, passes: 1 },
        onHash: () => (hashes += 1),
      }),
      ...parts,
      ...changed,
    });
    onTestFinished(() => accounts.close());
    return accounts;
  }

  return {
    accounts: create(),
    database,
    audit,
    clock,
    hashes: () => hashes,
    restarted: create,
  };
}

/** A user of that name with the usual password. */
export const makeUser = (
  { users }: Pick<Accounts, 'users'>,
  name: string,
  role: Role = 'user',
): Promise<User> => users.create({ name, password, role }, serverViewer);

/** A signed-in user: the token, and the viewer that it makes. */
export async function signIn(
  accounts: Pick<Accounts, 'signIn' | 'authenticate'>,
  name: string,
  known = password,
): Promise<{ readonly token: string; readonly viewer: Viewer }> {
  const device = { name: null, userAgent: 'test', address: '10.0.0.1' };
  const attempt = { name, password: known };
  const { sessionToken } = await accounts.signIn.withPassword(attempt, device);
  const caller = await accounts.authenticate({ authorization: `Bearer ${sessionToken}` });
  if (!caller) throw new Error(`${name} is not signed in.`);
  return { token: sessionToken, viewer: caller.viewer };
}
