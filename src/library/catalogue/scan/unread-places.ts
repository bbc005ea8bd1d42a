import { isMap, parseMap } from '../tables/rows.ts';

/** Places below the roots that a scan could not read. Their files stay as they were. */
export interface UnreadPlaces {
  readonly count: number;
  /** The first of them. */
  readonly uri: string;
  readonly message: string;
}

const kinds: Readonly<Record<string, readonly [one: string, many: string]>> = {
  unreadable: ['cannot be read', 'cannot be read'],
  'too-deep': ['lies too deep', 'lie too deep'],
  'symlink-loop': ['is a loop of links', 'are loops of links'],
  'not-found': ['is a broken link', 'are broken links'],
  'outside-root': ['leads out of the library', 'lead out of the library'],
};

/** The places in the result of a scan, without the roots that failed as a whole; `null` = none. */
export function unreadPlacesIn(
  result: Readonly<Record<string, unknown>>,
  failedRoots: readonly string[],
): UnreadPlaces | null {
  const listed = (Array.isArray(result['problems']) ? result['problems'] : []).filter(isMap);
  const places = listed.filter(({ uri }) => typeof uri === 'string' && !failedRoots.includes(uri));
  const [first] = places;
  if (first === undefined) return null;
  const total = Number(result['problemCount']);
  const count = Math.max(places.length, (Number.isFinite(total) ? total : 0) - failedRoots.length);
  const counts = new Map<string, number>();
  for (const { code } of places) {
    const kind = String(code) in kinds ? String(code) : 'unreadable';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const rest = count - places.length;
  const parts = [...counts].map(([kind, times]) => `${times} ${wordsOf(kind, times)}`);
  if (rest > 0) parts.push(`${rest} more`);
  const uri = String(first['uri']);
  return { count, uri, message: `${parts.join(', ')}. The first is ${uri}.` };
}

const wordsOf = (kind: string, count: number): string => kinds[kind]?.[count === 1 ? 0 : 1] ?? '';

/** As stored in a column; an invalid value counts as nothing. */
export function parseUnreadPlaces(column: string | null): UnreadPlaces | null {
  const { count, uri, message } = parseMap(column);
  if (typeof count !== 'number' || typeof uri !== 'string' || typeof message !== 'string')
    return null;
  return { count, uri, message };
}
