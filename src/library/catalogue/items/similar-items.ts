/** Titles like another one: of the same people, series and genres, the rarest of them first. */
import type { Queries } from '../../../../kernel/store/index.ts';
import type { Scope } from '../access/index.ts';
import { readNear, readSharers, readTraits, type Sharer, type Trait } from './similar-store.ts';

/** What each type of entity says about an item: a series more than a person, a person more than a genre. */
const weights: Readonly<Record<string, number>> = {
  series: 3,
  person: 1.5,
  artist: 1.5,
  genre: 1,
  studio: 0.5,
};
const traitTypes = Object.keys(weights);

/** So many traits of an item are looked at, the rarest first: a film may have a hundred people. */
const mostTraits = 30;
/** So many items of each are compared on either side of the item: a genre may have half of a library. */
const mostOfTrait = 100;
/** So many items are compared in all, those of the rarest traits first. */
const mostCandidates = 1000;
/** Years that halve what the same time adds. */
const yearsApart = 10;

/**
 * The ids of items like one, the most similar first: of libraries of its type, as far as the scope shows
 * them. Its cost does not grow with the library.
 */
export async function findSimilar(
  db: Queries,
  item: { readonly no: number; readonly year: number | null; readonly libraryType: string },
  { scope, most }: { readonly scope: Scope; readonly most: number },
): Promise<readonly string[]> {
  const { showsHidden } = scope;
  const all = await readTraits(db, item.no, { types: traitTypes, showsHidden });
  const traits = all.toSorted((one, other) => one.items - other.items).slice(0, mostTraits);
  if (traits.length === 0) return [];
  const near = await Promise.all(
    traits.map(({ entityNo }) => readNear(db, { entityNo, itemNo: item.no, most: mostOfTrait })),
  );
  const candidates = [...new Set(near.flat())].slice(0, mostCandidates);
  const libraries = scope.libraries.filter(({ type }) => type === item.libraryType);
  const sharers = await readSharers(db, candidates, {
    entityNos: traits.map(({ entityNo }) => entityNo),
    scope: { libraries },
  });
  const scoreOf = createScore(traits, item.year ?? 0);
  return sharers
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .toSorted((one, other) => other.score - one.score || one.no - other.no)
    .slice(0, most)
    .map(({ id }) => id);
}

/** The sum of what is shared, each trait by how rare it is, and a little for the same time. */
function createScore(traits: readonly Trait[], year: number): (one: Sharer) => number {
  const worth = new Map(
    traits.map(({ entityNo, type, items }) => [
      entityNo,
      (weights[type] ?? 0) / Math.log2(2 + items),
    ]),
  );
  return ({ entityNos, year: other }) => {
    const shared = entityNos.reduce((sum, no) => sum + (worth.get(no) ?? 0), 0);
    const isKnown = year > 0 && other > 0;
    return shared + (isKnown ? 0.1 * 2 ** (-Math.abs(year - other) / yearsApart) : 0);
  };
}
