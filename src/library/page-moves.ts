import { traceKey, type FileTrace } from './file-store.ts';

/** One side of a move: a file that came, or one that went. */
export interface MoveSide extends FileTrace {
  /** File name without its folder. */
  readonly name: string;
  /** What its content is told by; null = not known. */
  readonly fingerprint: string | null;
  /** Of a file that went: whether it went in this scan. */
  readonly isLate?: boolean;
}

/**
 * Pairs files that came with files that went. Whose content is known on both sides is told by it,
 * whatever its name and its moment of change are now; else by size and moment of change together. Of
 * several that look alike the name decides, then the moment of change; what is in doubt then is not
 * paired, since a wrong pair would give one film the history of another. Empty files have nothing
 * but their name. A file that went long ago is what came now only if none that went just now can be.
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

/** Empty files all have the same content, which tells nothing. */
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

  /** Pairs what went with the first, or the only one, that came with the same key. */
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

/** Two contents that are known, and are not the same. */
function isContrary(came: MoveSide, went: MoveSide): boolean {
  return (
    came.fingerprint !== null && went.fingerprint !== null && came.fingerprint !== went.fingerprint
  );
}
