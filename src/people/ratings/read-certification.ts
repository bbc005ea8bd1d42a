/**
 * Reads a certification in a rating system. Spelling does not count: `FSK 12`, `fsk-12`, `DE:12`
 * and `de/12` are the same. A bare label counts only where it cannot be a far stricter label of
 * another system: `A` means all ages in Denmark and adults only in India, so it needs the system or
 * the country. An ambiguous text names no level.
 */
import { ratingSystems } from './rating-systems.ts';
import type { RatingSystem } from './rating-system.ts';

/** The lookup tables of one system. */
export interface Reader {
  readonly system: RatingSystem;
  /** The level of each spelling with the system or a country. */
  readonly named: ReadonlyMap<string, number>;
  /** The level of each bare label. */
  readonly bare: ReadonlyMap<string, number>;
  /** The same without bare labels that are far stricter in another system. */
  readonly clear: ReadonlyMap<string, number>;
}

/** A text in a normal form, without differences of spelling. */
export const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/\bRATED\s/g, '')
    .replace(/[\s\-‐‑–—_:./()[\]+]+/g, '');

/** A bare label is ambiguous if its ages in two systems differ by more than this many years. */
const farYears = 3;

const bareKeys = ({ levels }: RatingSystem): readonly (readonly [key: string, index: number])[] =>
  levels.flatMap(({ label, aliases }, index) =>
    [label, ...aliases].map((text) => [keyOf(text), index] as const),
  );

const oldestByKey: ReadonlyMap<string, number> = (() => {
  const oldest = new Map<string, number>();
  for (const system of ratingSystems)
    for (const [key, index] of bareKeys(system))
      oldest.set(key, Math.max(oldest.get(key) ?? 0, system.levels[index]?.age ?? 0));
  return oldest;
})();

function readerOf(system: RatingSystem): Reader {
  const { id, aliases, countries, levels } = system;
  const names = [id, ...aliases].map(keyOf);
  const lands = countries.map(keyOf);
  const prefixes = [
    ...names,
    ...lands,
    ...lands.flatMap((land) => names.map((name) => land + name)),
  ];
  const bare = bareKeys(system);
  const isClear = ([key, index]: readonly [string, number]): boolean =>
    (oldestByKey.get(key) ?? 0) - (levels[index]?.age ?? 0) <= farYears;
  return {
    system,
    named: new Map(
      bare.flatMap(([key, index]) => prefixes.map((prefix) => [prefix + key, index] as const)),
    ),
    bare: new Map(bare),
    clear: new Map(bare.filter(isClear)),
  };
}

/** The lookup tables by the id of the system. */
export const readers: ReadonlyMap<string, Reader> = new Map(
  ratingSystems.map((system) => [system.id, readerOf(system)]),
);

/** A longer text, in characters, names no level. */
export const longestCertification = 300;

/**
 * Splits a certification into its parts: `US:PG-13 / DE:FSK 12` has two, and `Rated R for language`
 * has `Rated R`.
 */
export function partsOf(certification: string): readonly string[] {
  return certification
    .split(/\s\/\s|[|;]|\/(?=\s*[\p{L} ]{2,20}:)/u)
    .map((part) => part.replace(/\b(rated\s+\S+)\s+for\s.*$/is, '$1'))
    .flatMap((part) => part.split(','))
    .filter((part) => keyOf(part) !== '');
}

export const keysIn = (certification: string): readonly string[] =>
  certification.length > longestCertification ? [] : partsOf(certification).map(keyOf);

/** The level of a key in a system; `undefined` = it names none. */
export function levelIndexOf({ system, named, clear }: Reader, key: string): number | undefined {
  const find = (text: string): number | undefined => named.get(text) ?? clear.get(text);
  const found = find(key);
  if (found !== undefined || system.descriptors === '') return found;
  let end = key.length;
  while (end > 0 && system.descriptors.includes(key[end - 1] ?? ' ')) end -= 1;
  return find(key.slice(0, end));
}
