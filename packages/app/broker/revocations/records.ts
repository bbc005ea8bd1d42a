/** Records that a user's key signed: revocations, and their immediate effects at the broker. */
import {
  fromBase64url,
  isSignedBy,
  isSignedObjectBy,
  isUsableKey,
  openRecord,
  type SignedObject,
} from '../../../lib/identity-protocol/index.ts';
import type { Transaction } from '../../../../kernel/store/index.ts';
import type { SignedInUser, User } from '../accounts/account.ts';
import { findUser, markKeyRevoked } from '../accounts/account-store.ts';
import * as clientStore from '../pairing/client-store.ts';
import { Refusal } from '../service/errors.ts';
import type { Feed, NewRecord } from '../feed/feed.ts';
import { recordsOf } from '../feed/feed-store.ts';
import { storeLists } from '../servers/lists.ts';
import { revokePairings } from '../pairing/pairing-store.ts';
import { toSeconds, type Core } from '../service/parts.ts';
import type { Rate } from '../service/request-rates.ts';
import { rotationsOf } from './rotation-store.ts';
import { removeServer, serversOfUser } from '../servers/server-store.ts';
import { inTurn, isNow } from '../servers/signed-checks.ts';
import type { FeedRecord } from '../service/web-api.ts';

export type Records = ReturnType<typeof createRecords>;

const readable = ['revocation', 'server-unlink', 'key-revoked'] as const;

/** A recent record that the user's own key signed; rejects with `record_invalid`. */
export async function checkRecord(
  { payload, sig, newSig }: FeedRecord,
  user: Pick<User, 'userId' | 'userPubKey'>,
  nowSeconds: number,
): Promise<NewRecord> {
  if (newSig !== undefined) throw new Refusal('record_invalid');
  const object = { payload, sig };
  for (const kind of readable) {
    const read = openRecord(kind, object);
    if (read === null) continue;
    const { record, opened } = read;
    const isOwn = record.userId === user.userId && record.userPubKey === user.userPubKey;
    if (!isOwn || !isNow(record.iat, nowSeconds)) break;
    if (!(await isSignedObjectBy(user.userPubKey, opened))) break;
    const clientId = openRecord('revocation', object)?.record.clientId ?? null;
    return { record: object, userId: user.userId, kind, clientId };
  }
  throw new Refusal('record_invalid');
}

/** A recent rotation that both keys signed; rejects with `record_invalid`. */
export async function checkRotation(
  { payload, sig, newSig }: FeedRecord,
  user: Pick<User, 'userId' | 'userPubKey'>,
  nowSeconds: number,
): Promise<{ readonly newPubKey: string; readonly published: NewRecord }> {
  const read = openRecord('key-rotation', { payload, sig });
  const signature = newSig === undefined ? null : fromBase64url(newSig);
  if (read === null || signature === null || newSig === undefined)
    throw new Refusal('record_invalid');
  const { record, opened } = read;
  const { newPubKey } = record;
  const isGood =
    record.userId === user.userId &&
    record.userPubKey === user.userPubKey &&
    newPubKey !== user.userPubKey &&
    isNow(record.iat, nowSeconds) &&
    isUsableKey(newPubKey) &&
    (await isSignedObjectBy(user.userPubKey, opened)) &&
    (await isSignedBy(newPubKey, opened.bytes, signature));
  if (!isGood) throw new Refusal('record_invalid');
  const { userId } = user;
  const published = {
    record: { payload, sig, newSig },
    userId,
    kind: 'key-rotation',
    clientId: null,
  };
  return { newPubKey, published };
}

/** Creates the records over the database and the feed; `rate` counts them by account. */
export function createRecords(core: Core, feed: Feed, rate: Rate) {
  const { database, clock } = core;

  /** Publishes the records and applies them, all or nothing. */
  const add = async (
    { user }: SignedInUser,
    given: readonly FeedRecord[],
    lists: readonly SignedObject[],
  ): Promise<void> => {
    const now = toSeconds(clock.now());
    const keys = await keysOf(user);
    rate.take(user.userId, given.length);
    const records = await inTurn(given, (one) => checkOf(one, user, keys, now));
    await database.write(async (trx) => {
      const current = await findUser(trx, user.userId);
      if (current?.userPubKey !== user.userPubKey) throw new Refusal('key_mismatch');
      for (const record of records) {
        await feed.publish(trx, record);
        await follow(trx, user, record);
      }
      const linked = await serversOfUser(trx, user.userId);
      await storeLists(trx, { user, lists, linked, now });
    });
  };

  /** An older key can only declare itself compromised. */
  const keysOf = async ({ userId, userPubKey }: User): Promise<readonly string[]> => {
    const rotations = await rotationsOf(database.read, userId);
    return [userPubKey, ...rotations.map(({ oldPubKey }) => oldPubKey)];
  };

  const checkOf = async (
    record: FeedRecord,
    user: User,
    keys: readonly string[],
    now: number,
  ): Promise<NewRecord> => {
    const { payload, sig } = record;
    const revoked = openRecord('key-revoked', { payload, sig })?.record.userPubKey;
    const userPubKey = keys.find((key) => key === revoked) ?? user.userPubKey;
    return checkRecord(record, { userId: user.userId, userPubKey }, now);
  };

  const follow = async (trx: Transaction, user: User, { record, kind }: NewRecord) => {
    const object = { payload: record.payload, sig: record.sig };
    switch (kind) {
      case 'revocation':
        return revoke(trx, user, object);
      case 'server-unlink': {
        const serverId = openRecord('server-unlink', object)?.record.serverId ?? '';
        await removeServer(trx, user.userId, serverId);
        return;
      }
      case 'key-revoked': {
        const key = openRecord('key-revoked', object)?.record.userPubKey ?? '';
        await markKeyRevoked(trx, key, clock.now());
        return;
      }
    }
  };

  const revoke = async (trx: Transaction, { userId }: User, object: SignedObject) => {
    const { clientId = '', serverIds } = openRecord('revocation', object)?.record ?? {};
    const client = await clientStore.findClient(trx, clientId);
    if (client?.userId !== userId) throw new Refusal('unknown_client');
    if (serverIds !== undefined) return;
    const newest = await clientStore.newestPass(trx, clientId, toSeconds(clock.now()));
    if (newest) await clientStore.setCert(trx, clientId, newest.cert);
    await clientStore.markRevoked(trx, clientId, clock.now());
    await clientStore.removePasses(trx, clientId);
    await revokePairings(trx, clientId);
  };

  return {
    list: async ({ user }: SignedInUser): Promise<readonly FeedRecord[]> =>
      (await recordsOf(database.read, user.userId)).map(({ payload, sig, newSig }) => ({
        payload,
        sig,
        ...(newSig !== undefined && { newSig }),
      })),
    add,
  };
}
