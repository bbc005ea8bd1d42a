/**
 * Reads the records of a feed page. Most concern unknown users: they are discarded by the key that
 * they name before any signature is verified; otherwise a busy broker would cost its servers hours.
 * A forged record is discarded and does not affect the others.
 */
import { createHash } from 'node:crypto';
import {
  feedKinds,
  fromBase64url,
  isValidKey,
  isSignedBy,
  isSignedObjectBy,
  openRecord,
  type OpenedRecord,
  type SignedRecord,
} from '../../../packages/lib/identity-protocol/index.ts';

type FeedKind = (typeof feedKinds)[number];

/** A record with a valid signature. */
export type VerifiedRecord = {
  readonly [Kind in FeedKind]: {
    readonly kind: Kind;
    readonly record: SignedRecord<Kind>;
    /**
     * SHA-256 of the payload. It is the record's id, which is the same for every signature of the
     * payload.
     */
    readonly payloadHash: string;
  };
}[FeedKind];

/** A record that may concern a linked user. */
export interface Candidate {
  readonly kind: FeedKind;
  readonly payload: string;
  readonly sig: string;
  readonly newSig: string | null;
  readonly payloadHash: string;
}

const atOnce = 32;

/**
 * The records that may concern these keys, or new keys that replace them; the signer is verified
 * later.
 */
export function candidatesIn(
  records: readonly unknown[],
  keys: ReadonlySet<string>,
): readonly Candidate[] {
  const trusted = new Set(keys);
  return records.flatMap((record) => {
    const { payload, sig, newSig } = fieldsOf(record);
    if (typeof payload !== 'string' || typeof sig !== 'string') return [];
    const { kind, userPubKey, newPubKey } = fieldsOf(peeked(payload));
    if (typeof userPubKey !== 'string' || !trusted.has(userPubKey) || !isKind(kind)) return [];
    if (kind === 'key-rotation' && typeof newPubKey === 'string') trusted.add(newPubKey);
    const payloadHash = createHash('sha256').update(payload).digest('hex');
    return { kind, payload, sig, newSig: typeof newSig === 'string' ? newSig : null, payloadHash };
  });
}

/** The records with valid signatures, in order. */
export async function verifyRecords(
  candidates: readonly Candidate[],
): Promise<readonly VerifiedRecord[]> {
  const verified: VerifiedRecord[] = [];
  for (let from = 0; from < candidates.length; from += atOnce) {
    const some = await Promise.all(candidates.slice(from, from + atOnce).map(verify));
    verified.push(...some.flatMap((record) => record ?? []));
  }
  return verified;
}

/** Parses without verification, only to select candidates; those are parsed again strictly. */
function peeked(payload: string): unknown {
  if (payload.length > longestPeek) return null;
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    return null;
  }
}

const longestPeek = 65_536;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const isKind = (kind: unknown): kind is FeedKind => feedKinds.some((known) => known === kind);

async function verify(candidate: Candidate): Promise<VerifiedRecord | null> {
  const { kind, payloadHash } = candidate;
  switch (kind) {
    case 'revocation': {
      const read = await signedOf(kind, candidate);
      return read && { kind, record: read.record, payloadHash };
    }
    case 'server-unlink': {
      const read = await signedOf(kind, candidate);
      return read && { kind, record: read.record, payloadHash };
    }
    case 'key-revoked': {
      const read = await signedOf(kind, candidate);
      return read && { kind, record: read.record, payloadHash };
    }
    case 'key-rotation': {
      const read = await signedOf(kind, candidate);
      return read && (await isSignedByNewKey(read, candidate.newSig))
        ? { kind, record: read.record, payloadHash }
        : null;
    }
  }
}

async function signedOf<Kind extends FeedKind>(
  kind: Kind,
  { payload, sig }: Candidate,
): Promise<OpenedRecord<Kind> | null> {
  const read = openRecord(kind, { payload, sig });
  if (read === null) return null;
  const { userPubKey } = read.record as SignedRecord<FeedKind>;
  return (await isSignedObjectBy(userPubKey, read.opened)) ? read : null;
}

async function isSignedByNewKey(
  { record, opened }: OpenedRecord<'key-rotation'>,
  newSig: string | null,
): Promise<boolean> {
  const signature = newSig === null ? null : fromBase64url(newSig);
  if (signature === null || !(await isValidKey(record.newPubKey))) return false;
  return isSignedBy(record.newPubKey, opened.bytes, signature);
}
