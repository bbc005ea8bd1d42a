/**
 * Applies a page of a feed. The changes and the position in the feed are written in one
 * transaction. Applying a page twice changes nothing.
 */
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import type { FeedPage } from './broker-client.ts';
import { candidatesIn, verifyRecords, type VerifiedRecord } from './feed-records.ts';
import { findFeed, putFeed } from './feed-store.ts';
import * as links from './link-store.ts';
import type { Link } from './link.ts';
import type { SignedRecord } from '../../../packages/lib/identity-protocol/index.ts';
import * as revocations from './revocation-store.ts';
import type { Revocation } from './revocation-store.ts';
import { dropSessionsOfLink, openSessionsOf, revokeSessions } from './session-store.ts';
import type { IdentitySessions } from './sessions.ts';

export type ApplyPage = (identityUrl: string, page: Omit<FeedPage, 'etag'>) => Promise<void>;

export interface ApplyPageParts {
  readonly database: Database;
  readonly serverId: string;
  readonly sessions: Pick<IdentitySessions, 'ended'>;
  readonly audit: RecordAudit;
  /** Called when links may have changed. */
  readonly onChange: () => void;
  readonly clock: Pick<Clock, 'now'>;
}

/** How long passes signed with a replaced key stay valid. */
const formerKeySeconds = 7 * 86_400;

