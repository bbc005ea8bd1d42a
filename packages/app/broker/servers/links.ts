/**
 * Links a server to an identity. The server signs its request with its own key, so a user can link
 * only a server that agrees. The user's page signs the grant, which contains the server's nonce.
 */
import { LRUCache } from 'lru-cache';
import {
  isBaseUrl,
  isSignedObjectBy,
  isUsableKey,
  openRecord,
  openSigned,
  type SignedObject,
  type SignedRecord,
} from '../../../lib/identity-protocol/index.ts';
import type { SignedInUser } from '../accounts/account.ts';
import { findUser } from '../accounts/account-store.ts';
import { networkKeyOf } from '../service/client-address.ts';
import { Refusal } from '../service/errors.ts';
import { linkLifetimeMs, type LinkError, type LinkRequest } from './link.ts';
import * as store from './link-store.ts';
import { mostServers } from './linked-server.ts';
import { storeLists } from './lists.ts';
import { hourMs, minuteMs, toSeconds, type Core } from '../service/parts.ts';
import { createRate } from '../service/request-rates.ts';
import { hashOf } from '../service/secret-hashes.ts';
import { insertServer, storeUpdate, removeServer, serversOfUser } from './server-store.ts';
import { isNow } from './signed-checks.ts';
import type { LinkApprove, LinkView } from '../service/web-api.ts';

/** The reply to a server's request. */
export type LinkBegun =
  | { readonly requestId: string; readonly linkUrl: string; readonly expiresAt: number }
  /** The server reported its new address or name. */
  | { readonly status: 'noted' };

/** The reply to a poll. */
export type LinkReply =
  | { readonly status: 'pending' }
  | { readonly status: 'completed'; readonly grant: SignedObject }
  | { readonly status: 'error'; readonly error: { readonly code: LinkError } };

type Asked = SignedRecord<'server-link-request'>;

const leastPauseMs = 1900;
const readableAfterMs = 10 * minuteMs;

/** Links, for servers and pages. */
export class Links {
  readonly #core: Core;
  readonly #begins: ReturnType<typeof createRate>;
  readonly #polls: ReturnType<typeof createRate>;
  // With `max`, it would take the memory of all entries at once.
  readonly #polledAt = new LRUCache<string, number>({ maxSize: 5000, sizeCalculation: () => 1 });

  constructor(core: Core) {
    this.#core = core;
    this.#begins = createRate(core.clock, [{ most: core.limits.linksPerHour, inMs: hourMs }]);
    this.#polls = createRate(core.clock, [{ most: core.limits.pollsPerMinute, inMs: minuteMs }]);
  }

  readonly begin = async (request: unknown): Promise<LinkBegun> => {
    const { clock, random, database, site } = this.#core;
    const asked = await checkRequest(request, toSeconds(clock.now()));
    if (asked.update === true) return this.#noteUpdate(asked);
    const requestId = random(24).toString('base64url');
    const { serverId, baseUrl, name, nonce } = asked;
    const expiresAt = clock.now() + linkLifetimeMs;
    await database.write((trx) =>
      store.insertLink(trx, {
        requestHash: hashOf(requestId),
        serverId,
        baseUrl,
        name,
        nonce,
        expiresAt,
        status: 'pending',
        error: null,
        grant: null,
      }),
    );
    return { requestId, linkUrl: `${site().url}/link/${requestId}`, expiresAt };
  };

