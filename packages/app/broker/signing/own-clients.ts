/**
 * Selects the user's own clients from those that the broker lists. The broker is not trusted: a
 * client is accepted only if its last pass has the user's signature, with the current key or a
 * replaced one that was never declared compromised, and if no revocation of the user names it. All
 * other data of the broker about a client is ignored.
 */
import {
  fromBase64url,
  isPassSigned,
  isSignedBy,
  isSignedObjectBy,
  openPass,
  openRecord,
} from '../../../lib/identity-protocol/index.ts';
import type { ClientView, FeedRecord } from '../service/web-api.ts';
import type { Identity } from './identity-key.ts';
import type { PassClient } from './sign-pairing.ts';

/** A client, from its signed pass. */
export interface OwnClient {
  readonly client: PassClient;
  readonly view: ClientView;
}

/** The active clients of the user, and the ids of others in the broker's list. */
export interface SortedClients {
  readonly own: readonly OwnClient[];
  readonly strange: readonly string[];
}

type Owner = Pick<Identity, 'userId' | 'userPubKey'>;

/** Sorts the broker's list. `records` are the user's own records of the feed. */
export async function sortClients(
  owner: Owner,
  views: readonly ClientView[],
  records: readonly FeedRecord[],
): Promise<SortedClients> {
  const keys = await keysOf(owner, records);
  const revoked = await revokedClients(owner, keys, records);
  const revokedOnes = await revokedKeys(keys, records);
  const good = new Set([...keys].filter((key) => !revokedOnes.has(key)));
  const own: OwnClient[] = [];
  const strange: string[] = [];
  for (const view of views) {
    if (revoked.has(view.clientId)) continue;
    const client = await ownClient(owner, good, view);
    if (client === null) strange.push(view.clientId);
    else if (view.revokedAt === null) own.push({ client, view });
  }
  return { own, strange };
}

/** The client of the last pass; `null` when the user did not sign it. */
async function ownClient(
  { userId }: Owner,
  keys: ReadonlySet<string>,
  { cert, clientId }: ClientView,
): Promise<PassClient | null> {
  const pass = openPass(cert);
  if (typeof pass === 'string') return null;
  const { claims } = pass;
  const isTheirs =
    claims.userId === userId && claims.clientId === clientId && keys.has(claims.userPubKey);
  return isTheirs && (await isPassSigned(pass)) ? claims : null;
}

/** The current key and all replaced keys: old key and new key both signed each rotation. */
export async function keysOf(
  { userId, userPubKey }: Owner,
  records: readonly FeedRecord[],
): Promise<ReadonlySet<string>> {
  const keys = new Set([userPubKey]);
  for (let found = true; found;) {
    found = false;
    for (const { payload, sig, newSig } of records) {
      const read = openRecord('key-rotation', { payload, sig });
      if (read === null || newSig === undefined) continue;
      const { record, opened } = read;
      const isStep = record.userId === userId && keys.has(record.newPubKey);
      if (!isStep || keys.has(record.userPubKey)) continue;
      const second = fromBase64url(newSig);
      const isSigned =
        second !== null &&
        (await isSignedObjectBy(record.userPubKey, opened)) &&
        (await isSignedBy(record.newPubKey, opened.bytes, second));
      if (isSigned) keys.add(record.userPubKey);
      found ||= isSigned;
    }
  }
  return keys;
}

/** Keys that were declared compromised: their signatures may be a thief's. */
async function revokedKeys(
  keys: ReadonlySet<string>,
  records: readonly FeedRecord[],
): Promise<ReadonlySet<string>> {
  const revoked = new Set<string>();
  for (const { payload, sig } of records) {
    const read = openRecord('key-revoked', { payload, sig });
    if (read === null || !keys.has(read.record.userPubKey)) continue;
    const { record, opened } = read;
    if (await isSignedObjectBy(record.userPubKey, opened)) revoked.add(record.userPubKey);
  }
  return revoked;
}

async function revokedClients(
  { userId }: Owner,
  keys: ReadonlySet<string>,
  records: readonly FeedRecord[],
): Promise<ReadonlySet<string>> {
  const revoked = new Set<string>();
  for (const { payload, sig } of records) {
    const read = openRecord('revocation', { payload, sig });
    if (read === null || read.record.serverIds !== undefined) continue;
    const { record, opened } = read;
    if (record.userId !== userId || !keys.has(record.userPubKey)) continue;
    if (await isSignedObjectBy(record.userPubKey, opened)) revoked.add(record.clientId);
  }
  return revoked;
}
