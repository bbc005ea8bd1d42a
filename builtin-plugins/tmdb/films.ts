/** Which film of TMDB a file is. */
import type { Identification, IndexCandidate, IndexFile } from '../../plugin-api/index.ts';
import type { Ask } from '../catalogue-lookup/ask.ts';
import {
  choose,
  leastConfidence,
  rank,
  type Entry,
  type Question,
  type Scored,
} from '../catalogue-lookup/score.ts';
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
import { toIdentification } from './details.ts';

/** The catalogue, where its pictures are, and the language of titles. */
export interface Catalogue {
  readonly ask: Ask;
  readonly imageBaseUrl: string;
  readonly language: string;
}

/** The candidates for a search, best first. */
export async function candidates(
  question: Question,
  catalogue: Catalogue,
): Promise<readonly IndexCandidate[]> {
  const found = await search(question, catalogue);
  return found.flatMap(({ entry, confidence }) => {
    const [id, title] = [idOf(entry['id']), textOf(entry['title'])];
    if (id === undefined || title === undefined) return [];
    const poster = textOf(entry['poster_path']);
    const more = present({
      year: yearOf(entry['release_date']),
      overview: textOf(entry['overview']),
      url: `https://www.themoviedb.org/movie/${id}`,
      imageUrl: poster === undefined ? undefined : `${catalogue.imageBaseUrl}/w342${poster}`,
    });
    return [{ id, title, confidence, ...more }];
  });
}

/** What a file is, or `null`. */
export async function identify(
  file: IndexFile,
  catalogue: Catalogue,
): Promise<Identification | null> {
  if (file.known === undefined && file.match === undefined) return null;
  const chosen = await chosenFor(file, catalogue);
  const id = idOf(chosen?.entry['id']);
  if (chosen === null || id === undefined) return null;
  const film = partOf(await catalogue.ask(filmPath(id, catalogue)));
  return toIdentification({ id, film, confidence: chosen.confidence }, catalogue);
}

async function chosenFor(file: IndexFile, catalogue: Catalogue): Promise<Scored<Part> | null> {
  if (file.match) return { entry: { id: file.match.id }, confidence: 1 };
  const { title = '', metadata = {}, ids = {} } = file.known ?? {};
  const imdb = idOf(partOf(ids['imdb'])['id']);
  if (imdb !== undefined && /^tt\d+$/.test(imdb)) {
    const found = partOf(await catalogue.ask(`/find/${imdb}?external_source=imdb_id`));
    const [entry] = partsOf(found['movie_results']);
    if (entry) return { entry, confidence: 0.99 };
  }
  const question = { title, year: numberOf(metadata['year']) };
  const first = choose(await search(question, catalogue));
  if (isSure(first)) return first;
  const [alternative] = textsOf(metadata['alternativeTitles']);
  if (alternative === undefined) return first;
  const second = choose(await search({ ...question, title: alternative }, catalogue));
  return isSure(second) ? second : first;
}

const isSure = (scored: Scored<Part> | null): boolean =>
  (scored?.confidence ?? 0) >= leastConfidence;

/** With the year, and without it if no film of that year fits. */
async function search(
  question: Question,
  { ask, language }: Catalogue,
): Promise<readonly Scored<Part>[]> {
  const query = `/search/movie?query=${encodeURIComponent(question.title)}&language=${language}&include_adult=false`;
  const asked = async (path: string) =>
    rank(question, partsOf(partOf(await ask(path))['results']), describe);
  if (question.year === undefined) return asked(query);
  const found = await asked(`${query}&year=${question.year}`);
  return isSure(choose(found)) ? found : asked(query);
}

const describe = (film: Part): Entry => ({
  title: textOf(film['title']) ?? '',
  otherTitles: textsOf([film['original_title']]),
  year: yearOf(film['release_date']),
});

const appended = 'credits,external_ids,release_dates,translations,images';

function filmPath(id: string, { language }: Catalogue): string {
  const [short] = language.split('-');
  return `/movie/${encodeURIComponent(id)}?language=${language}&append_to_response=${appended}&include_image_language=${short},en,null`;
}
