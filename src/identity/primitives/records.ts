/**
 * What identity keys, server keys and clients sign beside passes. Each has a `kind` that no other has,
 * and exactly its own keys, so that none can ever be taken for another.
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
  /** By the server's key: it asks to be linked, or tells its new address or name. */
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
  /** By the identity key: the grant that links a server. */
  'server-link': {
    ...ofUser,
    baseUrl: isBaseUrl,
    kind: just('server-link'),
    name: isShownName,
    nonce: isKey,
    serverId: isKey,
  },
  /** By the identity key: which servers a client was given, in the user's order. */
  'server-list': {
    clientId: isClientId,
    iat: isSeconds,
    kind: just('server-list'),
    servers: listOf(linkedServer, 0, 200),
    userPubKey: isKey,
    v: just(1),
  },
  /** By the identity key: a client is good no more, everywhere or on these servers. */
  revocation: {
    ...ofUser,
    clientId: isClientId,
    kind: just('revocation'),
    serverIds: optional(listOf(isKey, 1, 200)),
  },
  /** By the identity key: a server is linked no more. */
  'server-unlink': { ...ofUser, kind: just('server-unlink'), serverId: isKey },
  /** By the identity key itself: it is compromised. */
  'key-revoked': { ...ofUser, kind: just('key-revoked') },
  /** By the old identity key, and by the new one in `newSig` beside it. */
  'key-rotation': { ...ofUser, kind: just('key-rotation'), newPubKey: isKey },
  /** By the identity key: this is the vault of this revision. */
  vault: {
    kind: just('vault'),
    rev: isCount,
    userId: isUserId,
    userPubKey: isKey,
    v: just(1),
    wraps: isKey,
  },
  /** By the client's key, over bytes that do not travel as a payload. */
  'cert-renewal': {
    clientId: isClientId,
    currentCertExp: isSeconds,
    kind: just('cert-renewal'),
    ts: isMilliseconds,
  },
} as const satisfies Readonly<Record<string, Shape>>;

/** What can be signed beside a pass. */
export type RecordKind = keyof typeof shapes;

/** The fields of a kind. */
export type SignedRecord<Kind extends RecordKind> = Shaped<(typeof shapes)[Kind]>;

/** A record that is well formed; its signature is another question. */
export interface OpenedRecord<Kind extends RecordKind> {
  readonly opened: OpenedObject;
  readonly record: SignedRecord<Kind>;
}

/** Reads a signed record of this kind and no other; `null` when it is anything else. */
export function openRecord<Kind extends RecordKind>(
  kind: Kind,
  object: unknown,
): OpenedRecord<Kind> | null {
  const opened = openSigned(object, kind === 'server-list' ? longestList : longestPayload);
  const shape: Shape = shapes[kind];
  if (opened === null || !hasShape(opened.value, shape)) return null;
  return { opened, record: opened.value as SignedRecord<Kind> };
}

/** Kinds that stand in the revocation feed. */
export const feedKinds = ['revocation', 'server-unlink', 'key-revoked', 'key-rotation'] as const;
