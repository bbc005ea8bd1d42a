import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { toTimestamp, type Clock, type Undo } from '../clock.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { AuditEntry, AuditRecord, AuditReport } from './audit-entry.ts';
import { addressOf, rowOf } from './audit-row.ts';
import { appendEntry, readHead, selectEntries, type AuditRow } from './audit-store.ts';
import { createFailureTally } from './failure-tally.ts';
import { endHours as takeOver, entriesFor } from './repeated-acts.ts';
import { runAsServer } from './request-origin.ts';
import type { AuditPage, AuditQuery } from '../../contract/resources/operations/audit.ts';

/**
 * Records an act in the transaction that performs it: both are committed, or neither. An act that
 * changed nothing is not recorded, and what a person repeats within an hour is counted.
 */
export type RecordAudit = (trx: Transaction, entry: AuditReport) => Promise<void>;

/** The audit log: who did what, when and from where. Its entries never change. */
export interface Audit {
  /** Records an act in the caller's transaction. */
  readonly inTransaction: RecordAudit;
  /** Records an act that has no transaction. */
  readonly record: (entry: AuditReport) => Promise<void>;
  /**
   * Records acts that any caller can repeat at will, such as failed sign-ins: at most two entries a
   * minute.
   */
  readonly tally: (entry: AuditEntry) => void;
  readonly list: (query: AuditQuery) => Promise<AuditPage>;
  /** Writes the entries of acts that were repeated in an hour that is over. */
  readonly endHours: () => Promise<void>;
  /** Calls the listener with each act, once it is stored; also with one that is only counted. */
  readonly onRecorded: (listener: (entry: AuditEntry) => void) => Undo;
  /** Writes the last link of the chain to the server's log, which may be stored elsewhere. */
  readonly logHead: () => Promise<void>;
  /** Writes pending entries and the last link of the chain, and waits for them. */
  readonly close: () => Promise<void>;
}

/** The dependencies of the log. */
export interface AuditParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the log over the database. The single writer keeps the chain from forking. */
export function createAudit({ database, clock, log }: AuditParts): Audit {
  const writing = new Set<Promise<void>>();
  const listeners = createListeners<AuditEntry>();

  const inTransaction: RecordAudit = async (trx, { change, ...act }) => {
    if (change !== 'event' && isDeepStrictEqual(change.before, change.after)) return;
    const nowMs = clock.now();
    for (const entry of await entriesFor(trx, act, nowMs)) {
      const write = () => append(trx, entry, nowMs);
      // An entry of the hour before is not of this request.
      await (entry === act ? write() : runAsServer(write));
    }
    trx.executionPromise.then(
      () => listeners.emit(act),
      () => undefined,
    );
  };

  async function endHours(): Promise<void> {
    const endSome = () =>
      database.write(async (trx) => {
        const nowMs = clock.now();
        const { entries, isDone } = await takeOver(trx, nowMs);
        for (const entry of entries) await append(trx, entry, nowMs);
        return isDone;
      });
    while (!(await runAsServer(endSome)));
  }

  /** The origin is read now, because the transaction may begin after the end of the request. */
  const record = (entry: AuditReport): Promise<void> => {
    const placed = { ...entry, address: addressOf(entry) };
    return database.write((trx) => inTransaction(trx, placed));
  };

  const failures = createFailureTally(clock, (entry) => {
    const write = record({ ...entry, change: 'event' })
      .catch((err: unknown) => log.error({ err }, 'Failures were not written to the audit log.'))
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
    await logHead();
  }

  async function logHead(): Promise<void> {
    const { seq, hash } = await readHead(database.read);
    log.info({ seq, hash }, `The audit log ends at entry ${seq} with the hash ${hash}.`);
  }

  return {
    inTransaction,
    record,
    tally: (entry) => failures.add({ ...entry, address: addressOf(entry) }),
    list,
    endHours,
    onRecorded: listeners.add,
    logHead,
    close,
  };
}

async function append(trx: Transaction, entry: AuditEntry, atMs: number): Promise<void> {
  await appendEntry(trx, rowOf(entry, await readHead(trx), toTimestamp(atMs)));
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
