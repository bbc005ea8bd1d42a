/** Which film of TMDB a file is. */
import type { IndexFile } from '../../plugin-api/index.ts';
import { each, type ListedEntry, type Lookup, type Wanted } from '../catalogue-lookup/lookup.ts';
import type { Question } from '../catalogue-lookup/score.ts';
import {
  idOf,
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  textsOf,
  yearOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { inBest, picturesIn, type Catalogue } from './catalogue.ts';
import { toIdentification } from './details.ts';
import { withOtherTitles } from './other-titles.ts';

export function filmLookup(catalogue: Catalogue): Lookup {
  return {
    questionOf,
    search: each((wanted) => search(wanted, catalogue)),
    write: each(async ({ id, confidence }) => {
      const film = await wholeOf(id, catalogue);
      return toIdentification({ id, film, confidence }, catalogue);
    }),
  };
}

function questionOf({ known }: IndexFile): Question | null {
  if (known === undefined) return null;
  const ids = present({
    tmdb: idOf(partOf(known.ids['tmdb'])['id'])?.match(/^\d+$/)?.[0],
    imdb: idOf(partOf(known.ids['imdb'])['id'])?.match(/^tt\d+$/)?.[0],
  }) as Readonly<Record<string, string>>;
  return {
    title: known.title,
    otherTitles: textsOf(known.metadata['alternativeTitles']),
    year: numberOf(known.metadata['year']),
    ids,
  };
}

async function search(
  { title, year, question }: Wanted,
  catalogue: Catalogue,
): Promise<readonly ListedEntry[]> {
  const { tmdb, imdb } = question.ids ?? {};
  if (tmdb !== undefined) {
    const film = partOf(await catalogue.ask(`/movie/${tmdb}?${inBest(catalogue)}`));
    const known = listed(film, catalogue);
    if (known.length > 0) return known.map((one) => ({ ...one, ids: { tmdb } }));
  }
  if (imdb !== undefined) {
    const found = partOf(await catalogue.ask(`/find/${imdb}?external_source=imdb_id`));
    const films = partsOf(found['movie_results']).flatMap((one) => listed(one, catalogue));
    if (films.length > 0) return films.map((film) => ({ ...film, ids: { imdb } }));
  }
  const words = `query=${encodeURIComponent(title)}&${inBest(catalogue)}`;
  const inYear = year === undefined ? '' : `&year=${year}`;
  const found = await catalogue.ask(`/search/movie?${words}&include_adult=false${inYear}`);
  const films = partsOf(partOf(found)['results']).flatMap((one) => listed(one, catalogue));
  return withOtherTitles(films, { question }, (id) => wholeOf(id, catalogue));
}

function listed(film: Part, { imageBaseUrl }: Catalogue): readonly ListedEntry[] {
  const [id, title] = [idOf(film['id']), textOf(film['title'])];
  if (id === undefined || title === undefined) return [];
  const poster = textOf(film['poster_path']);
  const more = present({
    year: yearOf(film['release_date']),
    overview: textOf(film['overview']),
    imageUrl: poster === undefined ? undefined : `${imageBaseUrl}/w342${poster}`,
  });
  const otherTitles = textsOf([film['original_title']]);
  return [{ id, title, otherTitles, url: `https://www.themoviedb.org/movie/${id}`, ...more }];
}

const appended = 'credits,external_ids,release_dates,translations,alternative_titles,images';

const wholeOf = async (id: string, catalogue: Catalogue): Promise<Part> =>
  partOf(await catalogue.ask(filmPath(id, catalogue)));

const filmPath = (id: string, catalogue: Catalogue): string =>
  `/movie/${encodeURIComponent(id)}?${inBest(catalogue)}&append_to_response=${appended}&${picturesIn(catalogue)}`;
