/**
 * What a text says in a rating system. Spelling does not count - `FSK 12`, `fsk-12`, `DE:12` and
 * `de/12` are one thing - but a bare label counts only where it cannot be the far stricter label of
 * another system: `A` is for everybody in Denmark and for adults in India, so it says nothing
 * unless the system or the country stands with it. When in doubt, a text says nothing.
 */
import { ratingSystems } from './rating-systems.ts';
import type { RatingSystem } from './rating-system.ts';

/** One system, made for looking labels up. */
export interface Reader {
  readonly system: RatingSystem;
  /** The place of each spelling in the order: the system or a country and the label. */
  readonly named: ReadonlyMap<string, number>;
  /** The same of the bare labels. */
  readonly bare: ReadonlyMap<string, number>;
  /** The same of the bare labels that are not the far stricter ones of another system. */
  readonly clear: ReadonlyMap<string, number>;
}

/** A text without anything that spellings differ in. */
export const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/\bRATED\s/g, '')
    .replace(/[\s\-‐‑–—_:./()[\]+]+/g, '');

/** So many years a label may differ from system to system before its bare form says nothing. */
const farYears = 3;

const bareKeys = ({ rungs }: RatingSystem): readonly (readonly [key: string, place: number])[] =>
  rungs.flatMap(({ label, aliases }, place) =>
    [label, ...aliases].map((text) => [keyOf(text), place] as const),
  );

const oldestByKey: ReadonlyMap<string, number> = (() => {
  const oldest = new Map<string, number>();
  for (const system of ratingSystems)
    for (const [key, place] of bareKeys(system))
      oldest.set(key, Math.max(oldest.get(key) ?? 0, system.rungs[place]?.age ?? 0));
  return oldest;
})();

function readerOf(system: RatingSystem): Reader {
  const { id, aliases, countries, rungs } = system;
  const names = [id, ...aliases].map(keyOf);
  const lands = countries.map(keyOf);
  const prefixes = [
    ...names,
    ...lands,
    ...lands.flatMap((land) => names.map((name) => land + name)),
  ];
  const bare = bareKeys(system);
  const isClear = ([key, place]: readonly [string, number]): boolean =>
    (oldestByKey.get(key) ?? 0) - (rungs[place]?.age ?? 0) <= farYears;
  return {
    system,
    named: new Map(
      bare.flatMap(([key, place]) => prefixes.map((prefix) => [prefix + key, place] as const)),
    ),
    bare: new Map(bare),
    clear: new Map(bare.filter(isClear)),
  };
}

/** Each system by its id. */
export const readers: ReadonlyMap<string, Reader> = new Map(
  ratingSystems.map((system) => [system.id, readerOf(system)]),
);

/** What is longer, in characters, says nothing. */
export const longestCertification = 300;

/**
 * The parts that a certification is made of: `US:PG-13 / DE:FSK 12` says two things, and
 * `Rated R for language` says `Rated R`.
 */
export function partsOf(certification: string): readonly string[] {
  return certification
    .split(/\s\/\s|[|;]|\/(?=\s*[\p{L} ]{2,20}:)/u)
    .map((part) => part.replace(/\b(rated\s+\S+)\s+for\s.*$/is, '$1'))
    .flatMap((part) => part.split(','))
    .filter((part) => keyOf(part) !== '');
}

/** The keys of its parts. */
export const keysIn = (certification: string): readonly string[] =>
  certification.length > longestCertification ? [] : partsOf(certification).map(keyOf);

/** Where a key stands in the order of a system; `undefined` = it says nothing there. */
export function placeOf({ system, named, clear }: Reader, key: string): number | undefined {
  const find = (text: string): number | undefined => named.get(text) ?? clear.get(text);
  const found = find(key);
  if (found !== undefined || system.descriptors === '') return found;
  let end = key.length;
  while (end > 0 && system.descriptors.includes(key[end - 1] ?? ' ')) end -= 1;
  return find(key.slice(0, end));
}
