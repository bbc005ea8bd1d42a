/** Which book of Open Library a file is. */
import type { IndexFile } from '../../plugin-api/index.ts';
import { each, type ListedEntry, type Lookup, type Wanted } from '../catalogue-lookup/lookup.ts';
import type { Question } from '../catalogue-lookup/score.ts';
import { foldTitle } from '../catalogue-lookup/titles.ts';
import {
  idOf,
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  textsOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { editionOf, idInKey, pictureAt, type Catalogue } from './catalogue.ts';
import { toIdentification } from './details.ts';
import { isbnOf } from './isbn.ts';

/** Books of Open Library: works, of which a file is an edition. */
export function bookLookup(catalogue: Catalogue): Lookup {
  /** What searches said of works: their details lack the names of authors. */
  const listed = new Map<string, Part>();
  return {
    questionOf,
    search: each((wanted) => search(wanted, catalogue, listed)),
    write: each(async ({ id, confidence, file }) => {
      if (idInKey(id, 'W') === undefined) return null;
      const known = listed.get(id) ?? (await worksFor(`q=key:/works/${id}`, catalogue))[0];
      if (known === undefined) return null;
      const work = partOf(await catalogue.ask(`/works/${id}.json`));
      return toIdentification({ id, listed: known, work, file, confidence }, catalogue);
    }),
  };
}

function questionOf({ known }: IndexFile): Question | null {
  if (known === undefined) return null;
  const { metadata } = known;
  const author = textOf(metadata['author']);
  const [series, volume] = [textOf(metadata['bookSeries']), numberOf(metadata['volume'])];
  const isbn = isbnOf(idOf(partOf(known.ids['isbn'])['id']));
  const short = known.title.replace(/(: | - | \().*$/, '');
  const own = [known.title, ...(short === known.title ? [] : [short])];
  const numbered = volume === undefined ? [] : numberedTitles(series ?? known.title, volume);
  const isNamed = series !== undefined && foldTitle(series) !== foldTitle(known.title);
  // A volume whose only name is that of its series is not the first one, which often has no number.
  const hasOwnTitle = volume === undefined || volume <= 1 || isNamed;
  const [title = known.title, ...otherTitles] = hasOwnTitle ? [...own, ...numbered] : numbered;
  return {
    title,
    otherTitles,
    year: numberOf(metadata['year']),
    people: author === undefined ? [] : namesIn(author),
    volume,
    ...(isbn !== undefined && { ids: { isbn } }),
  };
}

const numberedTitles = (series: string, volume: number): readonly string[] => [
  `${series}, Book ${volume}`,
  `${series} ${volume}`,
  `${series}, Vol. ${volume}`,
];

/** `Ada Reed, Ben Stone` are two, `Reed, Ada` is one: the whole counts too. */
const namesIn = (author: string): readonly string[] => [
  ...new Set([author, ...author.split(/[,;&]| and /).map((name) => name.trim())]),
];

const fields = [
  ...['key', 'title', 'subtitle', 'author_name', 'author_key', 'first_publish_year'],
  ...['publish_year', 'cover_i', 'ratings_average', 'ratings_count', 'subject'],
  ...['editions', 'editions.key', 'editions.title', 'editions.subtitle', 'editions.cover_i'],
  ...['editions.isbn', 'editions.language', 'editions.publisher'],
].join(',');

/** Asks a search; the first language chooses the edition of each work. */
async function worksFor(query: string, { ask, languages }: Catalogue): Promise<readonly Part[]> {
  const [language] = languages;
  const inLanguage = language === undefined ? '' : `&lang=${language}`;
  const found = await ask(`/search.json?${query}&fields=${fields}&limit=10${inLanguage}`);
  return partsOf(partOf(found)['docs']);
}

async function search(
  { title, question }: Wanted,
  catalogue: Catalogue,
  listed: Map<string, Part>,
): Promise<readonly ListedEntry[]> {
  const isbn = question.ids?.['isbn'];
  const byIsbn = isbn === undefined ? [] : await worksFor(`q=isbn:${isbn}`, catalogue);
  const works = byIsbn.length > 0 ? byIsbn : await named(title, question, catalogue);
  for (const work of works) {
    const id = idInKey(work['key'], 'W');
    if (id !== undefined) listed.set(id, work);
  }
  const ids = byIsbn.length > 0 && isbn !== undefined ? { isbn } : undefined;
  return works.flatMap((work) =>
    entryOf(work, question, catalogue).map((one) => ({ ...one, ...(ids && { ids }) })),
  );
}

/** By title and author; where nothing has both, by the words of the title. */
async function named(
  title: string,
  { people = [] }: Question,
  catalogue: Catalogue,
): Promise<readonly Part[]> {
  const words = wordsOf(title);
  const [author] = people.map(wordsOf);
  if (words === '') return [];
  if (author !== undefined && author !== '') {
    const query = `title=${encodeURIComponent(words)}&author=${encodeURIComponent(author)}`;
    const found = await worksFor(query, catalogue);
    if (found.length > 0) return found;
  }
  return worksFor(`q=${encodeURIComponent(words)}`, catalogue);
}

/** The words without what has a meaning in the language of queries. */
const wordsOf = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\p{M}']+/gu, ' ')
    .replace(/\b(AND|OR|NOT|TO)\b/g, (word) => word.toLowerCase())
    .trim();

const volumeWords = /\b(?:vol(?:ume)?|book|part|band|tome|#) ?\.? ?(\d{1,3})\b/i;

function entryOf(work: Part, { year }: Question, catalogue: Catalogue): readonly ListedEntry[] {
  const edition = editionOf(work);
  const [id, own] = [idInKey(work['key'], 'W'), textOf(work['title'])];
  const title = textOf(edition['title']) ?? own;
  if (id === undefined || title === undefined) return [];
  const full = [work, edition].flatMap((one) => {
    const [name, more] = [textOf(one['title']), textOf(one['subtitle'])];
    return name === undefined ? [] : [name, ...(more === undefined ? [] : [`${name}: ${more}`])];
  });
  const people = textsOf(work['author_name']);
  const volume = volumeWords.exec(full.join(' '))?.[1];
  const more = present({
    year: yearOf(work, year),
    volume: volume === undefined ? undefined : Number(volume),
    overview: people.length === 0 ? undefined : people.slice(0, 5).join(', '),
    imageUrl: pictureAt(catalogue, 'b', edition['cover_i'] ?? work['cover_i']),
  });
  const url = `https://openlibrary.org/works/${id}`;
  return [{ id, title, otherTitles: [...new Set(full)], people, url, ...more }];
}

/** The year of an edition; a file may be a later edition than Open Library knows. */
function yearOf(work: Part, asked: number | undefined): number | undefined {
  const first = numberOf(work['first_publish_year']);
  if (asked === undefined || first === undefined) return first;
  const years = work['publish_year'];
  if (Array.isArray(years) && years.includes(asked)) return asked;
  return asked > first + 1 ? undefined : first;
}
