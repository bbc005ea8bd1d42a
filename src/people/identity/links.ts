/**
 * Links between local users and identities. A user starts one with the password, approves it on the
 * broker, and confirms the fingerprint in the same session.
 */
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { isFullAdmin, type Viewer } from '../viewer/index.ts';
import { assertStillIn, type Accounts } from '../accounts/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import type { BrokerClient } from './broker-client.ts';
import { findFeed, putFeed } from './feed-store.ts';
import type { CheckedGrant, LinkRequest } from './link-request-store.ts';
import type { LinkRequests } from './link-requests.ts';
import * as store from './link-store.ts';
import { fingerprintOf, type Link } from './link.ts';
import { moveRevocations } from './revocation-store.ts';
import type { Presenter } from './server-card.ts';
import { dropSessionsOfLink } from './session-store.ts';
import type { IdentitySessions } from './sessions.ts';
import {
  type Confirmation,
  type ShownLink,
} from '../../contract/resources/accounts/identity-links.ts';

export interface LinksParts {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'confirm' | 'users'>;
  readonly requests: LinkRequests;
  readonly broker: Pick<BrokerClient, 'beginLink'>;
  readonly presenter: Presenter;
  readonly sessions: Pick<IdentitySessions, 'ended'>;
  /** The broker of the settings; `null` = none. */
  readonly identityUrl: string | null;
  readonly audit: RecordAudit;
  /**
   * Called after a new link: reads the revocations of its identity. Resolves when they are known,
   * or after a short time.
   */
  readonly onLinked: () => Promise<void>;
  readonly onUnlinked: () => void;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
}

export class Links {
  readonly #parts: LinksParts;

  constructor(parts: LinksParts) {
    this.#parts = parts;
  }

  readonly begin = async (password: string | null, viewer: Viewer): Promise<ShownLink> => {
    const { accounts, presenter, broker, clock, requests, database, audit } = this.#parts;
    const { identityUrl } = this.#parts;
    if (viewer.credentialKind !== 'session')
      throw new AppError('forbidden', { what: 'To link an identity, sign in to this server.' });
    if (identityUrl === null) throw new AppError('identity_unavailable', { what: noBroker });
    await accounts.confirm(viewer, password);
    const sent = await presenter.request(false);
    const begun = await broker.beginLink(identityUrl, sent.signed);
    const { userId, credentialId } = viewer;
    const expiresAt = Math.min(begun.expiresAt, clock.now() + lifetimeMs);
    const id = this.#parts.newId();
    const request = await requests.add({
      id,
      userId,
      credentialId,
      identityUrl,
      sent,
      expiresAt,
      requestId: begun.requestId,
      linkUrl: begun.linkUrl,
    });
    await database.write((trx) =>
      audit(trx, {
        actor: viewer,
        action: 'identity.link_begun',
        change: 'event',
        target: targetOf(id),
        details: { identityUrl },
      }),
    );
    return shownRequest(request);
  };

  /** The viewer's own links; for a full admin those of all users. */
  readonly list = async (viewer: Viewer): Promise<readonly ShownLink[]> => {
    const userId = isFullAdmin(viewer) ? null : viewer.userId;
    const [begun, linked] = await Promise.all([
      this.#parts.requests.list(viewer),
      store.listLinks(this.#parts.database.read, userId),
    ]);
    return [...begun.map(shownRequest), ...linked.map(shownLink)];
  };

  readonly get = async (id: string, viewer: Viewer): Promise<ShownLink> => {
    const request = await this.#parts.requests.look(id, viewer);
    return request ? shownRequest(request) : shownLink(await this.#existing(id, viewer));
  };

  async #existing(id: string, viewer: Viewer): Promise<Link> {
    const link = await store.findLink(this.#parts.database.read, id);
    const isSeen = link && (link.localUserId === viewer.userId || isFullAdmin(viewer));
    if (isSeen && link.state !== 'unlinked') return link;
    throw new AppError('not_found', { what: `Link ${id}` });
  }

  readonly confirm = async (
    id: string,
    { fingerprint, followRotation }: Confirmation,
    viewer: Viewer,
  ): Promise<ShownLink> => {
    const { requests, accounts, clock, database, sessions } = this.#parts;
    const request = await requests.look(id, viewer);
    if (!request) throw new AppError('not_found', { what: `Link ${id}` });
    const grant = readyGrant(request);
    if (fingerprint.trim() !== fingerprintOf(grant.record.userPubKey))
      throw new AppError('fingerprint_mismatch', {});
    // Removed first, also if the rest fails: of two concurrent confirmations only one writes.
    if (!(await requests.remove(id, viewer)))
      throw new AppError('not_found', { what: `Link ${id}` });
    const user = await accounts.users.find(viewer.userId);
    const link: Link = {
      id,
      localUserId: viewer.userId,
      userPubKey: grant.record.userPubKey,
      userId: grant.record.userId,
      identityUrl: request.identityUrl,
      state: 'active',
      followsRotation: followRotation ?? user?.role !== 'admin',
      grant: grant.signed,
      grantIat: grant.record.iat,
      linkedAt: toTimestamp(clock.now()),
      awaitsFeed: true,
    };
    const ended = await database.write((trx) => this.#insert(trx, link, { request, viewer }));
    sessions.ended(ended);
    await this.#parts.onLinked();
    return shownLink(link);
  };

  async #insert(
    trx: Transaction,
    link: Link,
    { request, viewer }: { readonly request: LinkRequest; readonly viewer: Viewer },
  ): Promise<readonly string[]> {
    await assertStillIn(trx, viewer);
    const ended = await this.#replaceOlder(trx, link);
    await store.insertLink(trx, link);
    const { baseUrl, name } = request.sent;
    const feed = await findFeed(trx, link.identityUrl);
    await putFeed(trx, {
      ...feed,
      // Records of this identity were skipped as unknown before, so the feed is read from its
      // start.
      next: 0,
      toldBaseUrl: feed.toldBaseUrl ?? baseUrl,
      toldName: feed.toldName ?? name,
    });
    const { identityUrl, userPubKey, followsRotation } = link;
    await this.#parts.audit(trx, {
      actor: viewer,
      action: 'identity.linked',
      change: 'event',
      target: targetOf(link.id),
      details: { identityUrl, fingerprint: fingerprintOf(userPubKey), followsRotation },
    });
    return ended;
  }

