/** Which series of TMDB a file belongs to, and which of its episodes it is. */
import type { IndexFile } from '../../plugin-api/index.ts';
import {
  each,
  type Found,
  type ListedEntry,
  type Lookup,
  type Wanted,
} from '../catalogue-lookup/lookup.ts';
import { languageIn } from '../catalogue-lookup/languages.ts';
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
import { isPlain, toEpisode } from './episode.ts';
import { withOtherTitles } from './other-titles.ts';
import { hasTextsIn } from './parts.ts';

export function seriesLookup(catalogue: Catalogue): Lookup {
  return {
    questionOf,
    search: each((wanted) => search(wanted, catalogue)),
    write: each((found) => write(found, catalogue)),
  };
}

/** Ids by which TMDB finds entries, with their names there. */
const foreign = { imdb: 'imdb_id', tvdb: 'tvdb_id' } as const;

function questionOf({ known }: IndexFile): Question | null {
  const title = textOf(known?.metadata['series']);
  if (known === undefined || title === undefined) return null;
  const idIn = (provider: string): string | undefined =>
    idOf(partOf(known.showIds?.[provider] ?? known.ids[provider])['id']);
  const ids = present({
    // The id of an episode is another one.
    tmdb: idOf(partOf(known.showIds?.['tmdb'])['id'])?.match(/^\d+$/)?.[0],
    imdb: idIn('imdb')?.match(/^tt\d+$/)?.[0],
    tvdb: idIn('tvdb')?.match(/^\d+$/)?.[0],
  }) as Readonly<Record<string, string>>;
  return { title, year: numberOf(known.metadata['year']), ids };
}

async function search(
  { title, year, question }: Wanted,
  catalogue: Catalogue,
): Promise<readonly ListedEntry[]> {
  const tmdb = question.ids?.['tmdb'];
  if (tmdb !== undefined) {
    const show = partOf(await catalogue.ask(`/tv/${tmdb}?${inBest(catalogue)}`));
    const known = listed(show, catalogue);
    if (known.length > 0) return known.map((one) => ({ ...one, ids: { tmdb } }));
  }
  for (const [provider, name] of Object.entries(foreign)) {
    const id = question.ids?.[provider];
    if (id === undefined) continue;
    const found = partOf(await catalogue.ask(`/find/${id}?external_source=${name}`));
    const shows = partsOf(found['tv_results']).flatMap((one) => listed(one, catalogue));
    const ofEpisodes = partsOf(found['tv_episode_results']).flatMap(({ show_id: show }) => {
      const showId = idOf(show);
      return showId === undefined ? [] : [{ id: showId, title: question.title }];
    });
    const all = [...shows, ...ofEpisodes];
    if (all.length > 0) return all.map((one) => ({ ...one, ids: { [provider]: id } }));
  }
  const words = `query=${encodeURIComponent(title)}&${inBest(catalogue)}`;
  const inYear = year === undefined ? '' : `&first_air_date_year=${year}`;
  const found = await catalogue.ask(`/search/tv?${words}&include_adult=false${inYear}`);
  const shows = partsOf(partOf(found)['results']).flatMap((one) => listed(one, catalogue));
  return withOtherTitles(shows, { question }, (id) => wholeOf(id, catalogue));
}

function listed(show: Part, { imageBaseUrl }: Catalogue): readonly ListedEntry[] {
  const [id, title] = [idOf(show['id']), textOf(show['name'])];
  if (id === undefined || title === undefined) return [];
  const poster = textOf(show['poster_path']);
  const more = present({
    year: yearOf(show['first_air_date']),
    overview: textOf(show['overview']),
    imageUrl: poster === undefined ? undefined : `${imageBaseUrl}/w342${poster}`,
  });
  const otherTitles = textsOf([show['original_name']]);
  return [{ id, title, otherTitles, url: `https://www.themoviedb.org/tv/${id}`, ...more }];
}

