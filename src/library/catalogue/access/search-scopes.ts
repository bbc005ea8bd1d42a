/**
 * The partitions of a search index. An index stores each document in one partition, and a query
 * names the partitions to search. So totals are exact, and the index learns nothing of ratings or
 * hidden libraries.
 */
import type { LibraryCertifications } from './certifications.ts';
import type { Scope } from './scope.ts';

export const itemPartition = (libraryId: string, certification: string | null): string =>
  `${libraryId}:${certification ?? ''}`;

/** The partition of an entity in a library. Whether it is visible there depends on its items. */
export const entityPartition = (libraryId: string, isHidden: boolean): string =>
  isHidden ? `${libraryId}!` : libraryId;

/** The partitions that a scope covers at least partly. */
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
/** Entities have several items, so more of them are visible than the share of items says. */
const leastShare = 0.35;
/** A margin, since the share is an estimate. */
const reserve = 1.25;

/**
 * How many entities to request so that enough of them are visible: an index cannot tell which are.
 * Undefined = the usual number.
 */
export function entitiesToAsk({ libraries }: Scope): number | undefined {
  const shares = libraries.flatMap(({ share }) => share ?? []);
  if (shares.length === 0) return undefined;
  const shown = shares.reduce((sum, share) => sum + share.shown, 0);
  const total = shares.reduce((sum, share) => sum + share.total, 0);
  const share = Math.max(leastShare, total === 0 ? 1 : shown / total);
  return Math.ceil((reserve * usualEntities) / share);
}
