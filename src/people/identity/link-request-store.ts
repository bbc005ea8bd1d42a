import type { Knex } from 'knex';
import type { SignedObject, SignedRecord } from '../../../packages/lib/identity-protocol/index.ts';
import type { SignedRequest } from './server-card.ts';

/** The session that began a link. */
export interface LinkBeginner {
  readonly userId: string;
  readonly credentialId: string;
}

/** The verified grant of the identity. */
export interface CheckedGrant {
  readonly record: SignedRecord<'server-link'>;
  readonly signed: SignedObject;
}

/** Why a link failed: the reason of the broker, or `refused` = the grant is not for this link. */
export type LinkFailure = 'denied' | 'expired' | 'refused';

/** A link that was started. */
export interface LinkRequest {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly identityUrl: string;
  readonly requestId: string;
  readonly linkUrl: string;
  readonly sent: SignedRequest;
  /** Milliseconds. */
  readonly expiresAt: number;
  readonly grant: CheckedGrant | null;
  readonly failure: LinkFailure | null;
}

interface RequestRow {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: string;
  /** The request as JSON. */
  readonly request: string;
  readonly polled_at: number;
  readonly expires_at: number;
}

const requests = (trx: Knex) => trx<RequestRow>('identity_link_requests');

/** Ids are in order of creation. */
const of = (trx: Knex, { userId, credentialId }: LinkBeginner) =>
  requests(trx).where({ user_id: userId, credential_id: credentialId });

export async function insertLinkRequest(trx: Knex, request: LinkRequest): Promise<void> {
  await requests(trx).insert({
    id: request.id,
    user_id: request.userId,
    credential_id: request.credentialId,
    request: JSON.stringify(request),
    polled_at: 0,
    expires_at: request.expiresAt,
  });
}

export async function findLinkRequest(
  trx: Knex,
  id: string,
  beginner: LinkBeginner,
): Promise<LinkRequest | undefined> {
  const row = await of(trx, beginner).where({ id }).first('request');
  return row && parsed(row);
}

/** Newest first. */
export async function linkRequestsOf(
  trx: Knex,
  beginner: LinkBeginner,
): Promise<readonly LinkRequest[]> {
  return (await of(trx, beginner).orderBy('id', 'desc').select('request')).map(parsed);
}

/** Removes the expired ones, and the oldest beyond so many of one session and of all. */
export async function makeRoomFor(
  trx: Knex,
  { userId, credentialId }: LinkBeginner,
  { nowMs, ofSession, inAll }: Readonly<Record<'nowMs' | 'ofSession' | 'inAll', number>>,
): Promise<void> {
  await requests(trx).where('expires_at', '<=', nowMs).delete();
  for (const [rows, kept] of [
    [of(trx, { userId, credentialId }), ofSession],
    [requests(trx), inAll],
  ] as const) {
    const ids = await rows
      .orderBy('id', 'desc')
      .offset(kept - 1)
      .limit(inAll)
      .pluck('id');
    await requests(trx).whereIn('id', ids).delete();
  }
}

/** Takes the turn to poll; `false` = somebody polled later than `beforeMs`. */
export const takePoll = async (
  trx: Knex,
  id: string,
  { nowMs, beforeMs }: { readonly nowMs: number; readonly beforeMs: number },
): Promise<boolean> =>
  (await requests(trx)
    .where({ id })
    .where('polled_at', '<=', beforeMs)
    .update({ polled_at: nowMs })) > 0;

export async function updateLinkRequest(trx: Knex, request: LinkRequest): Promise<void> {
  await requests(trx)
    .where({ id: request.id })
    .update({ request: JSON.stringify(request) });
}

/** Whether there was one. */
export const removeLinkRequest = async (
  trx: Knex,
  id: string,
  beginner: LinkBeginner,
): Promise<boolean> => (await of(trx, beginner).where({ id }).delete()) > 0;

/** The server wrote it. */
const parsed = ({ request }: Pick<RequestRow, 'request'>): LinkRequest =>
  JSON.parse(request) as LinkRequest;
