/**
 * A plan of a plugin, checked: each piece lies inside the file or the inserts, and all of it is within
 * limits. After this check the server copies bytes without looking at them, so a plan that got past it
 * with a wrong place could send bytes that do not belong to the file.
 */

/** A plan whose places were checked against the size of the file. */
export interface CheckedPlan {
  readonly head: Buffer;
  readonly inserts: Buffer;
  /** Pairs of offset and length; an offset of `-1 - n` is place `n` of the inserts. */
  readonly pieces: Float64Array;
  /** Bytes in all. */
  readonly size: number;
}

const maxPieces = 20_000;
const maxBytes = 64 * 1024 * 1024;
const maxHeadBytes = 2 * 1024 * 1024;
const maxInsertBytes = 1024 * 1024;

/** The plan, or what is wrong with it. */
export function checkPlan(value: unknown, fileSize: number): CheckedPlan | string {
  const {
    kind,
    head: made,
    inserts: added = '',
    pieces,
  } = (value ?? {}) as Partial<Record<'kind' | 'head' | 'inserts' | 'pieces', unknown>>;
  if (kind !== 'planned' || !Array.isArray(pieces)) return 'It is not a plan.';
  const head = bytesOf(made, maxHeadBytes);
  if (head === null) return 'Its head is not base64 of at most 2 MiB.';
  const inserts = bytesOf(added, maxInsertBytes);
  if (inserts === null) return 'Its inserts are not base64 of at most 1 MiB.';
  if (pieces.length > maxPieces) return `It has more than ${maxPieces} pieces.`;
  const packed = new Float64Array(pieces.length * 2);
  let size = head.length;
  for (const [at, piece] of (pieces as unknown[]).entries()) {
    const [offset, length, from] = Array.isArray(piece) ? (piece as unknown[]) : [];
    const end = from === undefined ? fileSize : from === 'inserts' ? inserts.length : -1;
    if (!isInside(offset, length, end)) return `Piece ${at} is not inside of the file.`;
    packed[at * 2] = from === undefined ? Number(offset) : -1 - Number(offset);
    packed[at * 2 + 1] = Number(length);
    size += Number(length);
    if (size > maxBytes) return 'It has more than 64 MiB.';
  }
  return { head, inserts, pieces: packed, size };
}

const isInside = (offset: unknown, length: unknown, end: number): boolean =>
  Number.isSafeInteger(offset) &&
  Number.isSafeInteger(length) &&
  Number(offset) >= 0 &&
  Number(length) >= 0 &&
  Number(offset) + Number(length) <= end;

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function bytesOf(value: unknown, most: number): Buffer | null {
  if (typeof value !== 'string' || value.length > Math.ceil(most / 3) * 4) return null;
  return base64.test(value) ? Buffer.from(value, 'base64') : null;
}
