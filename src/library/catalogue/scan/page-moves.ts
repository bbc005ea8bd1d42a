import { traceKey, type FileTrace } from '../tables/file-store.ts';

/** One side of a move: a file that arrived or one that left. */
export interface MoveSide extends FileTrace {
  /** File name without the folder. */
  readonly name: string;
  /** The fingerprint of its content; null = not known. */
  readonly fingerprint: string | null;
  /** Of a file that left: whether this scan found it gone. */
  readonly isLate?: boolean;
}

/**
 * Pairs files that arrived with files that left. If both contents are known, they decide, even if
 * the name and the modification time differ; else size and modification time together. Among
 * several matches the name decides, then the modification time; if that is still ambiguous there is
 * no pair, since a wrong pair would give one film the history of another. Empty files match by name
 * alone. Files that left in this scan are preferred over those that left earlier.
 */
export function pairMoves<Came extends MoveSide, Went extends MoveSide>(
  came: readonly Came[],
  went: readonly Went[],
): ReadonlyMap<Came, Went> {
  const pairs = new Map<Came, Went>();
  const left = new Set(went);
  for (const keyOf of [contentKey, traceKey]) {
    const departures = Map.groupBy(left, keyOf);
    if (departures.size === 0) break;
    const open = came.filter((arrival) => !pairs.has(arrival));
    for (const [key, arrivals] of Map.groupBy(open, keyOf)) {
      if (key === null) continue;
      for (const [arrival, departure] of pairAlike(arrivals, departures.get(key) ?? [])) {
        pairs.set(arrival, departure);
        left.delete(departure);
      }
    }
  }
  return pairs;
}

/** All empty files have the same content, so it is not compared. */
function contentKey({ size, fingerprint }: MoveSide): string | null {
  return fingerprint === null || size === 0 ? null : `${size}:${fingerprint}`;
}

function pairAlike<Came extends MoveSide, Went extends MoveSide>(
  arrivals: readonly Came[],
  alike: readonly Went[],
): ReadonlyMap<Came, Went> {
  const pairs = new Map<Came, Went>();
  const late = alike.filter(({ isLate }) => isLate === true);
  const departures = new Set(late.length > 0 ? late : alike);
  pairBy(({ name }) => name, 'first');
  pairBy(({ size, modifiedAt }) => (size === 0 ? null : modifiedAt), 'only');
  pairBy(({ size }) => (size === 0 ? null : ''), 'only');
  return pairs;

  /** Pairs each file that left with the first, or the only one, that arrived with the same key. */
  function pairBy(
    keyOf: (side: MoveSide) => string | number | null,
    which: 'first' | 'only',
  ): void {
    const open = Map.groupBy(
      arrivals.filter((arrival) => !pairs.has(arrival)),
      keyOf,
    );
    for (const [key, [departure, another]] of Map.groupBy(departures, keyOf)) {
      const [arrival, rival] = key === null ? [] : (open.get(key) ?? []);
      if (!departure || another || !arrival || (rival && which === 'only')) continue;
      if (isContrary(arrival, departure)) continue;
      pairs.set(arrival, departure);
      departures.delete(departure);
    }
  }
}

/** Two known contents that differ. */
function isContrary(came: MoveSide, went: MoveSide): boolean {
  return (
    came.fingerprint !== null && went.fingerprint !== null && came.fingerprint !== went.fingerprint
  );
}
