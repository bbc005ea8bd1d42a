/**
 * How a publisher goes over to another key: the old one signs a record that names the new one. Whoever
 * pinned the old key follows the record, and from then on the old key signs nothing any more.
 */
import { isSigned, isUsableKey, signed, type Signer } from '../signature.ts';

/** A record. `kind` keeps its signature from meaning anything else. */
export interface KeyRotation {
  readonly kind: 'vitrine.key-rotation';
  readonly from: string;
  readonly to: string;
  /** ISO 8601; for people. */
  readonly issuedAt: string;
  readonly signature: string;
}

/** Makes the record that the old key signs. */
export function rotateKey(signer: Signer, to: string, issuedAt: string): KeyRotation {
  const kind = 'vitrine.key-rotation' as const;
  return signed({ kind, from: signer.publicKey, to, issuedAt }, signer);
}

/** Whether the key that a record leaves has signed it. */
export async function isRotation(record: KeyRotation): Promise<boolean> {
  const { kind, from, to, issuedAt, signature } = record;
  if (kind !== 'vitrine.key-rotation' || from === to || !isUsableKey(to)) return false;
  return isSigned({ kind, from, to, issuedAt, signature }, from);
}

const mostSteps = 16;

/** Whether valid records lead from the pinned key to another. */
export async function leadsTo(
  pinned: string,
  wanted: string,
  records: readonly KeyRotation[],
): Promise<boolean> {
  let reached = [pinned];
  const seen = new Set(reached);
  for (let step = 0; step < mostSteps && reached.length > 0; step += 1) {
    if (seen.has(wanted)) return true;
    const onwards = records.filter(({ from, to }) => reached.includes(from) && !seen.has(to));
    const good = await Promise.all(onwards.map(isRotation));
    reached = onwards.filter((_, index) => good[index]).map(({ to }) => to);
    for (const key of reached) seen.add(key);
  }
  return seen.has(wanted);
}