  /**
   * Stores an update until the users of the server have accepted it; until then nothing changes.
   */
  readonly #noteUpdate = async ({ serverId, baseUrl, name, iat }: Asked): Promise<LinkBegun> => {
    const count = await this.#core.database.write((trx) =>
      storeUpdate(trx, { serverId, baseUrl, name }, iat),
    );
    if (count === 0) throw new Refusal('not_found');
    return { status: 'noted' };
  };

  readonly poll = async (requestId: string): Promise<LinkReply> => {
    const requestHash = hashOf(requestId);
    const link = await store.findLink(this.#core.database.read, requestHash);
    const now = this.#core.clock.now();
    if (!link || link.expiresAt + readableAfterMs <= now) throw new Refusal('not_found');
    const before = this.#polledAt.get(requestHash);
    if (before !== undefined && now - before < leastPauseMs)
      throw new Refusal('slow_down', { retryAfterSeconds: 5 });
    this.#polledAt.set(requestHash, now);
    return stateOf(link, now);
  };

  readonly #live = async (requestId: string): Promise<LinkRequest> => {
    const link = await store.findLink(this.#core.database.read, hashOf(requestId));
    if (!link) throw new Refusal('not_found');
    if (link.status !== 'pending' || link.expiresAt <= this.#core.clock.now())
      throw new Refusal('link_gone');
    return link;
  };

  readonly approve = async (
    { user }: SignedInUser,
    requestId: string,
    { grant, lists }: LinkApprove,
  ): Promise<void> => {
    const link = await this.#live(requestId);
    const now = toSeconds(this.#core.clock.now());
    const { iat } = await checkGrant(grant, link, user, now);
    const { userId } = user;
    const { serverId, baseUrl, name } = link;
    await this.#core.database.write(async (trx) => {
      const current = await findUser(trx, userId);
      if (current?.userPubKey !== user.userPubKey || current.keyRevokedAt !== null)
        throw new Refusal('key_mismatch');
      await removeServer(trx, userId, serverId);
      const before = await serversOfUser(trx, userId);
      if (before.length >= mostServers) throw new Refusal('too_many');
      const position = (before.at(-1)?.position ?? -1) + 1;
      await insertServer(trx, {
        userId,
        serverId,
        baseUrl,
        name,
        position,
        grant,
        linkedAt: iat * 1000,
        toldAt: iat,
        update: null,
      });
      await storeLists(trx, { user, lists, linked: await serversOfUser(trx, userId), now });
      const end = { status: 'completed', grant } as const;
      if (!(await store.endLink(trx, link.requestHash, end))) throw new Refusal('link_gone');
    });
  };

  readonly checkBegin = (address: string): void => this.#begins.take(networkKeyOf(address));

  readonly checkPoll = (address: string): void => this.#polls.take(networkKeyOf(address));

  readonly view = async (requestId: string): Promise<LinkView> => {
    const { serverId, name, baseUrl, nonce, expiresAt } = await this.#live(requestId);
    return { requestId, serverId, name, baseUrl, nonce, expiresAt, now: this.#core.clock.now() };
  };

  readonly deny = async (requestId: string): Promise<void> => {
    const { requestHash } = await this.#live(requestId);
    const end = { status: 'error', error: 'denied' } as const;
    const isFirst = await this.#core.database.write((trx) => store.endLink(trx, requestHash, end));
    if (!isFirst) throw new Refusal('link_gone');
  };
}

export const createLinks = (core: Core): Links => new Links(core);

/**
 * A recent signed request of a server; rejects with `invalid_request`, `base_url_invalid`,
 * `bad_signature`.
 */
async function checkRequest(request: unknown, nowSeconds: number): Promise<Asked> {
  const read = openRecord('server-link-request', request);
  if (read === null) {
    const { kind, baseUrl } = openSigned(request)?.value ?? {};
    const isAddress = kind !== 'server-link-request' || isBaseUrl(baseUrl);
    throw new Refusal(isAddress ? 'invalid_request' : 'base_url_invalid');
  }
  const { record, opened } = read;
  if (!isNow(record.iat, nowSeconds))
    throw new Refusal('invalid_request', {
      message: 'iat must be the current time: check the clock of the server.',
    });
  if (isUsableKey(record.serverId) && (await isSignedObjectBy(record.serverId, opened)))
    return record;
  throw new Refusal('bad_signature');
}

/** The grant that the user's key signed for exactly this request; rejects with `grant_mismatch`. */
async function checkGrant(
  grant: SignedObject,
  link: LinkRequest,
  user: SignedInUser['user'],
  nowSeconds: number,
): Promise<SignedRecord<'server-link'>> {
  const read = openRecord('server-link', grant);
  if (read === null) throw new Refusal('grant_mismatch');
  const { record, opened } = read;
  const isFor =
    record.userId === user.userId &&
    record.userPubKey === user.userPubKey &&
    record.serverId === link.serverId &&
    record.baseUrl === link.baseUrl &&
    record.name === link.name &&
    record.nonce === link.nonce &&
    isNow(record.iat, nowSeconds);
  if (isFor && (await isSignedObjectBy(user.userPubKey, opened))) return record;
  throw new Refusal('grant_mismatch');
}

function stateOf({ status, error, grant, expiresAt }: LinkRequest, now: number): LinkReply {
  if (status === 'completed' && grant !== null) return { status, grant };
  if (status === 'error') return { status, error: { code: error ?? 'expired' } };
  return expiresAt > now ? { status: 'pending' } : { status: 'error', error: { code: 'expired' } };
}
