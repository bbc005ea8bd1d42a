/**
 * The key of a document in its index says what queries ask first:
 *
 *   title words (4 bits) | size (4) | sequence (28) | kind (4) | scope (12)
 *
 * FTS5 walks matches in the order of the key. With the shortest titles first, the first thousand
 * matches of a very frequent word are the ones that rank best, and the rest need not be ranked. Of
 * equals the one that was put first comes first. Kind and scope are filtered by the key alone, without
 * reading the document. 52 bits fit a JavaScript number exactly.
 */
import { KernelError } from '../../errors.ts';

const kindAt = 2 ** 12;
const sequenceAt = 2 ** 16;
const sizeAt = 2 ** 44;
const titleAt = 2 ** 48;

/** How many of each an index can have. */
export const most = { kinds: 16, scopes: 4096, sequences: 2 ** 28 } as const;

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
    Math.min(parts.titleWords, 15) * titleAt +
    Math.min(size, 15) * sizeAt +
    parts.sequence * sequenceAt +
    parts.kind * kindAt +
    parts.scope
  );
}

/** The sequence that a key holds; a document keeps it when it is replaced. */
export function sequenceOf(key: number): number {
  return Math.floor(key / sequenceAt) % most.sequences;
}

/** SQL that reads the kind's number out of a key. */
export function kindOf(column: string): string {
  return `((${column} >> 12) & ${most.kinds - 1})`;
}

/** SQL that reads the scope's number out of a key. */
export function scopeOf(column: string): string {
  return `(${column} & ${most.scopes - 1})`;
}

function assertRoom(what: keyof typeof most, ordinal: number): void {
  if (ordinal < most[what]) return;
  const things = what === 'sequences' ? 'puts of new documents' : what;
  throw new KernelError('quota_exceeded', `A text index takes at most ${most[what]} ${things}.`);
}
