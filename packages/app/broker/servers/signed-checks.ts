/**
 * Checks signed objects of the page before they are stored. The broker cannot sign them itself, and
 * stores nothing that a device or a server would refuse.
 */
import {
  isSignedObjectBy,
  openPass,
  openRecord,
  passLifetimeSeconds,
  type PassClaims,
  type SignedObject,
} from '../../../lib/identity-protocol/index.ts';
import type { User } from '../accounts/account.ts';
import type { Client, StoredPass } from '../pairing/client.ts';
import { Refusal } from '../service/errors.ts';
import { isSameServer } from './linked-server.ts';
import type { LinkedServer } from '../service/web-api.ts';

const daySeconds = 86_400;

/** How much a page's clock may differ from the broker's. */
export const clockToleranceSeconds = 600;

/** How far in advance passes are signed: six of thirty days, and a day for clocks. */
const furthestSeconds = 181 * daySeconds;

/** The client that a pass must be for. */
export type PassClient = Pick<Client, 'clientId' | 'appId' | 'clientPubKey' | 'deviceName'>;

/** A pass that its user signed, for that client and with a valid start. */
export interface CheckedPass extends StoredPass {
  readonly claims: PassClaims;
}

/** Whether a time is now, within the tolerance of clocks. */
export const isNow = (iat: number, nowSeconds: number): boolean =>
  Math.abs(iat - nowSeconds) <= clockToleranceSeconds;

/** Rejects with `cert_mismatch`, which gives the reason. */
export async function checkPass(
  cert: SignedObject,
  { userId, userPubKey }: Pick<User, 'userId' | 'userPubKey'>,
  nowSeconds: number,
): Promise<CheckedPass> {
  const pass = openPass(cert);
  if (typeof pass === 'string') throw mismatch('It is not a pass.');
  const { claims, opened } = pass;
  if (claims.userId !== userId || claims.userPubKey !== userPubKey)
    throw mismatch('It belongs to another user, or another key of the user.');
  const { iat, exp } = claims;
  if (exp <= iat || exp - iat > passLifetimeSeconds || exp <= nowSeconds)
    throw mismatch('Its lifetime must be at most 60 days, and it must not have expired.');
  if (iat < nowSeconds - clockToleranceSeconds || iat > nowSeconds + furthestSeconds)
    throw mismatch('It must begin now, or in the next 180 days.');
  if (!(await isSignedObjectBy(userPubKey, opened))) throw mismatch('Its signature is not valid.');
  return { clientId: claims.clientId, iat, exp, cert: { ...cert }, claims };
}

/** Throws `cert_mismatch` when the pass is not for exactly this client and all linked servers. */
export function assertPassIsFor({ claims }: CheckedPass, client: PassClient): void {
  const isFor =
    claims.clientId === client.clientId &&
    claims.appId === client.appId &&
    claims.clientPubKey === client.clientPubKey &&
    claims.deviceName === client.deviceName;
  if (!isFor) throw mismatch('It does not match the request.');
  if (claims.scope.length !== 1 || claims.scope[0] !== 'servers:*')
    throw mismatch('Its scope must be servers:*.');
}

/**
 * Checks the entries one after the other, and stops at the first refusal, so an invalid body costs
 * one signature check and not many.
 */
export async function inTurn<Item, Checked>(
  items: readonly Item[],
  check: (item: Item) => Promise<Checked>,
): Promise<readonly Checked[]> {
  const checked: Checked[] = [];
  for (const item of items) checked.push(await check(item));
  return checked;
}

/** A verified list. */
export interface CheckedList {
  readonly clientId: string;
  readonly iat: number;
  readonly servers: readonly LinkedServer[];
  readonly list: SignedObject;
}

/** Rejects with `servers_mismatch` unless it lists these servers, in the user's order. */
export async function checkList(
  list: SignedObject,
  { userPubKey }: Pick<User, 'userPubKey'>,
  { linked, now }: { readonly linked: readonly LinkedServer[]; readonly now: number },
): Promise<CheckedList> {
  const read = openRecord('server-list', list);
  if (read === null || read.record.userPubKey !== userPubKey || !isNow(read.record.iat, now))
    throw new Refusal('servers_mismatch');
  const { clientId, iat, servers } = read.record;
  const places = servers.map((one) => linked.findIndex((other) => isSameServer(one, other)));
  const isOrdered = places.every((place, index) => place > (places[index - 1] ?? -1));
  if (!isOrdered || !(await isSignedObjectBy(userPubKey, read.opened)))
    throw new Refusal('servers_mismatch');
  return { clientId, iat, servers, list: { ...list } };
}

const mismatch = (message: string): Refusal => new Refusal('cert_mismatch', { message });
