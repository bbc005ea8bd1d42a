/**
 * The objects besides passes that identity keys, server keys and clients sign. Each has its own
 * `kind` and an exact set of keys, so that none can be mistaken for another.
 */
import {
  isBaseUrl,
  isClientId,
  isCount,
  isKey,
  isMilliseconds,
  isSeconds,
  isShownName,
  isUserId,
} from './fields.ts';
import { hasShape, just, listOf, optional, shaped, type Shape, type Shaped } from './shape.ts';
import { longestList, longestPayload, openSigned, type OpenedObject } from './signed-object.ts';

const ofUser = { iat: isSeconds, userId: isUserId, userPubKey: isKey, v: just(1) } as const;

const linkedServer = shaped({
  baseUrl: isBaseUrl,
  linkedAt: isMilliseconds,
  name: isShownName,
  serverId: isKey,
});

const shapes = {
  /** Signed with the server's key: requests a link, or updates the address or name. */
  'server-link-request': {
    baseUrl: isBaseUrl,
    iat: isSeconds,
    kind: just('server-link-request'),
    name: isShownName,
    nonce: isKey,
    serverId: isKey,
    update: optional(just(true)),
    v: just(1),
  },
  /** Signed with the identity key: the grant that links a server. */
  'server-link': {
    ...ofUser,
    baseUrl: isBaseUrl,
    kind: just('server-link'),
    name: isShownName,
    nonce: isKey,
    serverId: isKey,
  },
  /** Signed with the identity key: the servers that a client may use, in the user's order. */
  'server-list': {
    clientId: isClientId,
    iat: isSeconds,
    kind: just('server-list'),
    servers: listOf(linkedServer, 0, 200),
    userPubKey: isKey,
    v: just(1),
  },
  /** Signed with the identity key: revokes a client, everywhere or on these servers. */
  revocation: {
    ...ofUser,
    clientId: isClientId,
    kind: just('revocation'),
    serverIds: optional(listOf(isKey, 1, 200)),
  },
  /** Signed with the identity key: unlinks a server. */
  'server-unlink': { ...ofUser, kind: just('server-unlink'), serverId: isKey },
  /** Signed with the identity key itself: it is compromised. */
  'key-revoked': { ...ofUser, kind: just('key-revoked') },
  /** Signed with the old identity key, and with the new one in `newSig` beside it. */
  'key-rotation': { ...ofUser, kind: just('key-rotation'), newPubKey: isKey },
  /** Signed with the identity key: the vault of this revision. */
  vault: {
    kind: just('vault'),
    rev: isCount,
    userId: isUserId,
    userPubKey: isKey,
    v: just(1),
    wraps: isKey,
  },
  /** Signed with the client's key, over bytes that are not sent as a payload. */
  'cert-renewal': {
    clientId: isClientId,
    currentCertExp: isSeconds,
    kind: just('cert-renewal'),
    ts: isMilliseconds,
  },
} as const satisfies Readonly<Record<string, Shape>>;

/** The kinds of signed objects besides passes. */
export type RecordKind = keyof typeof shapes;

/** The fields of a kind. */
export type SignedRecord<Kind extends RecordKind> = Shaped<(typeof shapes)[Kind]>;

/** A well-formed record; its signature is not verified yet. */
export interface OpenedRecord<Kind extends RecordKind> {
  readonly opened: OpenedObject;
  readonly record: SignedRecord<Kind>;
}

/** Parses a signed record of this kind only; `null` when it is anything else. */
export function openRecord<Kind extends RecordKind>(
  kind: Kind,
  object: unknown,
): OpenedRecord<Kind> | null {
  const opened = openSigned(object, kind === 'server-list' ? longestList : longestPayload);
  const shape: Shape = shapes[kind];
  if (opened === null || !hasShape(opened.value, shape)) return null;
  return { opened, record: opened.value as SignedRecord<Kind> };
}

/** The kinds of records in the revocation feed. */
export const feedKinds = ['revocation', 'server-unlink', 'key-revoked', 'key-rotation'] as const;
