/**
 * The key of a document in its index says what queries ask first:
 *
 *   kind (4 bits) | title words (4) | size (4) | sequence (28) | scope (12)
 *
 * FTS5 walks matches in the order of the key. So a query of one kind reads one range and passes over
 * the rest; with the shortest titles first, the first few hundred matches of a very frequent word are
 * the ones that rank best, and the others need not be ranked; of equals, the one that was put first
 * comes first. Scopes are filtered by the key alone, without reading the document. 52 bits fit a
 * JavaScript number exactly.
 */
import { KernelError } from '../../errors.ts';

const sequenceAt = 2 ** 12;
const sizeAt = 2 ** 40;
const titleAt = 2 ** 44;
const kindAt = 2 ** 48;

/** How many of each an index can have. */
export const most = { kinds: 16, scopes: 2 ** 12, sequences: 2 ** 28 } as const;

/**
 * The number of the scopes for which an index has no number left. Their documents are found by who asks
 * over all scopes, and by nobody who names some.
 */
export const scopelessOrdinal = most.scopes - 1;

/** What a key is made of. `kind` and `scope` are the numbers that the index gave to their names. */
export interface KeyParts {
  readonly titleWords: number;
  readonly bodyWords: number;
  readonly kind: number;
  readonly scope: number;
  readonly sequence: number;
}

/** Makes the key of a document. */
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

/** The sequence that a key holds; a document keeps it when it is replaced. */
export function sequenceOf(key: number): number {
  return Math.floor(key / sequenceAt) % most.sequences;
}

/** The number of the kind that a key holds. */
export function kindOf(key: number): number {
  return Math.floor(key / kindAt);
}

/** The first and the last key that a document of one kind can have. */
export function keysOfKind(kind: number): readonly [first: number, last: number] {
  return [kind * kindAt, (kind + 1) * kindAt - 1];
}

/**
 * SQL that holds for the keys of one kind. The numbers stand in the text: a bound one of this size
 * arrives as a fraction, and FTS5 would not take it for the end of a range.
 */
export function isOfKind(column: string, kind: number): string {
  return `${column} between ${keysOfKind(kind).join(' and ')}`;
}

/** SQL that reads the scope's number out of a key. */
export function scopeOf(column: string): string {
  return `(${column} & ${most.scopes - 1})`;
}

/** SQL that reads how long title and document are out of a key: 0 to 255, the title counting most. */
export function lengthsOf(column: string): string {
  return `((${column} >> 40) & 255)`;
}

function assertRoom(what: keyof typeof most, ordinal: number): void {
  if (ordinal < most[what]) return;
  const things = what === 'sequences' ? 'puts of new documents' : what;
  throw new KernelError('quota_exceeded', `A text index takes at most ${most[what]} ${things}.`);
}
