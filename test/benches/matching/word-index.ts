/** Finds things by the words of their titles, as the searches of catalogues do. */
import { foldTitle } from '../../../builtin-plugins/catalogue-lookup/titles.ts';

/** The things that have most of the telling words of a text, best first. */
export type FindByWords<One> = (text: string, most: number) => readonly One[];

/** Creates the index. Words that every twentieth thing has are looked at only if there are no others. */
export function createWordIndex<One>(
  all: readonly One[],
  titlesOf: (one: One) => readonly string[],
): FindByWords<One> {
  const places = new Map<string, Set<number>>();
  all.forEach((one, at) => {
    for (const word of titlesOf(one).flatMap(wordsOf)) {
      const known = places.get(word) ?? new Set();
      places.set(word, known.add(at));
    }
  });
  return (text, most) => {
    const words = [...new Set(wordsOf(text))];
    const telling = words.filter((word) => (places.get(word)?.size ?? 0) < all.length / 20);
    const weights = new Map<number, number>();
    for (const word of telling.length > 0 ? telling : words) {
      const found = places.get(word);
      const weight = Math.log(1 + all.length / (found?.size ?? 1));
      for (const at of found ?? []) weights.set(at, (weights.get(at) ?? 0) + weight);
    }
    return [...weights]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .slice(0, most)
      .flatMap(([at]) => all[at] ?? []);
  };
}

const wordsOf = (text: string): readonly string[] => foldTitle(text).split(' ').filter(Boolean);