const appended =
  'aggregate_credits,external_ids,content_ratings,translations,alternative_titles,images';

const pathOf = (id: string): string => `/tv/${encodeURIComponent(id)}`;

const wholeOf = async (id: string, catalogue: Catalogue): Promise<Part> =>
  partOf(
    await catalogue.ask(
      `${pathOf(id)}?${inBest(catalogue)}&append_to_response=${appended}&${picturesIn(catalogue)}`,
    ),
  );

async function write(found: Found, catalogue: Catalogue) {
  const { ask, languages, textLanguages } = catalogue;
  const path = pathOf(found.id);
  const show = await wholeOf(found.id, catalogue);
  const place = placeOf(show, found.file.known?.metadata ?? {});
  if (place === null) return null;
  const seasons = new Map<string, Part>();
  const inLanguage = async (one: string): Promise<Part | undefined> => {
    const season = partOf(await ask(`${path}/season/${place.season}?language=${one}`));
    seasons.set(languageIn(one), season);
    return partsOf(season['episodes']).find(place.isEpisode);
  };
  const [best = 'en', ...others] = distinct(languages);
  const episode = await inLanguage(best);
  if (episode === undefined) return null;
  const translations = new Map([[languageIn(best), episode]]);
  const isShown = (tag: string): boolean =>
    textLanguages.length > 1 && textLanguages.some((one) => languageIn(one) === languageIn(tag));
  for (const tag of others.filter((one) => hasTextsIn(show, one)).slice(0, mostLookedAt)) {
    if (!isShown(tag) && [...translations.values()].some(isTranslated)) continue;
    translations.set(languageIn(tag), (await inLanguage(tag)) ?? {});
  }
  const { id, confidence } = found;
  return toEpisode(
    { id, confidence, show, episode, translations, season: place.season, seasons },
    catalogue,
  );
}

/** One tag of each language: TMDB answers `de` as `de-DE`. */
const distinct = (tags: readonly string[]): readonly string[] =>
  tags.filter((tag, at) => tags.findIndex((one) => languageIn(one) === languageIn(tag)) === at);

/**
 * Each further language of the library, and each one that is looked at since those before it lack a
 * text, costs a request for the season.
 */
const mostLookedAt = 3;

const isTranslated = (episode: Part): boolean =>
  textOf(episode['overview']) !== undefined && !isPlain(episode);

interface Place {
  readonly season: number;
  readonly isEpisode: (episode: Part) => boolean;
}

/** By its numbers, by its number in the whole series, or by its day. */
function placeOf(show: Part, facts: Part): Place | null {
  const [episode, absolute] = [numberOf(facts['episode']), numberOf(facts['absoluteEpisode'])];
  const season = numberOf(facts['season']);
  const day = textOf(facts['airDate']);
  if (episode !== undefined) return numbered(season ?? 1, episode);
  if (absolute !== undefined) return counted(show, absolute);
  if (day === undefined) return null;
  const started = seasonsOf(show).findLast(
    ({ airDate }) => airDate !== undefined && airDate <= day,
  );
  if (started === undefined) return null;
  return { season: started.number, isEpisode: (one) => one['air_date'] === day };
}

const numbered = (season: number, episode: number): Place => ({
  season,
  isEpisode: (one) => one['episode_number'] === episode,
});

/** Specials do not count. */
function counted(show: Part, absolute: number): Place | null {
  let left = absolute;
  for (const { number, count } of seasonsOf(show)) {
    if (left <= count) return numbered(number, left);
    left -= count;
  }
  return null;
}

const seasonsOf = (show: Part) =>
  partsOf(show['seasons'])
    .map((one) => ({
      number: numberOf(one['season_number']) ?? 0,
      count: numberOf(one['episode_count']) ?? 0,
      airDate: textOf(one['air_date']),
    }))
    .filter(({ number }) => number > 0)
    .toSorted((one, other) => one.number - other.number);
