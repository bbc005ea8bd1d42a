/** A film service without a network: it answers as TMDB documents it, and counts its requests. */
import { foldTitle } from '../../../builtin-plugins/catalogue-lookup/titles.ts';
import type { Film } from './made-films.ts';

export interface FilmService {
  /** The body of a reply; `null` = there is no such entry. */
  readonly answer: (url: URL) => unknown;
  readonly requests: () => number;
}

/** The length of a page, as documented. */
const pageLength = 20;

/** Creates it over the films. A search finds all titles, and lists the title and the original one. */
export function createFilmService(films: readonly Film[]): FilmService {
  const titles = films.map((film) =>
    [film.title, film.original, ...film.translations].map((title) => foldTitle(title)),
  );
  const places = new Map<string, Set<number>>();
  titles.forEach((all, at) => {
    for (const word of all.flatMap(wordsOf)) {
      const known = places.get(word) ?? new Set();
      places.set(word, known.add(at));
    }
  });
  let requests = 0;

  function search(query: string, year: string | null): readonly Film[] {
    const asked = foldTitle(query);
    const weights = new Map<number, number>();
    const words = [...new Set(wordsOf(asked))];
    const telling = words.filter((word) => (places.get(word)?.size ?? 0) < films.length / 20);
    for (const word of telling.length > 0 ? telling : words) {
      const found = places.get(word);
      const weight = Math.log(1 + films.length / (found?.size ?? 1));
      for (const at of found ?? []) {
        if (year !== null && String(films[at]?.year) !== year) continue;
        weights.set(at, (weights.get(at) ?? 0) + weight);
      }
    }
    const whole = (at: number): number => (titles[at]?.includes(asked) === true ? 1 : 0);
    return [...weights]
      .sort(([a, one], [b, other]) => whole(b) - whole(a) || other - one || a - b)
      .slice(0, pageLength)
      .flatMap(([at]) => films[at] ?? []);
  }

  return {
    requests: () => requests,
    answer: ({ pathname, searchParams }) => {
      requests += 1;
      if (pathname.endsWith('/search/movie')) {
        const found = search(searchParams.get('query') ?? '', searchParams.get('year'));
        return { page: 1, results: found.map(listed) };
      }
      const film = films[Number(pathname.split('/').at(-1)) - 1];
      return film === undefined ? null : { ...listed(film), runtime: film.minutes };
    },
  };
}

const wordsOf = (folded: string): readonly string[] => folded.split(' ');

const listed = ({ id, title, original, year }: Film): object => ({
  id,
  title,
  original_title: original,
  release_date: `${year}-05-06`,
});
