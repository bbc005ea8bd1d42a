import type { Queries } from '../../../kernel/store/index.ts';
import type { AuditHead } from './audit-entry.ts';
import { findEntry, readChain, readHead, type AuditRow } from './audit-store.ts';
import { firstHash, hashOf } from './chain.ts';

/** The result of a verification. */
export type AuditVerdict =
  | { readonly ok: true; readonly count: number; readonly hash: string; readonly restores: number }
  | { readonly ok: false; readonly seq: number; readonly fault: string };

/** The action of the entry that links a restored log to the one that it replaced. */
export const restoredAction = 'backup.restored';

const pageSize = 1000;

/**
 * Verifies the whole chain and names the first faulty entry. With `noted`, the hash of a head that
 * was kept elsewhere, that entry must be present: a writer of the file can create a whole new
 * chain, and only a note from outside reveals it. Where a backup was restored, the replaced log
 * must be present to its last entry.
 */
export async function verifyAudit(db: Queries, noted: string | null = null): Promise<AuditVerdict> {
  const head = await readHead(db);
  const links = createLinkCheck(db);
  let last = { seq: 0, hash: firstHash };
  let isNotedThere = noted === null || noted === firstHash;
  for (;;) {
    const page = await readChain(db, last.seq, pageSize);
    for (const row of page) {
      const fault = faultOf(row, last);
      if (fault !== null) return { ok: false, seq: last.seq + 1, fault };
      const broken = await links.pass(row);
      if (broken !== null) return broken;
      last = { seq: row.seq, hash: row.hash };
      isNotedThere ||= row.hash === noted || links.hasPassed(noted);
    }
    if (page.length < pageSize) break;
  }
  if (last.seq !== head.seq || last.hash !== head.hash) {
    const fault = `It is missing: the log ends at ${last.seq}, but its head has ${head.seq}.`;
    return { ok: false, seq: last.seq + 1, fault };
  }
  const open = links.end();
  if (open !== null) return open;
  if (!isNotedThere) {
    const fault = 'No entry has the hash that was noted: the log was replaced, or cut before it.';
    return { ok: false, seq: last.seq, fault };
  }
  return { ok: true, count: last.seq, hash: last.hash, restores: links.count() };
}

/** The fault of an entry that follows another one; `null` = none. */
export function faultOf(row: AuditRow, last: AuditHead): string | null {
  if (row.seq !== last.seq + 1) return `It is missing: the next entry is ${row.seq}.`;
  if (row.previous_hash !== last.hash) return 'It does not follow the entry before it.';
  const { hash, ...hashed } = row;
  return hashOf(hashed) === hash ? null : 'It was changed after it was written.';
}

type Broken = Extract<AuditVerdict, { readonly ok: false }>;

/** Entries that follow a link with new numbers, and the expected end of their old hashes. */
interface Run {
  readonly linkSeq: number;
  readonly wanted: AuditHead;
  last: AuditHead;
  left: number;
}

interface Link {
  readonly oldHeadSeq: number;
  readonly oldHeadHash: string;
  readonly carriedAfter: number;
  readonly carried: number;
}

const notThere = 'The log that the backup replaced is incomplete or was changed.';

/** Follows the links between logs during the verification. */
function createLinkCheck(db: Queries) {
  let run: Run | null = null;
  let [count, lastOld] = [0, ''];

  async function begin(row: AuditRow): Promise<Broken | null> {
    const link = linkIn(row);
    if (link === null) return null;
    count += 1;
    const { oldHeadSeq: seq, oldHeadHash: hash, carriedAfter, carried } = link;
    const from = carried > 0 ? carriedAfter : seq;
    const known = from === 0 ? { hash: firstHash } : await findEntry(db, from);
    if (known === undefined || from >= row.seq) return broken(row.seq);
    if (carried === 0) return known.hash === hash ? null : broken(row.seq);
    const last = { seq: from, hash: known.hash };
    run = { linkSeq: row.seq, wanted: { seq, hash }, last, left: carried };
    return null;
  }

  /** Restores the old number of an entry, and its old hash with it. */
  function follow(open: Run, { hash: _, ...row }: AuditRow): Broken | null {
    const old = { ...row, seq: open.last.seq + 1, previous_hash: open.last.hash };
    open.last = { seq: old.seq, hash: hashOf(old) };
    lastOld = open.last.hash;
    open.left -= 1;
    if (open.left > 0) return null;
    run = null;
    const isWhole = open.last.seq === open.wanted.seq && open.last.hash === open.wanted.hash;
    return isWhole ? null : broken(open.linkSeq);
  }

  return {
    pass: async (row: AuditRow): Promise<Broken | null> => (run ? follow(run, row) : begin(row)),
    /** Whether the previous entry had this hash in the replaced log. */
    hasPassed: (hash: string | null): boolean => hash !== null && hash === lastOld,
    end: (): Broken | null => (run === null ? null : broken(run.linkSeq)),
    count: (): number => count,
  };
}

const broken = (seq: number): Broken => ({ ok: false, seq, fault: notThere });

/**
 * `null` for an entry that is not a link, and for the link of a restore that found no log to carry
 * over.
 */
function linkIn({ action, details }: AuditRow): Link | null {
  if (action !== restoredAction) return null;
  const link = JSON.parse(details) as Partial<Link>;
  const { oldHeadSeq, oldHeadHash, carriedAfter = 0, carried = 0 } = link;
  if (typeof oldHeadSeq !== 'number' || typeof oldHeadHash !== 'string') return null;
  return { oldHeadSeq, oldHeadHash, carriedAfter, carried };
}
