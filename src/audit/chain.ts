/**
 * The chain of the audit log. The hash of an entry covers the hash before it, so whoever changes,
 * leaves out or reorders an entry must make every later one anew, and its last hash then differs
 * from what an admin noted elsewhere. Without that, whoever can write the database file could
 * change the past and nobody would see it.
 */
import { createHash } from 'node:crypto';
import type { AuditRow } from './audit-store.ts';

/** What stands before the first entry. */
export const firstHash = '0'.repeat(64);

/** The hash of an entry: SHA-256 over the hash before it, a line end, and its canonical JSON. */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const { previous_hash: before, ...entry } = row;
  return createHash('sha256')
    .update(`${before}\n${canonicalJson(entry)}`)
    .digest('hex');
}

/** One value, one text (RFC 8785): keys in the order of their code units, and no space. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`);
  return `{${members.join(',')}}`;
}
