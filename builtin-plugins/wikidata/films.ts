/** Which film of Wikidata a file is. A batch of files shares its questions: see the README. */
import type { IndexFile } from '../../plugin-api/index.ts';
import type { Ask } from '../catalogue-lookup/ask.ts';
import type { Found, ListedEntry, Lookup, Wanted } from '../catalogue-lookup/lookup.ts';
import type { Question } from '../catalogue-lookup/score.ts';
import {
  idOf,
  numberOf,
  partOf,
  partsOf,
  present,
  textsOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import {
  isItemId,
  labelledEntities,
  labelOf,
  plainOf,
  titlesOf,
  wholeEntities,
  yearIn,
  type Entities,
} from './entities.ts';
import { namedItems, toIdentification } from './details.ts';
import { photosOf } from './photos.ts';
import { summariesOf, type AskIn } from './wikipedia.ts';

/** Wikidata, Wikipedia, where pictures are, and the languages in the order of preference. */
export interface Catalogue {
  readonly ask: Ask;
  readonly askWikipedia: AskIn;
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
}

/** Films, and kinds of films that Wikidata does not call just that. */
const films = [
  'Q11424', // film
  'Q24869', // feature film
  'Q202866', // animated film
  'Q506240', // television film
  'Q226730', // silent film
  'Q24862', // short film
  'Q93204', // documentary film
  'Q29168811', // animated feature film
  'Q20650540', // anime film
  'Q17517379', // animated short film
  'Q18011172', // film project
];
const isFilm = `haswbstatement:${films.map((id) => `P31=${id}`).join('|')}`;

/** Of one search, so many are looked at. */
const most = 3;

/** Films of Wikidata. */
export function filmLookup(catalogue: Catalogue): Lookup {
  /** Each whole entity is asked for once. */
  const known = new Map<string, Part>();
  const load = async (ids: readonly string[]): Promise<Entities> => {
    const missing = ids.filter((id) => isItemId(id) && !known.has(id));
    const found = await wholeEntities(missing, catalogue.ask, catalogue.languages);
    for (const [id, one] of found) known.set(id, one);
    return known;
  };
  return {
    questionOf,
    search: (wanted) => searchAll(wanted, catalogue, load),
    write: (found) => writeAll(found, catalogue, load),
  };
}

type Load = (ids: readonly string[]) => Promise<Entities>;

function questionOf({ known, duration }: IndexFile): Question | null {
  if (known === undefined) return null;
  const imdb = idOf(partOf(known.ids['imdb'])['id']);
  return {
    title: known.title,
    otherTitles: textsOf(known.metadata['alternativeTitles']),
    year: numberOf(known.metadata['year']),
    duration,
    ...(imdb !== undefined && /^tt\d+$/.test(imdb) && { ids: { imdb } }),
  };
}

async function searchAll(
  wanted: readonly Wanted[],
  { ask, languages }: Catalogue,
  load: Load,
): Promise<readonly PromiseSettledResult<readonly ListedEntry[]>[]> {
  const searched = await Promise.allSettled(wanted.map((one) => search(one, ask)));
  const ids = searched.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const [loaded] = await Promise.allSettled([load(ids)]);
  if (loaded.status === 'rejected') return wanted.map(() => loaded);
  return searched.map((one) => {
    if (one.status === 'rejected') return one;
    const value = one.value.flatMap((id) => listed(id, loaded.value.get(id), languages));
    return { status: 'fulfilled', value };
  });
}

async function search({ title, question }: Wanted, ask: Ask): Promise<readonly string[]> {
  const imdb = question.ids?.['imdb'];
  // What has a meaning in a search is left out, so that it is only words.
  const words = title.replace(/["\\:~*?|!<>=()[\]{}/-]+/g, ' ').trim();
  const wanted = imdb === undefined ? `${words} ${isFilm}` : `haswbstatement:P345=${imdb}`;
  const found = await ask(
    `/w/api.php?action=query&format=json&formatversion=2&list=search&srprop=&srlimit=${most}&srsearch=${encodeURIComponent(wanted)}`,
  );
  return partsOf(partOf(partOf(found)['query'])['search'])
    .map((one) => one['title'])
    .filter(isItemId)
    .slice(0, most);
}

function listed(
  id: string,
  entity: Part | undefined,
  languages: readonly string[],
): readonly ListedEntry[] {
  const title = labelOf(entity, languages);
  if (entity === undefined || title === undefined) return [];
  const imdb = plainOf(entity, 'P345');
  const more = present({ year: yearIn(entity, 'P577'), ids: imdb && { imdb } });
  const url = `https://www.wikidata.org/wiki/${id}`;
  return [{ id, title, otherTitles: titlesOf(entity), url, ...more }];
}

async function writeAll(
  found: readonly Found[],
  catalogue: Catalogue,
  load: Load,
): Promise<ReturnType<Lookup['write']> extends Promise<infer Written> ? Written : never> {
  const { ask, askWikipedia, languages } = catalogue;
  const prepare = async () => {
    const loaded = await load(found.map(({ id }) => id));
    const items = found.flatMap(({ id }) => {
      const entity = loaded.get(id);
      return entity === undefined ? [] : [{ ...entity, id }];
    });
    const { people, others } = namedItems(items);
    const [names, photos, summaries] = await Promise.all([
      labelledEntities([...people, ...others], ask, languages),
      photosOf(people, ask),
      summariesOf(items, askWikipedia, languages),
    ]);
    return { loaded, names, photos, summaries };
  };
  const [ready] = await Promise.allSettled([prepare()]);
  if (ready.status === 'rejected') return found.map(() => ready);
  const { loaded, ...texts } = ready.value;
  return found.map(({ id, confidence }) => ({
    status: 'fulfilled',
    value: toIdentification({ id, confidence, film: loaded.get(id) }, { ...catalogue, ...texts }),
  }));
}
