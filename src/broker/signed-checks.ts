/**
 * What the page signs for its user, checked before it is kept. The broker cannot sign any of it, and
 * keeps nothing that a device or a server would refuse.
 */
import {
  isSignedObjectBy,
  openPass,
  openRecord,
  passLifetimeSeconds,
  type PassClaims,
  type SignedObject,
} from '../identity/primitives/index.ts';
import type { User } from './account.ts';
import type { Client, StoredPass } from './client.ts';
import { Refusal } from './errors.ts';
import { isSameServer } from './linked-server.ts';
import type { LinkedServer } from './web-api.ts';

const daySeconds = 86_400;

/** How far a page's clock may be from the broker's. */
export const clockToleranceSeconds = 600;

/** Passes are made so far ahead: six of thirty days, and a day for clocks. */
const furthestSeconds = 181 * daySeconds;

/** Whom a pass must be for. */
export type PassClient = Pick<Client, 'clientId' | 'appId' | 'clientPubKey' | 'deviceName'>;

/** A pass that its user signed, for that client and from a moment that makes sense. */
export interface CheckedPass extends StoredPass {
  readonly claims: PassClaims;
}

/** Whether a moment is now, as near as clocks are. */
export const isNow = (iat: number, nowSeconds: number): boolean =>
  Math.abs(iat - nowSeconds) <= clockToleranceSeconds;

/** Rejects with `cert_mismatch`, which says why. */
export async function checkPass(
  cert: SignedObject,
  { userId, userPubKey }: Pick<User, 'userId' | 'userPubKey'>,
  nowSeconds: number,
): Promise<CheckedPass> {
  const pass = openPass(cert);
  if (typeof pass === 'string') throw mismatch('It is no pass.');
  const { claims, opened } = pass;
  if (claims.userId !== userId || claims.userPubKey !== userPubKey)
    throw mismatch('It is of another user, or of another key of theirs.');
  const { iat, exp } = claims;
  if (exp <= iat || exp - iat > passLifetimeSeconds || exp <= nowSeconds)
    throw mismatch('It must be good for up to 60 days, and not be over.');
  if (iat < nowSeconds - clockToleranceSeconds || iat > nowSeconds + furthestSeconds)
    throw mismatch('It must begin now, or in the next 180 days.');
  if (!(await isSignedObjectBy(userPubKey, opened))) throw mismatch('Its signature is not right.');
  return { clientId: claims.clientId, iat, exp, cert: { ...cert }, claims };
}

/** Throws `cert_mismatch` when the pass is not for exactly this client and all linked servers. */
export function assertPassIsFor({ claims }: CheckedPass, client: PassClient): void {
  const isFor =
    claims.clientId === client.clientId &&
    claims.appId === client.appId &&
    claims.clientPubKey === client.clientPubKey &&
    claims.deviceName === client.deviceName;
  if (!isFor) throw mismatch('It is not for what was asked.');
  if (claims.scope.length !== 1 || claims.scope[0] !== 'servers:*')
    throw mismatch('Its scope must be servers:*.');
}

/**
 * Looks at one after the other, and stops at the first that is refused: so a body full of nonsense
 * costs one signature and not all.
 */
export async function inTurn<Item, Checked>(
  items: readonly Item[],
  check: (item: Item) => Promise<Checked>,
): Promise<readonly Checked[]> {
  const checked: Checked[] = [];
  for (const item of items) checked.push(await check(item));
  return checked;
}

/** A list as it was signed. */
export interface CheckedList {
  readonly clientId: string;
  readonly iat: number;
  readonly servers: readonly LinkedServer[];
  readonly list: SignedObject;
}

/** Rejects with `servers_mismatch` when it is no list of these servers, in the user's order. */
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
