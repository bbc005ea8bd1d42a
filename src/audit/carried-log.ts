/**
 * The log across a restore. A backup ends where it was made; what was logged since is in the database that
 * it replaces, and is carried over. Entries that continue the log of the backup are appended as they
 * stand, with their hashes. Where the two logs part, the entries follow behind the link under new numbers
 * and hashes, and the link says from which number on the old hashes are to be computed again: so either
 * way every entry is there, and a changed or missing one shows.
 */
import type { CarriedRow, Queries, Transaction } from '../../kernel/index.ts';
import type { AuditActor, AuditDetail, AuditHead } from './audit-entry.ts';
import { appendEntry, findEntry, readChain, readHead, type AuditRow } from './audit-store.ts';
import { rowOf } from './audit-row.ts';
import { hashOf } from './chain.ts';
import { faultOf, restoredAction } from './verify.ts';

/** Where the log of a backup and the one that it replaces part. */
export interface Fork {
  /** The last entry that both have. */
  readonly seq: number;
  /** When the first entry was written that the backup alone has; `null` = there is none. */
  readonly at: string | null;
}

/** What the link says of the restore. */
export interface RestoreNote {
  readonly actor: AuditActor;
  readonly address: string | null;
  readonly details: Readonly<Record<string, AuditDetail>>;
}

const pageSize = 1000;

/** The last entry that both logs have; `null` where they have no common past. */
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

/** Tells of a row of the backup whether the replaced database once had it. */
export function pastOf(fork: Fork | null): (row: CarriedRow) => boolean {
  if (fork === null) return () => false;
  const { at } = fork;
  if (at === null) return () => true;
  return (row) => madeAt(row) < Date.parse(at);
}

/** Unix milliseconds; ids are in the order of time, where nothing else tells it. */
function madeAt({ created_at: at, linked_at: linkedAt, id }: CarriedRow): number {
  const told = at ?? linkedAt;
  if (typeof told === 'string') return Date.parse(told);
  const digits = typeof id === 'string' ? id.replaceAll('-', '').slice(0, 12) : '';
  return /^[0-9a-f]{12}$/.test(digits) ? Number.parseInt(digits, 16) : Number.POSITIVE_INFINITY;
}

/** Appends what the replaced log has more, and the link; gives the head of the replaced log. */
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
  return head;
}

/** As long as entries follow the last one of the backup; gives the number of the last that is there. */
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
