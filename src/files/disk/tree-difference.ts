/**
 * Finds where the files of a stretch changed, by a digest of each. Files are in a fixed order, and
 * an unchanged file has the same digest: so a change lies between two unchanged files, and only the
 * files between them must be compared.
 */
import type { UnlikeStretch } from './disk.ts';

/** A file of a stretch, by its place in the order of paths. */
export interface FoundFile {
  readonly place: string;
  readonly size: number;
  readonly modifiedAt: number;
}

export interface DigestedFile extends FoundFile {
  readonly part: string;
}

/** A range in which files differ: after `after`, up to `through`. */
interface Difference {
  readonly after: string;
  readonly through: string | null;
}

/** The ranges that differ, with all files that they have now. */
export interface TreeDifference {
  readonly differences: readonly Difference[];
  readonly files: readonly FoundFile[];
}

/** Digits of one digest. */
const partLength = 16;
const mostDifferences = 200;

/**
 * The differences from the known parts; undefined if the answer would list more than `most` files.
 */
export function differenceOf(
  stretch: Difference,
  found: readonly DigestedFile[],
  { parts, most }: UnlikeStretch,
): TreeDifference | undefined {
  const difference = compare(stretch, found, parts);
  const isMostOfIt =
    difference.files.length * 2 > found.length || difference.differences.length > mostDifferences;
  const differences = isMostOfIt
    ? { differences: [{ after: stretch.after, through: stretch.through }], files: found }
    : difference;
  if (differences.files.length > most) return undefined;
  const files = differences.files.map(({ place, size, modifiedAt }) => ({
    place,
    size,
    modifiedAt,
  }));
  return { differences: differences.differences, files };
}

/** Each difference ends at the next unchanged file. */
function compare(
  { after, through }: Difference,
  found: readonly DigestedFile[],
  parts: string,
): { readonly differences: readonly Difference[]; readonly files: readonly DigestedFile[] } {
  let positions: ReadonlyMap<string, number> | null = null;
  const differences: { readonly after: string; through: string | null }[] = [];
  const files: DigestedFile[] = [];
  let open: DigestedFile[] = [];
  /** The last unchanged file, in both lists. */
  let place = after;
  let position = -1;

  function differUpTo(end: string | null): void {
    const last = differences.at(-1);
    if (last !== undefined && last.through === place) last.through = end;
    else differences.push({ after: place, through: end });
    files.push(...open);
    open = [];
  }

  /** Usually the next one; others are looked up. */
  function positionOf(part: string): number {
    if (parts.startsWith(part, (position + 1) * partLength)) return position + 1;
    positions ??= positionsOf(parts);
    return positions.get(part) ?? -1;
  }

  for (const file of found) {
    const was = positionOf(file.part);
    open.push(file);
    if (was <= position) continue;
    if (open.length > 1 || was > position + 1) differUpTo(file.place);
    else open = [];
    place = file.place;
    position = was;
  }
  if (open.length > 0 || (position + 1) * partLength < parts.length) differUpTo(through);
  return { differences, files };
}

function positionsOf(parts: string): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (let at = 0; at < parts.length; at += partLength)
    positions.set(parts.slice(at, at + partLength), at / partLength);
  return positions;
}
