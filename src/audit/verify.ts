import type { Queries } from '../../kernel/index.ts';
import { readChain, readHead, type AuditRow } from './audit-store.ts';
import { firstHash, hashOf } from './chain.ts';

/** How a walk along the chain ended. */
export type AuditVerdict =
  | { readonly ok: true; readonly count: number; readonly hash: string }
  | { readonly ok: false; readonly seq: number; readonly fault: string };

const pageSize = 1000;

/**
 * Walks the whole chain and names the first entry that is not what was written. With `noted`, the
 * hash of a head that somebody kept elsewhere, that entry must be there too: whoever can write the
 * file can make a whole new chain, and only a note from outside tells it from the old one.
 */
export async function verifyAudit(db: Queries, noted: string | null = null): Promise<AuditVerdict> {
  const head = await readHead(db);
  let last = { seq: 0, hash: firstHash };
  let isNotedThere = noted === null || noted === firstHash;
  for (;;) {
    const page = await readChain(db, last.seq, pageSize);
    for (const row of page) {
      const fault = faultOf(row, last);
      if (fault !== null) return { ok: false, seq: last.seq + 1, fault };
      last = { seq: row.seq, hash: row.hash };
      isNotedThere ||= row.hash === noted;
    }
    if (page.length < pageSize) break;
  }
  if (last.seq !== head.seq || last.hash !== head.hash) {
    const fault = `It is missing: the log ends at ${last.seq}, and its head says ${head.seq}.`;
    return { ok: false, seq: last.seq + 1, fault };
  }
  if (!isNotedThere) {
    const fault = 'No entry has the hash that was noted: the log was replaced, or cut before it.';
    return { ok: false, seq: last.seq, fault };
  }
  return { ok: true, count: last.seq, hash: last.hash };
}

function faultOf(row: AuditRow, last: { readonly seq: number; readonly hash: string }) {
  if (row.seq !== last.seq + 1) return `It is missing: the next one there is ${row.seq}.`;
  if (row.previous_hash !== last.hash) return 'It does not follow the entry before it.';
  const { hash, ...hashed } = row;
  return hashOf(hashed) === hash ? null : 'It was changed after it was written.';
}
