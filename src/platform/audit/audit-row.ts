import type { AuditActor, AuditEntry, AuditHead, AuditUser } from './audit-entry.ts';
import type { AuditRow } from './audit-store.ts';
import { hashOf } from './chain.ts';
import { detailsText } from './details.ts';
import { requestOrigin } from './request-origin.ts';

/** Acts of the server have no address, even when a request caused them. */
const originOf = ({ actor }: AuditEntry) => (actor === 'server' ? null : requestOrigin());

/** The address in the entry, or that of the request. */
export const addressOf = (entry: AuditEntry): string | null =>
  entry.address === undefined ? (originOf(entry)?.address ?? null) : entry.address;

/** The row of an entry that follows the last one. */
export function rowOf(entry: AuditEntry, head: AuditHead, at: string): AuditRow {
  const { userId, credentialId, credentialKind } = userOf(entry.actor);
  const row = {
    seq: head.seq + 1,
    at,
    user_id: storable(userId),
    credential_id: storable(credentialId),
    credential_kind: credentialKind,
    action: entry.action,
    target_type: entry.target?.type ?? null,
    target_id: entry.target === null ? null : storable(entry.target.id),
    details: detailsText(entry.details ?? {}),
    address: addressOf(entry),
    request_id: originOf(entry)?.requestId ?? null,
    previous_hash: head.hash,
  };
  return { ...row, hash: hashOf(row) };
}

const userOf = (actor: AuditActor): AuditUser =>
  typeof actor === 'string' ? { userId: actor, credentialId: actor, credentialKind: actor } : actor;

/** The text in the form in which the database returns it; otherwise its hash would not match. */
export const storable = (text: string): string =>
  text.slice(0, 200).toWellFormed().replaceAll('\0', '');
