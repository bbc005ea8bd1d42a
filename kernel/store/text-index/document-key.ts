/**
 * The key of a document in its index holds what queries filter and sort by:
 *
 *     kind (4 bits) | title words (4) | size (4) | sequence (28) | scope (12)
 *
 * FTS5 reads matches in the order of the key. So a query of one kind reads one range. The shortest
 * titles come first, so the first few hundred matches of a frequent word rank best and the others
 * need no ranking; equal ones stay in the order of their first put. Scopes are filtered by the key
 * alone, without reading the document. 52 bits fit a JavaScript number exactly.
 */
import { KernelError } from '../../errors.ts';

const sequenceAt = 2 ** 12;
const sizeAt = 2 ** 40;
const titleAt = 2 ** 44;
const kindAt = 2 ** 48;

/** The most kinds, scopes and sequences of an index. */
export const most = { kinds: 16, scopes: 2 ** 12, sequences: 2 ** 28 } as const;

/**
 * The number for scopes beyond the limit of an index. Queries over all scopes find their documents;
 * queries that name scopes do not.
 */
export const scopelessOrdinal = most.scopes - 1;

/** The parts of a key. `kind` and `scope` are numbers that the index gave to their names. */
export interface KeyParts {
  readonly titleWords: number;
  readonly bodyWords: number;
  readonly kind: number;
  readonly scope: number;
  readonly sequence: number;
}

export function documentKey(parts: KeyParts): number {
  assertRoom('kinds', parts.kind);
  assertRoom('scopes', parts.scope);
  assertRoom('sequences', parts.sequence);
  const size = Math.floor(Math.log2(1 + parts.titleWords + parts.bodyWords));
  return (
    parts.kind * kindAt +
    Math.min(parts.titleWords, 15) * titleAt +
    Math.min(size, 15) * sizeAt +
    parts.sequence * sequenceAt +
    parts.scope
  );
}

/** The sequence in a key; a replaced document keeps it. */
export function sequenceOf(key: number): number {
  return Math.floor(key / sequenceAt) % most.sequences;
}

/** The number of the kind in a key. */
export function kindOf(key: number): number {
  return Math.floor(key / kindAt);
}

/** The first and the last key that a document of one kind can have. */
export function keysOfKind(kind: number): readonly [first: number, last: number] {
  return [kind * kindAt, (kind + 1) * kindAt - 1];
}

/**
 * SQL that is true for keys of one kind. The numbers are in the text: a bound number of this size
 * arrives as a float, which FTS5 does not accept as the end of a range.
 */
export function isOfKind(column: string, kind: number): string {
  return `${column} between ${keysOfKind(kind).join(' and ')}`;
}

/** SQL for the number of the scope in a key. */
export function scopeOf(column: string): string {
  return `(${column} & ${most.scopes - 1})`;
}

/** SQL for the lengths in a key: 0 to 255, the title in the upper bits. */
export function lengthsOf(column: string): string {
  return `((${column} >> 40) & 255)`;
}

function assertRoom(what: keyof typeof most, ordinal: number): void {
  if (ordinal < most[what]) return;
  const things = what === 'sequences' ? 'puts of new documents' : what;
  throw new KernelError('quota_exceeded', `A text index takes at most ${most[what]} ${things}.`);
}
