/**
 * Links that were started and not confirmed. They hold for ten minutes and belong to the session
 * that started them: no other session can see, confirm or remove one. Anyone with the address of a
 * link can approve it with their own identity, so the user of this session must confirm the
 * fingerprint.
 */
import type { Database } from '../../../kernel/store/index.ts';
import type { Viewer } from '../viewer/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BrokerClient } from './broker-client.ts';
import * as store from './link-request-store.ts';
import type { CheckedGrant, LinkRequest } from './link-request-store.ts';
import {
  isSignedObjectBy,
  isUsableKey,
  openRecord,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';

/** Links that were started. */
export type LinkRequests = ReturnType<typeof createLinkRequests>;

export interface LinkRequestsParts {
  readonly database: Database;
  readonly broker: Pick<BrokerClient, 'pollLink'>;
  readonly serverId: string;
  readonly clock: Pick<Clock, 'now'>;
}

const mostPerSession = 3;
const mostInAll = 200;
/** Brokers require 1.9 s between two polls. */
const pauseMs = 2000;
const grantLeewaySeconds = 600;

/** Creates the operations on requests. */
export function createLinkRequests(parts: LinkRequestsParts) {
  const { database, broker, serverId, clock } = parts;
  /** By the id of the request: concurrent calls share one poll of the broker. */
  const polls = new Map<string, Promise<void>>();

  async function poll(request: LinkRequest): Promise<void> {
    const nowMs = clock.now();
    const turn = { nowMs, beforeMs: nowMs - pauseMs };
    if (!(await database.write((trx) => store.takePoll(trx, request.id, turn)))) return;
    const answer = await broker.pollLink(request.identityUrl, request.requestId);
    if (answer.state === 'pending') return;
    const ended = { ...request, ...(await endOf(answer, request)) };
    await database.write((trx) => store.updateLinkRequest(trx, ended));
  }

  async function endOf(
    answer: Exclude<Awaited<ReturnType<typeof broker.pollLink>>, { readonly state: 'pending' }>,
    request: LinkRequest,
  ): Promise<Partial<LinkRequest>> {
    if (answer.state === 'failed')
      return { failure: answer.code === 'denied' ? 'denied' : 'expired' };
    const grant = await checkedGrant(answer.grant, request);
    return { grant, failure: grant === null ? 'refused' : null };
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

  const find = async (id: string, viewer: Viewer): Promise<LinkRequest | undefined> => {
    const found = await store.findLinkRequest(database.read, id, viewer);
    return found && found.expiresAt > clock.now() ? found : undefined;
  };

  /**
   * The state, with a new poll of the broker if it is due; `undefined` = the session has no link
   * of that id.
   */
  async function refreshed(id: string, viewer: Viewer): Promise<LinkRequest | undefined> {
    const known = await find(id, viewer);
    if (known === undefined || known.grant !== null || known.failure !== null) return known;
    const polling = polls.get(id) ?? poll(known).finally(() => polls.delete(id));
    polls.set(id, polling);
    await polling;
    return find(id, viewer);
  }

  return {
    add: async (begun: Omit<LinkRequest, 'grant' | 'failure'>): Promise<LinkRequest> => {
      const request = { ...begun, grant: null, failure: null };
      const room = { nowMs: clock.now(), ofSession: mostPerSession, inAll: mostInAll };
      await database.write(async (trx) => {
        await store.makeRoomFor(trx, request, room);
        await store.insertLinkRequest(trx, request);
      });
      return request;
    },
    look: refreshed,
    list: async (viewer: Viewer): Promise<readonly LinkRequest[]> => {
      const own = await store.linkRequestsOf(database.read, viewer);
      // If the broker is unreachable, the known state is returned.
      const found = await Promise.all(
        own.map(({ id }) => refreshed(id, viewer).catch(() => find(id, viewer))),
      );
      return found.flatMap((request) => request ?? []);
    },
    /** Whether there was one. */
    remove: (id: string, viewer: Viewer): Promise<boolean> =>
      database.write((trx) => store.removeLinkRequest(trx, id, viewer)),
  };
}
