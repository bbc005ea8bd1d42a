import type { Knex } from 'knex';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { LinkError, LinkRequest } from './link.ts';

interface LinkRow {
  readonly request_hash: string;
  readonly server_id: string;
  readonly base_url: string;
  readonly name: string;
  readonly nonce: string;
  readonly status: LinkRequest['status'];
  readonly error: LinkError | null;
  readonly grant_object: string | null;
  readonly expires_at: number | string;
}

const links = (db: Knex) => db<LinkRow>('links');

export async function insertLink(trx: Knex, link: LinkRequest): Promise<void> {
  await links(trx).insert({
    request_hash: link.requestHash,
    server_id: link.serverId,
    base_url: link.baseUrl,
    name: link.name,
    nonce: link.nonce,
    status: link.status,
    error: link.error,
    grant_object: link.grant === null ? null : JSON.stringify(link.grant),
    expires_at: link.expiresAt,
  });
}

export async function findLink(db: Knex, requestHash: string): Promise<LinkRequest | undefined> {
  const row = await links(db).where('request_hash', requestHash).first();
  if (!row) return undefined;
  return {
    requestHash,
    serverId: row.server_id,
    baseUrl: row.base_url,
    name: row.name,
    nonce: row.nonce,
    status: row.status,
    error: row.error,
    // Only verified objects are written.
    grant: row.grant_object === null ? null : (JSON.parse(row.grant_object) as SignedObject),
    expiresAt: Number(row.expires_at),
  };
}

/** How a link ends. */
export type LinkEnd =
  | { readonly status: 'completed'; readonly grant: SignedObject }
  | { readonly status: 'error'; readonly error: LinkError };

/** Only the first of several concurrent ends succeeds: `false` = it was no longer pending. */
export async function endLink(trx: Knex, requestHash: string, end: LinkEnd): Promise<boolean> {
  const change =
    end.status === 'completed'
      ? { status: end.status, grant_object: JSON.stringify(end.grant) }
      : { status: end.status, error: end.error };
  const query = links(trx).where({ request_hash: requestHash, status: 'pending' });
  return (await query.update(change)) > 0;
}

export async function removeLinksBefore(trx: Knex, at: number): Promise<void> {
  await links(trx).where('expires_at', '<=', at).delete();
}
