/**
 * The hash chain of the audit log. The hash of an entry covers the previous hash. An attacker who
 * changes, removes or reorders an entry must compute every later one again, and then the last hash
 * differs from one that an admin noted elsewhere. Without the chain, a writer of the database file
 * could change the past undetected.
 */
import { createHash } from 'node:crypto';
import type { AuditRow } from './audit-store.ts';

/** The previous hash of the first entry. */
export const firstHash = '0'.repeat(64);

/** The hash of an entry: SHA-256 over the previous hash, a line feed, and its canonical JSON. */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const { previous_hash: before, ...entry } = row;
  return createHash('sha256')
    .update(`${before}\n${canonicalJson(entry)}`)
    .digest('hex');
}

/**
 * The canonical text of a value (RFC 8785): keys in the order of their code units, and no spaces.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`);
  return `{${members.join(',')}}`;
}
