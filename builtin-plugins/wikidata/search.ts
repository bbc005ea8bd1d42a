/** Searches for films. One question gives the films with all that is known of them. */
import { isTooLarge, NotNow, type Ask } from '../catalogue-lookup/ask.ts';
import { numberOf, partOf, partsOf, textOf, type Part } from '../catalogue-lookup/values.ts';
import { isItemId } from './entities.ts';

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

/** An entity that was found; without its content where that is too large for a reply. */
export interface FoundEntity {
  readonly id: string;
  readonly entity?: Part;
}

/** By the words of a title, or by an id of IMDb; the best first. */
export async function searchFilms(
  title: string,
  imdb: string | undefined,
  ask: Ask,
): Promise<readonly FoundEntity[]> {
  // What has a meaning in a search is left out, so that it is only words.
  const words = title.replace(/["\\:~*?|!<>=()[\]{}/-]+/g, ' ').trim();
  const wanted = imdb === undefined ? `${words} ${isFilm}` : `haswbstatement:P345=${imdb}`;
  const search = `/w/api.php?action=query&format=json&formatversion=2&generator=search&gsrlimit=${most}&gsrsearch=${encodeURIComponent(wanted)}`;
  try {
    return pagesIn(await ask(`${search}&prop=revisions&rvprop=content&rvslots=main`));
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return pagesIn(await ask(search));
  }
}

/** The pages of a reply, in the order of the search. */
function pagesIn(reply: unknown): readonly FoundEntity[] {
  return partsOf(partOf(partOf(reply)['query'])['pages'])
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .flatMap((page): readonly FoundEntity[] => {
      const { title: id } = page;
      if (!isItemId(id)) return [];
      const [revision] = partsOf(page['revisions']);
      const { content } = partOf(partOf(revision?.['slots'])['main']);
      return [{ id, ...(typeof content === 'string' && { entity: parsed(content) }) }];
    })
    .slice(0, most);
}

const rankOf = ({ index }: Part): number => numberOf(index) ?? most;

function parsed(content: string): Part {
  try {
    return partOf(JSON.parse(content) as unknown);
  } catch {
    throw new NotNow('The catalogue answers something that is not JSON.');
  }
}

/** Properties that are read. */
const properties = [
  ...['P57', 'P58', 'P86', 'P136', 'P154', 'P161', 'P18', 'P272'],
  ...['P345', 'P577', 'P1476', 'P3383', 'P4947'],
];

/** An entity without the much that nothing reads, since a batch keeps many of them. */
export function slimmed(entity: Part, languages: readonly string[]): Part {
  const [claims, sitelinks] = [partOf(entity['claims']), partOf(entity['sitelinks'])];
  const pick = (from: Part, keys: readonly string[]): Part =>
    Object.fromEntries(keys.flatMap((key) => (key in from ? [[key, from[key]]] : [])));
  return {
    labels: entity['labels'],
    aliases: entity['aliases'],
    claims: Object.fromEntries(
      Object.entries(pick(claims, properties)).map(([key, list]) => [
        key,
        partsOf(list).map(({ rank, mainsnak }) => ({ rank, mainsnak })),
      ]),
    ),
    sitelinks: pick(sitelinks, languages.map(siteOf)),
  };
}

/** The name of the Wikipedia of a language: `pt_brwiki`. */
export const siteOf = (language: string): string => `${language.replaceAll('-', '_')}wiki`;

/** The article of a film in a language. */
export const articleIn = (film: Part, language: string): string | undefined =>
  textOf(partOf(partOf(film['sitelinks'])[siteOf(language)])['title']);
