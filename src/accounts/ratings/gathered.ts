/**
 * What several texts say of one title, as one text that says the same in every system: so an item keeps
 * what each country decided, and is within a limit of any of them. It is written in the fewest spellings,
 * since what the items of a library say is kept in memory, and compared in statements.
 */
import { limitText } from './rating-limit.ts';
import { keyOf, longestCertification, partsOf, placeOf, readers } from './reading.ts';

/** One part of a text. */
interface Voice {
  readonly text: string;
  /** Where it stands in the order of each system in which it says something. */
  readonly places: ReadonlyMap<string, number>;
}

/** Nobody writes so much of one title; in characters. */
const longestText = 1000;

/**
 * One certification of texts in the order of their rank: a later one is heard in systems in which none
 * before it says anything. A text alone of one part stays as it is spelled. Empty where nothing is left,
 * and where it would be longer than a certification may be: what is cut might be the stricter half.
 */
export function gatherCertifications(texts: readonly string[]): string {
  const heard: Voice[] = [];
  for (const text of texts) {
    const voices = text.length > longestText ? [] : partsOf(text).map(voiceOf);
    heard.push(...apartFrom(heard, voices));
  }
  const [only, ...others] = heard;
  const said = only === undefined || others.length === 0 ? heard : inFewWords(heard);
  const gathered = [...new Set(said.map(({ text }) => text))].join(' / ');
  return gathered.length > longestCertification ? '' : gathered;
}

/**
 * Those voices of a text that speak of no system that is spoken of. What a part that is left out says of
 * further systems is not known to be as mild as the rest of its text says: they are left out, too.
 */
function apartFrom(heard: readonly Voice[], voices: readonly Voice[]): readonly Voice[] {
  const taken = new Set(heard.flatMap(({ places }) => [...places.keys()]));
  const isTaken = ({ places }: Voice): boolean => [...places.keys()].some((id) => taken.has(id));
  let kept = voices;
  for (let left = kept.filter(isTaken); left.length > 0; left = kept.filter(isTaken)) {
    for (const { places } of left) for (const id of places.keys()) taken.add(id);
    kept = kept.filter((one) => !left.includes(one));
  }
  return kept;
}

/** Without what says nothing that a stricter part, or the same one, does not say; each named for short. */
function inFewWords(heard: readonly Voice[]): readonly Voice[] {
  const kept = [...heard];
  for (const voice of heard.toReversed()) {
    const others = kept.filter((one) => one !== voice);
    const isSaid = [...voice.places].every(([id, place]) =>
      others.some(({ places }) => (places.get(id) ?? -1) >= place),
    );
    if (isSaid && others.length > 0) kept.splice(kept.indexOf(voice), 1);
  }
  return kept.map((voice) => ({ ...voice, text: shortest(voice) }));
}

const voiceOf = (text: string): Voice => ({
  text: text.trim().replace(/\s+/g, ' '),
  places: placesOf(text),
});

function placesOf(text: string): ReadonlyMap<string, number> {
  const key = keyOf(text);
  const places = [...readers].flatMap(([id, reader]) => {
    const place = placeOf(reader, key);
    return place === undefined ? [] : [[id, place] as const];
  });
  return new Map(places);
}

/** Of one system: its label alone where that is clear, else with the system's name. */
function shortest({ text, places }: Voice): string {
  const [only, ...others] = places;
  if (only === undefined || others.length > 0) return text;
  const [system, place] = only;
  const label = readers.get(system)?.system.rungs[place]?.label;
  if (label === undefined) return text;
  const isClear = [...placesOf(label)].every(([id, there]) => id === system && there === place);
  return isClear && placesOf(label).size > 0 ? label : limitText({ system, label });
}
