import type { Database, Log, Transaction } from '../../kernel/index.ts';
import { toTimestamp, type Clock } from '../clock.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import type { AuditEntry, AuditHead, AuditRecord } from './audit-entry.ts';
import { addressOf, rowOf } from './audit-row.ts';
import { appendEntry, readHead, selectEntries, type AuditRow } from './audit-store.ts';
import { createFailureTally } from './failure-tally.ts';

/** Notes an act in the transaction that does it: both stand, or neither. */
export type RecordAudit = (trx: Transaction, entry: AuditEntry) => Promise<void>;

/** Which entries to list. */
export interface AuditQuery {
  /** Names of actions, or beginnings such as `user.*`; none = all. */
  readonly action?: readonly string[] | undefined;
  /** The id of a user, `server` or `nobody`. */
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A page of the log, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditRecord[];
  readonly nextCursor: string | null;
  readonly head: AuditHead;
}

/** The log of who did what, when and from where. Nothing in it is ever changed. */
export interface Audit {
  /** Notes an act in the caller's transaction. */
  readonly inTransaction: RecordAudit;
  /** Notes an act that no transaction stands for. */
  readonly record: (entry: AuditEntry) => Promise<void>;
  /** Notes what anybody may cause at will, such as a failed sign-in: at most two entries a minute. */
  readonly tally: (entry: AuditEntry) => void;
  readonly list: (query: AuditQuery) => Promise<AuditPage>;
  /** Writes the last link of the chain into the log of the server, which may be kept elsewhere. */
  readonly tellHead: () => Promise<void>;
  /** Writes what was counted, waits for it, and tells the last link of the chain. */
  readonly close: () => Promise<void>;
}

/** What the log is made of. */
export interface AuditParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the log over the database, whose one writer keeps the chain from forking. */
export function createAudit({ database, clock, log }: AuditParts): Audit {
  const writing = new Set<Promise<void>>();

  const inTransaction: RecordAudit = async (trx, entry) => {
    const head = await readHead(trx);
    await appendEntry(trx, rowOf(entry, head, toTimestamp(clock.now())));
  };

  /** The origin is taken now: the transaction may begin when the request is long answered. */
  const record = (entry: AuditEntry): Promise<void> => {
    const placed = { ...entry, address: addressOf(entry) };
    return database.write((trx) => inTransaction(trx, placed));
  };

  const failures = createFailureTally(clock, (entry) => {
    const write = record(entry)
      .catch((err: unknown) => log.error({ err }, 'Failures were not noted in the audit log.'))
      .finally(() => writing.delete(write));
    writing.add(write);
  });

  const list: Audit['list'] = async ({ limit = 50, cursor, ...query }) => {
    const rows = await selectEntries(database.read, {
      actions: query.action ?? [],
      userId: query.actor,
      targetId: query.target,
      from: query.from && inUtc(query.from),
      to: query.to && inUtc(query.to),
      before: cursor === undefined ? null : seqOf(cursor),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      entries: page.map(toRecord),
      nextCursor: rows.length > limit && last ? writeCursor([last.seq]) : null,
      head: await readHead(database.read),
    };
  };

  async function close(): Promise<void> {
    failures.flush();
    await Promise.all(writing);
    await tellHead();
  }

  async function tellHead(): Promise<void> {
    const { seq, hash } = await readHead(database.read);
    log.info({ seq, hash }, `The audit log ends at entry ${seq} with the hash ${hash}.`);
  }

  return {
    inTransaction,
    record,
    tally: (entry) => failures.add({ ...entry, address: addressOf(entry) }),
    list,
    tellHead,
    close,
  };
}

function toRecord(row: AuditRow): AuditRecord {
  const { seq, at, action, address, hash } = row;
  return {
    seq,
    at,
    actor: {
      userId: row.user_id,
      credentialId: row.credential_id,
      credentialKind: row.credential_kind,
    },
    action,
    target:
      row.target_type === null || row.target_id === null
        ? null
        : { type: row.target_type, id: row.target_id },
    details: JSON.parse(row.details) as Record<string, unknown>,
    address,
    requestId: row.request_id,
    hash,
  };
}

const inUtc = (moment: string): string => toTimestamp(Date.parse(moment));

function seqOf(cursor: string): number {
  const [seq] = readCursor(cursor, 1);
  if (typeof seq === 'number') return seq;
  throw new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
}
