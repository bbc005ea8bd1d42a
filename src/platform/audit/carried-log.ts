/**
 * The audit log across a restore. A backup ends when it was made; later entries are in the database
 * that it replaces, and are carried over. Entries that continue the log of the backup are appended
 * unchanged, with their hashes. Where the two logs diverge, the other entries are appended after a
 * link entry, with new numbers and hashes; the link gives the number from which the old hashes can
 * be computed again. So every entry is present, and a changed or missing one is detected.
 */
import type { CarriedRow, Queries, Transaction } from '../../../kernel/store/index.ts';
import type { AuditActor, AuditDetail, AuditHead } from './audit-entry.ts';
import { appendEntry, findEntry, readChain, readHead, type AuditRow } from './audit-store.ts';
import { rowOf } from './audit-row.ts';
import { hashOf } from './chain.ts';
import { carryRepeats } from './repeated-acts.ts';
import { faultOf, restoredAction } from './verify.ts';

/** The point at which the log of a backup and the log that it replaces diverge. */
export interface Fork {
  /** The last entry of both. */
  readonly seq: number;
  /** When the first entry that only the backup has was written; `null` = there is none. */
  readonly at: string | null;
}

/** The details of the restore in the link. */
export interface RestoreNote {
  readonly actor: AuditActor;
  readonly address: string | null;
  readonly details: Readonly<Record<string, AuditDetail>>;
}

const pageSize = 1000;

/** The last entry of both logs; `null` where they have no common start. */
export async function findFork(replaced: Queries, own: Queries): Promise<Fork | null> {
  const [theirHead, ownHead] = [await readHead(replaced), await readHead(own)];
  let [low, high] = [0, Math.min(theirHead.seq, ownHead.seq)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [theirs, ours] = [await findEntry(replaced, middle), await findEntry(own, middle)];
    if (theirs !== undefined && theirs.hash === ours?.hash) low = middle;
    else high = middle - 1;
  }
  if (low === 0 && ownHead.seq > 0) return null;
  const next = await findEntry(own, low + 1);
  return { seq: low, at: next?.at ?? null };
}

/** Returns a predicate: whether the replaced database once had a row of the backup. */
export function pastOf(fork: Fork | null): (row: CarriedRow) => boolean {
  if (fork === null) return () => false;
  const { at } = fork;
  if (at === null) return () => true;
  return (row) => madeAt(row) < Date.parse(at);
}

/** Unix milliseconds; for rows without a time, from the time-ordered id. */
function madeAt({ created_at: at, linked_at: linkedAt, id }: CarriedRow): number {
  const time = at ?? linkedAt;
  if (typeof time === 'string') return Date.parse(time);
  const digits = typeof id === 'string' ? id.replaceAll('-', '').slice(0, 12) : '';
  return /^[0-9a-f]{12}$/.test(digits) ? Number.parseInt(digits, 16) : Number.POSITIVE_INFINITY;
}

/**
 * Appends the further entries of the replaced log, and the link; returns the head of the replaced
 * log.
 */
export async function carryLog(
  trx: Transaction,
  replaced: Queries | null,
  {
    fork,
    note,
    at,
  }: { readonly fork: Fork | null; readonly note: RestoreNote; readonly at: string },
): Promise<AuditHead | null> {
  if (replaced === null) {
    await link(trx, note, { at, details: { oldHeadSeq: null, oldHeadHash: null } });
    return null;
  }
  const head = await readHead(replaced);
  const after = await appendContinued(trx, replaced, fork);
  const rest = await countAfter(replaced, after);
  const parted = rest === 0 ? {} : { carriedAfter: after, carried: rest };
  const details = { oldHeadSeq: head.seq, oldHeadHash: head.hash, ...parted };
  await link(trx, note, { at, details });
  await appendParted(trx, replaced, after);
  for (const entry of await carryRepeats(trx, replaced, fork !== null))
    await appendEntry(trx, rowOf(entry, await readHead(trx), at));
  return head;
}

/**
 * Appends entries while they follow the last one of the backup; returns the number of the last one.
 */
async function appendContinued(
  trx: Transaction,
  replaced: Queries,
  fork: Fork | null,
): Promise<number> {
  const after = fork?.seq ?? 0;
  let last = await readHead(trx);
  if (last.seq !== after) return after;
  for (;;) {
    const page = await readChain(replaced, last.seq, pageSize);
    for (const row of page) {
      if (faultOf(row, last) !== null) return last.seq;
      await appendEntry(trx, row);
      last = { seq: row.seq, hash: row.hash };
    }
    if (page.length < pageSize) return last.seq;
  }
}

async function countAfter(replaced: Queries, after: number): Promise<number> {
  let [count, last] = [0, after];
  for (;;) {
    const page = await readChain(replaced, last, pageSize);
    count += page.length;
    last = page.at(-1)?.seq ?? last;
    if (page.length < pageSize) return count;
  }
}

async function appendParted(trx: Transaction, replaced: Queries, after: number): Promise<void> {
  let last = after;
  for (;;) {
    const page = await readChain(replaced, last, pageSize);
    for (const row of page) await appendEntry(trx, renumbered(row, await readHead(trx)));
    last = page.at(-1)?.seq ?? last;
    if (page.length < pageSize) return;
  }
}

function renumbered({ hash: _, ...row }: AuditRow, head: AuditHead): AuditRow {
  const moved = { ...row, seq: head.seq + 1, previous_hash: head.hash };
  return { ...moved, hash: hashOf(moved) };
}

async function link(
  trx: Transaction,
  note: RestoreNote,
  { at, details }: { readonly at: string; readonly details: RestoreNote['details'] },
): Promise<void> {
  const entry = {
    actor: note.actor,
    address: note.address,
    action: restoredAction,
    target: null,
    details: { ...note.details, ...details },
  };
  await appendEntry(trx, rowOf(entry, await readHead(trx), at));
}
