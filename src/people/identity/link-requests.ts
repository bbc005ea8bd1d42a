/**
 * Links that were started and not confirmed. They live in memory for ten minutes and belong to the
 * session that started them: no other session can see, confirm or remove one. Anyone with the
 * address of a link can approve it with their own identity, so the user of this session must
 * confirm the fingerprint.
 */
import type { Viewer } from '../viewer/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BrokerClient } from './broker-client.ts';
import {
  isSignedObjectBy,
  isUsableKey,
  openRecord,
  type SignedObject,
  type SignedRecord,
} from '../../../packages/identity-protocol/index.ts';
import type { SignedRequest } from './server-card.ts';

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

/** Links that were started. */
export interface LinkRequests {
  readonly add: (request: Omit<LinkRequest, 'grant' | 'failure'>) => LinkRequest;
  /**
   * The state, with a new poll of the broker if it is due; `undefined` = the session has no link of
   * that id.
   */
  readonly look: (id: string, viewer: Viewer) => Promise<LinkRequest | undefined>;
  readonly list: (viewer: Viewer) => Promise<readonly LinkRequest[]>;
  /** Whether there was one. */
  readonly remove: (id: string, viewer: Viewer) => boolean;
}

export interface LinkRequestsParts {
  readonly broker: Pick<BrokerClient, 'pollLink'>;
  readonly serverId: string;
  readonly clock: Pick<Clock, 'now'>;
}

const mostPerSession = 3;
const mostInAll = 200;
/** Brokers require 1.9 s between two polls. */
const pauseMs = 2000;
const grantLeewaySeconds = 600;

interface Entry {
  request: LinkRequest;
  polledAt: number;
  polling: Promise<void> | null;
}

/** Creates an empty set of requests. */
export function createLinkRequests({ broker, serverId, clock }: LinkRequestsParts): LinkRequests {
  /** In order of creation. */
  const entries = new Map<string, Entry>();

  const isOf = ({ request }: Entry, { userId, credentialId }: Viewer): boolean =>
    request.userId === userId && request.credentialId === credentialId;

  function makeRoom({ credentialId }: Pick<LinkRequest, 'credentialId'>): void {
    for (const [id, { request }] of entries)
      if (request.expiresAt <= clock.now()) entries.delete(id);
    const own = [...entries.values()].filter((one) => one.request.credentialId === credentialId);
    for (const { request } of own.slice(0, Math.max(0, own.length - mostPerSession + 1)))
      entries.delete(request.id);
    const [oldest] = entries.keys();
    if (entries.size >= mostInAll && oldest !== undefined) entries.delete(oldest);
  }

  async function poll(entry: Entry): Promise<void> {
    const { request } = entry;
    const answer = await broker.pollLink(request.identityUrl, request.requestId);
    switch (answer.state) {
      case 'pending':
        return;
      case 'failed':
        entry.request = { ...request, failure: answer.code === 'denied' ? 'denied' : 'expired' };
        return;
      case 'completed': {
        const grant = await checkedGrant(answer.grant, request);
        entry.request = { ...request, grant, failure: grant === null ? 'refused' : null };
      }
    }
  }

  async function checkedGrant(signed: unknown, asked: LinkRequest): Promise<CheckedGrant | null> {
    const read = openRecord('server-link', signed);
    if (read === null) return null;
    const { record, opened } = read;
    const nowSeconds = Math.floor(clock.now() / 1000);
    const isOurs =
      record.serverId === serverId &&
      record.nonce === asked.sent.nonce &&
      record.baseUrl === asked.sent.baseUrl &&
      record.name === asked.sent.name &&
      Math.abs(nowSeconds - record.iat) <= grantLeewaySeconds;
    if (!isOurs || !isUsableKey(record.userPubKey)) return null;
    if (!(await isSignedObjectBy(record.userPubKey, opened))) return null;
    return { record, signed: signed as SignedObject };
  }

  /** Concurrent calls share one poll of the broker. */
  async function refreshed(entry: Entry): Promise<LinkRequest | undefined> {
    const { request } = entry;
    const now = clock.now();
    if (request.expiresAt <= now) {
      entries.delete(request.id);
      return undefined;
    }
    const isOpen = request.grant === null && request.failure === null;
    if (isOpen && (entry.polling !== null || now - entry.polledAt >= pauseMs)) {
      if (entry.polling === null) entry.polledAt = now;
      entry.polling ??= poll(entry).finally(() => (entry.polling = null));
      await entry.polling;
    }
    return entry.request;
  }

  return {
    add: (begun) => {
      makeRoom(begun);
      const request = { ...begun, grant: null, failure: null };
      entries.set(begun.id, { request, polledAt: Number.NEGATIVE_INFINITY, polling: null });
      return request;
    },
    look: async (id, viewer) => {
      const entry = entries.get(id);
      return entry && isOf(entry, viewer) ? refreshed(entry) : undefined;
    },
    list: async (viewer) => {
      const own = [...entries.values()].filter((entry) => isOf(entry, viewer)).toReversed();
      // If the broker is unreachable, the known state is returned.
      const found = await Promise.all(
        own.map((entry) => refreshed(entry).catch(() => entry.request)),
      );
      return found.flatMap((request) => request ?? []);
    },
    remove: (id, viewer) => {
      const entry = entries.get(id);
      return entry !== undefined && isOf(entry, viewer) && entries.delete(id);
    },
  };
}
