/** Names of what films name (people, genres, studios), and photos of people. */
import type { Ask } from '../catalogue-lookup/ask.ts';
import { partOf, textOf, textsOf, type Part } from '../catalogue-lookup/values.ts';
import { isItemId, labelledEntities, labelOf, pagesOf, portions } from './entities.ts';

/** What is known of these items, by their ids. */
export interface Known {
  readonly names: ReadonlyMap<string, string>;
  /** Names of files of Commons. */
  readonly photos: ReadonlyMap<string, string>;
}

const atOnce = 50;

/**
 * Asks for names and photos in one question, which knows one language. Names that this language does
 * not have are asked for in all others.
 */
export async function namesOf(
  ids: readonly string[],
  ask: Ask,
  { films, languages }: { readonly films: readonly Part[]; readonly languages: readonly string[] },
): Promise<Known> {
  const wanted = [...new Set(ids)];
  const language = languageOf(films, languages);
  const replies = await Promise.all(
    portions(wanted, atOnce).map((portion) =>
      ask(
        `/w/api.php?action=query&format=json&formatversion=2&prop=pageimages%7Centityterms&piprop=name&pilimit=${atOnce}&wbetterms=label&wbetlanguage=${language}&titles=${portion.join('%7C')}`,
      ),
    ),
  );
  const pages = replies.flatMap(pagesOf);
  const inBest = byTitle(pages, ({ entityterms: terms }) => textsOf(partOf(terms)['label'])[0]);
  const missing = wanted.filter((id) => !inBest.has(id));
  const others = await labelledEntities(missing, ask, languages);
  const inOthers = [...others].flatMap(([id, one]) => {
    const label = labelOf(one, languages);
    return label === undefined ? [] : [[id, label] as const];
  });
  return {
    names: new Map([...inBest, ...inOthers]),
    photos: byTitle(pages, ({ pageimage }) => textOf(pageimage)),
  };
}

/** The best language that Wikidata knows: it answers nothing in one that it does not. */
function languageOf(films: readonly Part[], languages: readonly string[]): string {
  const labels = films.map((film) => partOf(film['labels']));
  return languages.find((one) => labels.some((label) => label[one] !== undefined)) ?? 'en';
}

function byTitle(
  pages: readonly Part[],
  read: (page: Part) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap((page) => {
      const { title } = page;
      const value = read(page);
      return isItemId(title) && value !== undefined ? [[title, value] as const] : [];
    }),
  );
}
