/** Which film of Wikidata a file is. A batch of files shares its questions: see the README. */
import type { Identification, IndexFile } from '../../plugin-api/index.ts';
import type { Ask } from '../catalogue-lookup/ask.ts';
import type { Found, ListedEntry, Lookup, Wanted } from '../catalogue-lookup/lookup.ts';
import type { Question } from '../catalogue-lookup/score.ts';
import { idOf, numberOf, partOf, present, textsOf, type Part } from '../catalogue-lookup/values.ts';
import { namedItems, toIdentification } from './details.ts';
import {
  isItemId,
  labelOf,
  plainOf,
  titlesOf,
  wholeEntities,
  yearIn,
  type Entities,
} from './entities.ts';
import { namesOf } from './names.ts';
import { searchFilms, slimmed } from './search.ts';
import { summariesOf, type AskIn } from './wikipedia.ts';

/** Wikidata, Wikipedia, where pictures are, and the languages in the order of preference. */
export interface Catalogue {
  readonly ask: Ask;
  readonly askWikipedia: AskIn;
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
  /** Those of the library, in which an answer has texts beside the best ones. */
  readonly textLanguages: readonly string[];
}

export function filmLookup(catalogue: Catalogue): Lookup {
  const store = createStore(catalogue);
  return {
    questionOf,
    search: (wanted) => searchAll(wanted, catalogue, store),
    write: (found) => writeAll(found, catalogue, store),
  };
}

/** Whole entities of one call: each is asked for once. */
type Store = ReturnType<typeof createStore>;

function createStore({ ask, languages }: Catalogue) {
  const known = new Map<string, Part>();
  const keep = (id: string, entity: Part): void => void known.set(id, slimmed(entity, languages));
  return {
    keep,
    /** Asks for those that are not there, and gives all. */
    load: async (ids: readonly string[]): Promise<Entities> => {
      const missing = ids.filter((id) => isItemId(id) && !known.has(id));
      const found = await wholeEntities(missing, ask, languages);
      for (const [id, one] of found) keep(id, one);
      return known;
    },
  };
}

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
  store: Store,
): Promise<readonly PromiseSettledResult<readonly ListedEntry[]>[]> {
  const searched = await Promise.allSettled(
    wanted.map(async ({ title, question }) => {
      const found = await searchFilms(title, question.ids?.['imdb'], ask);
      for (const { id, entity } of found) if (entity !== undefined) store.keep(id, entity);
      return found.map(({ id }) => id);
    }),
  );
  const ids = searched.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const [loaded] = await Promise.allSettled([store.load(ids)]);
  if (loaded.status === 'rejected') return wanted.map(() => loaded);
  return searched.map((one) => {
    if (one.status === 'rejected') return one;
    const value = one.value.flatMap((id) => listed(id, loaded.value.get(id), languages));
    return { status: 'fulfilled', value };
  });
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
  store: Store,
): Promise<readonly PromiseSettledResult<Identification | null>[]> {
  const { ask, askWikipedia, languages } = catalogue;
  const prepare = async () => {
    const loaded = await store.load(found.map(({ id }) => id));
    const films = found.flatMap(({ id }) => {
      const entity = loaded.get(id);
      return entity === undefined ? [] : [{ ...entity, id }];
    });
    const [known, summaries] = await Promise.all([
      namesOf(namedItems(films), ask, { films, languages }),
      summariesOf(films, askWikipedia, catalogue),
    ]);
    return { loaded, ...known, summaries };
  };
  const [ready] = await Promise.allSettled([prepare()]);
  if (ready.status === 'rejected') return found.map(() => ready);
  const { loaded, ...texts } = ready.value;
  return found.map(({ id, confidence }) => ({
    status: 'fulfilled',
    value: toIdentification({ id, confidence, film: loaded.get(id) }, { ...catalogue, ...texts }),
  }));
}
