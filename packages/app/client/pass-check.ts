/**
 * Verifies the data of a pairing: a pass that the user's key signed for this app and key, and a
 * list of servers that the same key signed for this client. The broker only transports them; a
 * change by the broker is refused here.
 */
import {
  bytesToSign,
  canonicalText,
  fromBase64url,
  isPassSigned,
  isSignedBy,
  isSignedObjectBy,
  isUsableKey,
  openPass,
  openRecord,
  timeFault,
  type PassClaims,
  type SignedObject,
} from '../../lib/identity-protocol/index.ts';
import { IdentityError } from './identity-error.ts';
import { isRecord } from './json.ts';
import type { LinkedServer } from './state.ts';

/** The expected owner of a pass. */
export interface PassOwner {
  readonly appId: string;
  readonly clientPubKey: string;
}

/** A verified pass. Its `iat` and `exp` are seconds. */
export interface CheckedPass {
  readonly cert: SignedObject;
  readonly claims: PassClaims;
}

/** A verified list, in the user's order. */
export interface CheckedList {
  readonly serverList: SignedObject;
  readonly servers: readonly LinkedServer[];
  readonly issuedAtSeconds: number;
}

/** Verifies a pass, or rejects with the fault. Its expiry is not checked. */
export async function checkPass(cert: unknown, owner: PassOwner): Promise<CheckedPass> {
  const pass = openPass(cert);
  if (typeof pass === 'string') throw new IdentityError(pass);
  const { claims } = pass;
  if (claims.appId !== owner.appId) throw new IdentityError('cert_wrong_app');
  if (claims.clientPubKey !== owner.clientPubKey) throw new IdentityError('cert_wrong_key');
  if (!isUsableKey(claims.userPubKey) || !(await isPassSigned(pass)))
    throw new IdentityError('cert_bad_signature');
  return { cert: signedObjectOf(cert), claims };
}

/**
 * Refuses an expired pass. A start in the future is checked by servers only; otherwise a device
 * with a slow clock could never be paired.
 */
export function assertLive(claims: PassClaims, nowMs: number): void {
  const fault = timeFault(claims, Math.floor(nowMs / 1000));
  if (fault !== null && fault !== 'cert_not_yet_valid') throw new IdentityError(fault);
}

/** Verifies the signed list; `servers` is the unsigned copy, which must be equal to the byte. */
export async function checkServerList(
  { serverList, servers }: { readonly serverList: unknown; readonly servers?: unknown },
  { clientId, userPubKey }: PassClaims,
): Promise<CheckedList> {
  const list = openRecord('server-list', serverList);
  const isOurs =
    list !== null &&
    list.record.clientId === clientId &&
    list.record.userPubKey === userPubKey &&
    (await isSignedObjectBy(userPubKey, list.opened));
  if (!isOurs) throw new IdentityError('server_list_invalid');
  if (servers !== undefined && !isSame(servers, list.record.servers))
    throw new IdentityError('servers_mismatch');
  const ids = new Set(list.record.servers.map(({ serverId }) => serverId));
  if (ids.size !== list.record.servers.length)
    throw new IdentityError('server_list_invalid', { detail: 'The list names a server twice.' });
  return {
    serverList: signedObjectOf(serverList),
    servers: list.record.servers,
    issuedAtSeconds: list.record.iat,
  };
}

/** Compares canonical JSON, so the order of keys does not matter. */
function isSame(copy: unknown, signed: readonly LinkedServer[]): boolean {
  try {
    return canonicalText({ servers: copy }) === canonicalText({ servers: signed });
  } catch {
    return false;
  }
}

/** How the key of a new pass follows from that of the old one, as reported by the broker. */
export interface Rotations {
  /** One record, or the first of `rotations`. */
  readonly rotation: unknown;
  /** All records from the old key to the new one, where there are several. */
  readonly rotations?: unknown;
}

/** The most rotations between two renewals; a longer chain is refused without verification. */
const mostRotations = 16;

/**
 * Accepts a new pass in place of an old one: for the same client and user, newer, and with the same
 * key, or with one that a chain of records leads to, each signed with the key before and the key
 * after.
 */
export async function assertFollows(
  next: PassClaims,
  current: PassClaims,
  { rotation, rotations = [rotation] }: Rotations,
): Promise<void> {
  if (next.clientId !== current.clientId || next.userId !== current.userId)
    throw new IdentityError('cert_wrong_client');
  if (next.iat <= current.iat) throw new IdentityError('cert_stale');
  if (next.userPubKey === current.userPubKey) return;
  if (!Array.isArray(rotations) || rotations.length > mostRotations)
    throw new IdentityError('rotation_invalid');
  let key: string | null = current.userPubKey;
  for (const record of rotations as readonly unknown[])
    key = key && (await keyAfter(record, { userId: current.userId, key }));
  if (key !== next.userPubKey) throw new IdentityError('rotation_invalid');
}

/** The next key; `null` = the record does not prove it, or lacks one of the signatures. */
async function keyAfter(
  rotation: unknown,
  from: { readonly userId: string; readonly key: string },
): Promise<string | null> {
  if (!isRecord(rotation)) return null;
  const { payload, sig, newSig } = rotation;
  const opened = openRecord('key-rotation', { payload, sig });
  const newSignature = typeof newSig === 'string' ? fromBase64url(newSig) : null;
  if (opened === null || newSignature === null) return null;
  const { userId, userPubKey, newPubKey } = opened.record;
  const isSigned =
    userId === from.userId &&
    userPubKey === from.key &&
    (await isSignedObjectBy(from.key, opened.opened)) &&
    (await isSignedBy(newPubKey, opened.opened.bytes, newSignature));
  return isSigned ? newPubKey : null;
}

/** The bytes that a client signs to renew. */
export const renewalBytes = ({ clientId, exp }: PassClaims, ts: number): Uint8Array<ArrayBuffer> =>
  bytesToSign({ kind: 'cert-renewal', clientId, currentCertExp: exp, ts });

/** Exactly the two keys, without other properties of the object. */
function signedObjectOf(value: unknown): SignedObject {
  const { payload, sig } = isRecord(value) ? value : {};
  if (typeof payload !== 'string' || typeof sig !== 'string')
    throw new IdentityError('cert_malformed');
  return { payload, sig };
}