export function createApplyPage(parts: ApplyPageParts): ApplyPage {
  const { database, serverId, sessions, audit, clock } = parts;

  async function good(records: readonly unknown[]): Promise<readonly VerifiedRecord[]> {
    const keys = await keysOfLinks();
    const found = candidatesIn(records, keys);
    if (found.length === 0) return [];
    const hashes = found.map(({ payloadHash }) => payloadHash);
    const known = await revocations.findKnownPayloads(database.read, [...keys], hashes);
    return verifyRecords(found.filter(({ payloadHash }) => !known.has(payloadHash)));
  }

  async function keysOfLinks(): Promise<ReadonlySet<string>> {
    const current = await links.listLinks(database.read, null);
    const former = await links.listFormerKeys(database.read);
    const ids = new Set(current.map(({ id }) => id));
    return new Set([
      ...current.map(({ userPubKey }) => userPubKey),
      ...former.filter(({ linkId }) => ids.has(linkId)).map(({ userPubKey }) => userPubKey),
    ]);
  }

  return async (identityUrl, page) => {
    const records = await good(page.records);
    const ended = await database.write(async (trx) => {
      const turn = createTurn(trx, { ...parts, nowAt: toTimestamp(clock.now()) });
      for (const record of records) await turn.apply(record);
      const over = await turn.finish();
      const { epoch, next } = page;
      const lastOkAt = toTimestamp(clock.now());
      await putFeed(trx, { ...(await findFeed(trx, identityUrl)), epoch, next, lastOkAt });
      return over;
    });
    sessions.ended(ended);
    if (records.length > 0) parts.onChange();
  };

  /**
   * The work of one transaction. Revocations can come by the hundred, so they are written in one
   * batch.
   */
  function createTurn(trx: Transaction, { nowAt }: { readonly nowAt: string }) {
    const ended: string[] = [];
    const waiting: { readonly link: Link; readonly revocation: Revocation }[] = [];
    const byKey = new Map<string, Link | null>();

    async function linkOf({ userPubKey, userId }: Pick<Link, 'userPubKey' | 'userId'>) {
      let link = byKey.get(userPubKey);
      if (link === undefined) {
        const former = await links.findFormerKey(trx, userPubKey);
        link =
          (await links.findLinkByKey(trx, userPubKey)) ??
          (former && (await links.findLink(trx, former.linkId))) ??
          null;
        byKey.set(userPubKey, link);
      }
      return link?.userId === userId && link.state !== 'unlinked' ? link : null;
    }

    /** Records a change of a link, and drops its cached copy. */
    async function change(link: Link, action: string, details: object): Promise<void> {
      byKey.clear();
      const target = { type: 'identity_link', id: link.id };
      const about = { userId: link.localUserId, identityUrl: link.identityUrl, ...details };
      await audit(trx, { actor: 'server', action, change: 'event', target, details: about });
    }

    async function apply(verified: VerifiedRecord): Promise<void> {
      const link = await linkOf(verified.record);
      if (!link) return;
      switch (verified.kind) {
        case 'revocation': {
          const { clientId, serverIds = null, iat } = verified.record;
          if (serverIds !== null && !serverIds.includes(serverId)) return;
          const { payloadHash } = verified;
          const { userPubKey } = link;
          const revocation = { userPubKey, clientId, payloadHash, serverIds, iat };
          waiting.push({ link, revocation });
          return;
        }
        case 'server-unlink':
          return unlink(link, verified.record);
        case 'key-revoked':
          return revokeKey(link);
        case 'key-rotation':
          await flush();
          return rotate(link, verified.record);
      }
    }

    async function flush(): Promise<void> {
      if (waiting.length === 0) return;
      const found = waiting.splice(0);
      await revocations.insertRevocations(
        trx,
        database,
        found.map(({ revocation }) => revocation),
      );
      const clients = new Set(found.map(({ link, revocation }) => clientKey(link, revocation)));
      const linkIds = [...new Set(found.map(({ link }) => link.id))];
      const open = await openSessionsOf(trx, linkIds, nowAt);
      const over = open.filter((one) => clients.has(`${one.linkId} ${one.clientId}`));
      const ids = over.map(({ id }) => id);
      await revokeSessions(trx, ids, nowAt);
      ended.push(...ids);
      for (const id of linkIds) {
        const own = found.filter(({ link }) => link.id === id);
        const [first] = own;
        if (first === undefined) continue;
        await change(first.link, 'identity.revoked', {
          clientIds: own.map(({ revocation }) => revocation.clientId),
          sessionsEnded: over.filter(({ linkId }) => linkId === id).length,
        });
      }
    }

    /**
     * A record from before the link was made is ignored: the link may have been made again since.
     */
    async function unlink(link: Link, record: SignedRecord<'server-unlink'>): Promise<void> {
      if (record.serverId !== serverId || record.iat < link.grantIat) return;
      await links.setLinkState(trx, link.id, 'unlinked');
      const over = await dropSessionsOfLink(trx, link.id);
      ended.push(...over);
      await change(link, 'identity.unlinked', { sessionsEnded: over.length });
    }

    /** The holder of a key can end what the key opened, and nothing more. */
    async function revokeKey(link: Link): Promise<void> {
      if (link.state === 'relink_required') return;
      await links.setLinkState(trx, link.id, 'relink_required');
      const open = await openSessionsOf(trx, [link.id], nowAt);
      const ids = open.map(({ id }) => id);
      await revokeSessions(trx, ids, nowAt);
      ended.push(...ids);
      await change(link, 'identity.key_revoked', { sessionsEnded: ids.length });
    }

    async function rotate(link: Link, record: SignedRecord<'key-rotation'>): Promise<void> {
      const { userPubKey, newPubKey, iat } = record;
      if (link.state !== 'active' || link.userPubKey !== userPubKey) return;
      const isTaken = (await links.findLinkByKey(trx, newPubKey)) !== undefined;
      if (!link.followsRotation || isTaken) {
        await links.setLinkState(trx, link.id, 'relink_required');
        const over = await dropSessionsOfLink(trx, link.id);
        ended.push(...over);
        await change(link, 'identity.relink_required', { sessionsEnded: over.length });
        return;
      }
      await links.pinKey(trx, link.id, newPubKey);
      const from = Math.min(iat, Math.floor(clock.now() / 1000));
      const acceptedUntil = from + formerKeySeconds;
      await links.putFormerKey(trx, { userPubKey, linkId: link.id, acceptedUntil });
      await revocations.moveRevocations(trx, userPubKey, newPubKey);
      await change(link, 'identity.key_rotated', {});
    }

    return {
      apply,
      finish: async () => {
        await flush();
        return ended;
      },
    };
  }
}

const clientKey = ({ id }: Link, { clientId }: Revocation): string => `${id} ${clientId}`;
