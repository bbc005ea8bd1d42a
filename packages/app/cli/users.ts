/**
 * `vitrine users …`: account tasks for the operator of the machine, with or without a running
 * server.
 */
import { text } from 'node:stream/consumers';
import { KernelError, silentLog } from '../../../kernel/index.ts';
import { openReadOnly, openStorage } from '../../../kernel/store/index.ts';
import {
  accountMigrations,
  newPassword,
  resetUser,
  usersIn,
} from '../../../src/people/accounts/index.ts';
import { createPasswords } from '../../../src/people/credentials/index.ts';
import { auditMigrations, createAudit } from '../../../src/platform/audit/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Config } from '../../../src/platform/config.ts';
import { AppError } from '../../../src/platform/errors.ts';
import type { User } from '../../../src/contract/resources/accounts/accounts.ts';

/** The database, and the outputs. */
export interface UsersTaskParts {
  readonly config: Pick<Config, 'database' | 'storageDriver'>;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The input of `vitrine users reset`. */
export interface UsersResetParts extends UsersTaskParts {
  readonly name: string;
  /** The source of the new password; `null` = one is created and printed. */
  readonly stdin: NodeJS.ReadableStream | null;
  readonly removesPasskeys: boolean;
}

/** Exit codes: 0 done, 1 refused, 2 the database cannot be read. */
export const runUsersList = (parts: UsersTaskParts): Promise<number> =>
  runTask(parts, async () => {
    const users = await withReader(parts, usersIn);
    if (users.length === 0) parts.write('There is no user yet: open the setup link.\n');
    for (const user of users) parts.write(`${lineOf(user)}\n`);
  });

/** Gives a user a new password, which alone is enough to sign in, and ends the user's sessions. */
export const runUsersReset = (parts: UsersResetParts): Promise<number> =>
  runTask(parts, async () => {
    // Checked first, because opening for writing would create a missing file.
    await withReader(parts, usersIn);
    const { name, stdin, removesPasskeys } = parts;
    const password = stdin === null ? newPassword() : firstLine(await text(stdin));
    const user = await withWriter(parts, (opened) =>
      resetUser({ name, password, removesPasskeys }, opened),
    );
    if (stdin === null) parts.write(`The new password of ${user.name}: ${password}\n`);
    else parts.write(`The new password of ${user.name} is set.\n`);
    if (user.disabled) parts.write('The account is switched off; an admin can switch it on.\n');
  });

const openOptions = ({ config: { database: url, storageDriver: driver } }: UsersTaskParts) => ({
  url,
  log: silentLog,
  driver,
});

async function withReader<Result>(
  parts: UsersTaskParts,
  work: (read: Awaited<ReturnType<typeof openReadOnly>>['read']) => Promise<Result>,
): Promise<Result> {
  const storage = await openReadOnly(openOptions(parts));
  try {
    return await work(storage.read);
  } finally {
    await storage.close();
  }
}

async function withWriter<Result>(
  parts: UsersTaskParts,
  work: (opened: Parameters<typeof resetUser>[1]) => Promise<Result>,
): Promise<Result> {
  const migrations = [accountMigrations, auditMigrations];
  const storage = await openStorage({ ...openOptions(parts), migrations, isMigrating: false });
  const { database } = storage;
  const audit = createAudit({ database, clock: systemClock, log: silentLog });
  try {
    const passwords = createPasswords();
    return await work({ database, passwords, audit: audit.inTransaction, clock: systemClock });
  } finally {
    await audit.close();
    await storage.close();
  }
}

async function runTask({ complain }: UsersTaskParts, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof AppError) {
      complain(`vitrine: ${error.message}\n`);
      return 1;
    }
    complain(`vitrine: ${reasonOf(error)}\n`);
    return 2;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof KernelError) return error.message;
  if (/no such table/.test(String(error))) return 'An older version wrote the database.';
  throw error;
}

const firstLine = (given: string): string => given.split(/\r?\n/, 1)[0] ?? '';

function lineOf({ name, role, disabled, hasPassword, requiresPasskey, lastSeenAt }: User): string {
  const remarks = [
    disabled ? 'switched off' : '',
    hasPassword ? '' : 'no password',
    requiresPasskey ? 'password and passkey' : '',
    lastSeenAt === null ? 'never seen' : `last seen ${lastSeenAt}`,
  ];
  return [name, role, remarks.filter(Boolean).join(', ')].join('\t');
}
