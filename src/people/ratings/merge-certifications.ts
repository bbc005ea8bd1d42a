/**
 * Merges several certification texts of one title into one that has the same meaning in every
 * system, so an item keeps the decision of each country and can match a limit of any of them. The
 * result uses the shortest spellings, because certifications are cached in memory and compared in
 * SQL.
 */
import { limitText } from './rating-limit.ts';
import {
  keyOf,
  longestCertification,
  partsOf,
  levelIndexOf,
  readers,
} from './read-certification.ts';

/** One part of a certification text. */
interface Part {
  readonly text: string;
  /** Its level (as an index) in each system in which it names one. */
  readonly levelIndexes: ReadonlyMap<string, number>;
}

/** The longest text that is read, in characters. */
const longestText = 1000;

/**
 * Merges texts in order of their rank: a text counts only in systems in which no earlier one names
 * a level. A single text of one part keeps its spelling. Empty where nothing is left, and where the
 * result would be longer than a certification may be, because the part that is cut off might be the
 * stricter one.
 */
export function mergeCertifications(texts: readonly string[]): string {
  const merged: Part[] = [];
  for (const text of texts) {
    const parts = text.length > longestText ? [] : partsOf(text).map(partOf);
    merged.push(...inNewSystems(merged, parts));
  }
  const [only, ...others] = merged;
  const short = only === undefined || others.length === 0 ? merged : shortened(merged);
  const result = [...new Set(short.map(({ text }) => text))].join(' / ');
  return result.length > longestCertification ? '' : result;
}

/**
 * The parts of a text that name levels only in new systems. If a part is left out, its levels in
 * other systems might be stricter than the rest of the text says: parts in those systems are left
 * out, too.
 */
function inNewSystems(merged: readonly Part[], parts: readonly Part[]): readonly Part[] {
  const taken = new Set(merged.flatMap(({ levelIndexes }) => [...levelIndexes.keys()]));
  const isTaken = ({ levelIndexes }: Part): boolean =>
    [...levelIndexes.keys()].some((id) => taken.has(id));
  let kept = parts;
  for (let left = kept.filter(isTaken); left.length > 0; left = kept.filter(isTaken)) {
    for (const { levelIndexes } of left) for (const id of levelIndexes.keys()) taken.add(id);
    kept = kept.filter((one) => !left.includes(one));
  }
  return kept;
}

/** Removes parts that a stricter or equal part covers; each is spelled in its shortest form. */
function shortened(merged: readonly Part[]): readonly Part[] {
  const kept = [...merged];
  for (const part of merged.toReversed()) {
    const others = kept.filter((one) => one !== part);
    const isSaid = [...part.levelIndexes].every(([id, index]) =>
      others.some(({ levelIndexes }) => (levelIndexes.get(id) ?? -1) >= index),
    );
    if (isSaid && others.length > 0) kept.splice(kept.indexOf(part), 1);
  }
  return kept.map((part) => ({ ...part, text: shortest(part) }));
}

const partOf = (text: string): Part => ({
  text: text.trim().replace(/\s+/g, ' '),
  levelIndexes: levelIndexesOf(text),
});

function levelIndexesOf(text: string): ReadonlyMap<string, number> {
  const key = keyOf(text);
  const levelIndexes = [...readers].flatMap(([id, reader]) => {
    const index = levelIndexOf(reader, key);
    return index === undefined ? [] : [[id, index] as const];
  });
  return new Map(levelIndexes);
}

/** Of one system: the label alone where it is unambiguous, otherwise with the system's name. */
function shortest({ text, levelIndexes }: Part): string {
  const [only, ...others] = levelIndexes;
  if (only === undefined || others.length > 0) return text;
  const [system, index] = only;
  const label = readers.get(system)?.system.levels[index]?.label;
  if (label === undefined) return text;
  const isClear = [...levelIndexesOf(label)].every(
    ([id, there]) => id === system && there === index,
  );
  return isClear && levelIndexesOf(label).size > 0 ? label : limitText({ system, label });
}
