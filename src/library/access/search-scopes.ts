/**
 * The partitions of a search index. An index keeps each document in one, and knows nothing of what it
 * stands for; a question names those that it is asked over. So a count over the right ones is exact,
 * and an index learns nothing of ratings and hidden things.
 */
import type { LibraryCertifications } from './certifications.ts';
import type { Scope } from './scope.ts';

/** The partition of an item. */
export const itemPartition = (libraryId: string, certification: string | null): string =>
  `${libraryId}:${certification ?? ''}`;

/** The partition of an entity in a library: it may be seen there or not, which its items decide. */
export const entityPartition = (libraryId: string, isHidden: boolean): string =>
  isHidden ? `${libraryId}!` : libraryId;

/** The partitions that a scope shows something of. */
export function partitionsOf(
  { libraries, showsHidden }: Scope,
  known: ReadonlyMap<number, LibraryCertifications>,
): readonly string[] {
  return libraries.flatMap(({ no, id, certifications }) => [
    entityPartition(id, false),
    ...(showsHidden ? [entityPartition(id, true)] : []),
    ...(certifications === null ? [itemPartition(id, null)] : []),
    ...[...(certifications ?? known.get(no)?.items.keys() ?? [])].map((one) =>
      itemPartition(id, one),
    ),
  ]);
}

const usualEntities = 20;
/** Entities have several items, so a larger share of them shows than of items. */
const leastShare = 0.35;
/** So that one more or less than the share says is no matter. */
const reserve = 1.25;

/**
 * How many entities to ask for, so that enough of them show: an index cannot say which do. Undefined =
 * as many as usual.
 */
export function entitiesToAsk({ libraries }: Scope): number | undefined {
  const shares = libraries.flatMap(({ share }) => share ?? []);
  if (shares.length === 0) return undefined;
  const shown = shares.reduce((sum, share) => sum + share.shown, 0);
  const total = shares.reduce((sum, share) => sum + share.total, 0);
  const share = Math.max(leastShare, total === 0 ? 1 : shown / total);
  return Math.ceil((reserve * usualEntities) / share);
}
