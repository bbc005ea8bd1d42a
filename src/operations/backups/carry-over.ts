/**
 * The data of the replaced database that a restore keeps: the audit log, and all revocations. It is
 * written into the unpacked backup before anything is moved. So a failure here has changed nothing,
 * and the restored server starts with it complete.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../../kernel/index.ts';
import {
  openReadOnly,
  openStorage,
  type CarryOver,
  type MigrationSet,
  type Queries,
  type ReadOnlyStorage,
  type Transaction,
} from '../../../kernel/store/index.ts';
import {
  carryLog,
  findFork,
  pastOf,
  type AuditActor,
  type AuditHead,
  type Fork,
} from '../../platform/audit/index.ts';
import { toTimestamp } from '../../platform/clock.ts';
import { notifyIn } from '../../platform/notifications/index.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { restoredNotice, type Carried } from './restored-notice.ts';
import type { StagedRestore } from './restore.ts';

/** A requested restore that is ready to be applied. */
export interface WantedRestore {
  readonly staged: StagedRestore;
  /** The file name of the backup. */
  readonly filename: string;
  readonly actor: AuditActor;
  /** The id of a user, or a command. */
  readonly by: string;
  readonly address: string | null;
}

export interface CarryOverParts {
  /** The file of the database that is replaced. It must no longer be written. */
  readonly databaseFile: string;
  readonly migrations: readonly MigrationSet[];
  readonly carryOvers: readonly CarryOver[];
  readonly now: () => number;
  readonly newId: NewId;
  readonly log: Log;
}

export interface CarryIntoParts extends Omit<CarryOverParts, 'databaseFile'> {
  /** The database that was restored. */
  readonly url: string;
}

/**
 * Carries the data over; returns the last entry of the replaced log; `null` where none could be
 * read.
 */
export async function carryOver(
  wanted: WantedRestore,
  parts: CarryOverParts,
): Promise<AuditHead | null> {
  const replaced = await openReplaced(parts);
  try {
    return await carryFrom(replaced?.read ?? null, wanted, { ...parts, url: stagedUrl(wanted) });
  } catch (error) {
    if (replaced === null || !isDamage(error)) throw error;
    parts.log.warn(
      { err: error },
      'The replaced database is damaged: nothing of it was carried over.',
    );
    return await carryFrom(null, wanted, { ...parts, url: stagedUrl(wanted) });
  } finally {
    await replaced?.close();
  }
}

async function openReplaced({
  databaseFile,
  log,
}: CarryOverParts): Promise<ReadOnlyStorage | null> {
  if (!existsSync(databaseFile)) return null;
  const storage = await openReadOnly({ url: `sqlite:${databaseFile}`, log }).catch(
    (error: unknown) => {
      log.warn(
        { err: error },
        'The replaced database cannot be read: nothing of it was carried over.',
      );
      return null;
    },
  );
  if (storage === null || (await isOurs(storage.read))) return storage;
  await storage.close();
  return null;
}

/**
 * Whether it is a database of a version with an audit log; otherwise there is nothing to carry
 * over.
 */
const isOurs = async (read: Queries): Promise<boolean> =>
  read.schema.hasTable('audit_head').catch((error: unknown) => {
    if (isDamage(error)) return false;
    throw error;
  });

const stagedUrl = ({ staged }: WantedRestore): string =>
  `sqlite:${path.join(staged.folder, 'database.db')}`;

/** Carries data of a replaced database into the one at a url; `null` = there is none to read. */
export async function carryFrom(
  replaced: Queries | null,
  wanted: WantedRestore,
  { migrations, carryOvers, now, newId, log, url }: CarryIntoParts,
): Promise<AuditHead | null> {
  const storage = await openStorage({ url, migrations, log });
  try {
    return await storage.database.write(async (trx) => {
      const fork = replaced === null ? null : await findFork(replaced, trx);
      const carried = await carryAll(trx, carryOvers, { replaced, fork });
      const at = toTimestamp(now());
      const note = noteOf(wanted, carried);
      const head = await carryLog(trx, replaced, { fork, note, at });
      await notifyIn(trx, restoredNotice(wanted.filename, carried, head?.seq ?? null), {
        id: newId(),
        at,
      });
      return head;
    });
  } finally {
    await storage.close();
  }
}

/** Without a common past only sessions are carried over: all of them end. */
async function carryAll(
  trx: Transaction,
  carryOvers: readonly CarryOver[],
  { replaced, fork }: { readonly replaced: Queries | null; readonly fork: Fork | null },
): Promise<Carried> {
  const wasThere = pastOf(fork);
  const carried = [];
  for (const { label, carry, isAlways = false } of carryOvers) {
    if (!isAlways && fork === null) continue;
    const names = await carry({ replaced: replaced ?? trx, trx, wasThere });
    if (names.length > 0) carried.push({ label, names });
  }
  return carried;
}

const noteOf = ({ actor, address, by, filename, staged }: WantedRestore, carried: Carried) => ({
  actor,
  address,
  details: {
    by,
    filename,
    createdAt: staged.createdAt,
    kept: Object.fromEntries(carried.map(({ label, names }) => [label, names.length])),
  },
});

/** Matches messages of SQLite, which both drivers pass on. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  (/SQLITE_(CORRUPT|NOTADB)|malformed|not a database/.test(error.message) || isDamage(error.cause));
