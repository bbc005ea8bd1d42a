/**
 * How a publisher changes its key. The old key signs a record that names the new key and every old
 * package that stays valid. From then on the old key is not accepted: for a package outside the
 * record, for an index, or for a second record. A date inside a package would not help, since a thief
 * of the old key chooses that date.
 */
import { isSigned, isUsableKey, signed, type Signer } from './signature.ts';

/** A record. `kind` keeps its signature from being valid for anything else. */
export interface KeyRotation {
  readonly kind: 'vitrine.key-rotation';
  readonly from: string;
  readonly to: string;
  /** ISO 8601; for people only. */
  readonly issuedAt: string;
  /** SHA-256 in hex of the packages of the old key that stay valid. */
  readonly packages: readonly string[];
  readonly signature: string;
}

/** Makes the record; the old key signs it. */
export function rotateKey(
  signer: Signer,
  { to, issuedAt, packages }: Pick<KeyRotation, 'to' | 'issuedAt' | 'packages'>,
): KeyRotation {
  const kind = 'vitrine.key-rotation' as const;
  return signed({ kind, from: signer.publicKey, to, issuedAt, packages }, signer);
}

/** Whether the record is signed with the key that it retires. */
export async function isRotation(record: KeyRotation): Promise<boolean> {
  const { kind, from, to, issuedAt, packages, signature } = record;
  if (kind !== 'vitrine.key-rotation' || from === to || !isUsableKey(to)) return false;
  return isSigned({ kind, from, to, issuedAt, packages, signature }, from);
}

/**
 * The record that retired a key; `null` = the key is in use. Of several valid ones the first counts:
 * a thief of a retired key can sign another, but too late.
 */
export async function departureOf(
  key: string,
  records: readonly KeyRotation[],
): Promise<KeyRotation | null> {
  for (const record of records)
    if (record.from === key && (await isRotation(record))) return record;
  return null;
}

const mostSteps = 16;

/** Whether valid records lead from the pinned key to another key. */
export async function leadsTo(
  pinned: string,
  wanted: string,
  records: readonly KeyRotation[],
): Promise<boolean> {
  let reached = pinned;
  for (let step = 0; step <= mostSteps; step += 1) {
    if (reached === wanted) return true;
    const departure = await departureOf(reached, records);
    if (departure === null) return false;
    reached = departure.to;
  }
  return false;
}

/** Why a key may not have signed this package, as one sentence; `null` = it may. */
export async function departedFault(
  { publisherKey, sha256 }: { readonly publisherKey: string; readonly sha256: string },
  records: readonly KeyRotation[],
): Promise<string | null> {
  const departure = await departureOf(publisherKey, records);
  if (departure === null || departure.packages.includes(sha256)) return null;
  return `The package is signed with ${publisherKey}, a key that was replaced by ${departure.to}, and the rotation record does not name the package.`;
}