  /**
   * Replaces an earlier link of the same key, and older keys of the same identity that are no
   * longer valid.
   */
  async #replaceOlder(trx: Transaction, link: Link): Promise<readonly string[]> {
    const { userPubKey, userId, identityUrl, localUserId } = link;
    const same = await store.findLinkByKey(trx, userPubKey);
    if (same && same.state !== 'unlinked' && same.localUserId !== localUserId)
      throw new AppError('identity_taken', {});
    const own = await store.listLinks(trx, localUserId);
    const stale = own.filter(
      (one) =>
        one.state === 'relink_required' &&
        one.userId === userId &&
        one.identityUrl === identityUrl &&
        one.id !== same?.id,
    );
    const replaced = same ? [same, ...stale] : stale;
    const ended: string[] = [];
    for (const { id } of replaced) ended.push(...(await dropSessionsOfLink(trx, id)));
    for (const one of stale) await moveRevocations(trx, one.userPubKey, userPubKey);
    await store.removeLinks(
      trx,
      replaced.map(({ id }) => id),
    );
    return ended;
  }

  /** Ends a link with all its sessions, or drops a request. */
  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    const { requests, database, audit, sessions } = this.#parts;
    if (await requests.remove(id, viewer)) return;
    const { identityUrl, userPubKey, localUserId } = await this.#existing(id, viewer);
    const ended = await database.write(async (trx) => {
      await store.setLinkState(trx, id, 'unlinked');
      const dropped = await dropSessionsOfLink(trx, id);
      await audit(trx, {
        actor: viewer,
        action: 'identity.unlinked',
        change: 'event',
        target: targetOf(id),
        details: {
          identityUrl,
          userId: localUserId,
          fingerprint: fingerprintOf(userPubKey),
          sessionsEnded: dropped.length,
        },
      });
      return dropped;
    });
    sessions.ended(ended);
    this.#parts.onUnlinked();
  };
}

export const createLinks = (parts: LinksParts): Links => new Links(parts);

const lifetimeMs = 600_000;
const noBroker = 'This server has no identity broker: start it with --identity-url.';
const targetOf = (id: string) => ({ type: 'identity_link', id });

function readyGrant({ grant, failure }: LinkRequest): CheckedGrant {
  if (grant !== null) return grant;
  const what =
    failure === null
      ? 'This link is not approved on the identity broker yet.'
      : `This link failed (${failure}): start again.`;
  throw new AppError('link_not_ready', { what });
}

function shownRequest(request: LinkRequest): ShownLink {
  const { id, userId, identityUrl, linkUrl, expiresAt, grant, failure } = request;
  const userPubKey = grant?.record.userPubKey ?? null;
  return {
    id,
    userId,
    identityUrl,
    linkUrl,
    failure,
    userPubKey,
    state: failure !== null ? 'failed' : grant !== null ? 'approved' : 'pending',
    expiresAt: toTimestamp(expiresAt),
    fingerprint: userPubKey === null ? null : fingerprintOf(userPubKey),
    followRotation: null,
    linkedAt: null,
  };
}

function shownLink(link: Link): ShownLink {
  const { id, localUserId, identityUrl, userPubKey, linkedAt, state } = link;
  return {
    id,
    identityUrl,
    userPubKey,
    linkedAt,
    userId: localUserId,
    state: state === 'active' ? 'active' : 'relink_required',
    linkUrl: null,
    expiresAt: null,
    failure: null,
    fingerprint: fingerprintOf(userPubKey),
    followRotation: link.followsRotation,
  };
}
