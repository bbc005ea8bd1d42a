/** Wikidata and Wikipedia as their documentation describes them: films that are made up. */
import { hasWordOf, startMadeService, type MadeService } from './made-service.ts';

/** A film that Wikidata knows; its article is in German and English. */
export interface MadeItem {
  readonly id: string;
  readonly title: string;
  /** Its titles in other languages than English, by their codes. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly year: number;
  readonly imdb?: string;
}

/** Starts both at one address: pictures below `/pictures/`, Wikipedia below `/de` and `/en`. */
export const startWikimedia = (
  films: readonly MadeItem[],
  picture: Uint8Array,
): Promise<MadeService> =>
  startMadeService({
    picture,
    pictures: '/pictures/',
    answer: ({ path, query, url }) =>
      wikimediaReply(films, new URL(`${url}${path}?${query.toString()}`)),
  });

/** The reply of either to a question. */
export function wikimediaReply(films: readonly MadeItem[], { searchParams }: URL): unknown {
  const ask = (name: string): string => searchParams.get(name) ?? '';
  const ids = ask('ids').split('|');
  if (ask('action') === 'wbgetentities') {
    const found = ids.map((id) => [id, entity(id, films, ask('props'))] as const);
    return { entities: Object.fromEntries(found), success: 1 };
  }
  if (ask('generator') === 'search') return searched(films, searchParams);
  const titles = ask('titles').split('|');
  if (ask('prop') === 'pageimages|entityterms') {
    const terms = termsIn(ask('wbetlanguage'));
    return (
      terms && { query: { pages: titles.map((title) => ({ ns: 0, title, ...terms(title) })) } }
    );
  }
  if (ask('prop') !== 'extracts') return undefined;
  const extract = (title: string): string => `${title.replace(' (film)', '')} is a film.`;
  return {
    query: {
      pages: titles.map((title) => ({ title, extract: extract(title) })),
    },
  };
}

/** Pages come in the order of their numbers, each with its place in the search. */
function searched(films: readonly MadeItem[], asked: URLSearchParams): object {
  const text = asked.get('gsrsearch') ?? '';
  const imdb = /P345=(tt\d+)/.exec(text)?.[1];
  const [words = ''] = text.split('haswbstatement');
  // The search ranks the same title first.
  const pages = films
    .filter((one) =>
      imdb === undefined
        ? [one.title, ...Object.values(one.titles ?? {})].some((title) => hasWordOf(title, words))
        : one.imdb === imdb,
    )
    .toSorted((a, b) => Number(b.title === words.trim()) - Number(a.title === words.trim()))
    .slice(0, Number(asked.get('gsrlimit')))
    .map(({ id }, at) => ({
      pageid: Number(id.slice(1)),
      ns: 0,
      title: id,
      index: at + 1,
      ...(asked.get('prop') === 'revisions' && {
        revisions: [
          {
            slots: {
              main: {
                contentmodel: 'wikibase-item',
                contentformat: 'application/json',
                content: JSON.stringify(entity(id, films, '')),
              },
            },
          },
        ],
      }),
    }))
    .toSorted((one, other) => one.pageid - other.pageid);
  return { batchcomplete: true, query: { pages } };
}

/** Labels of one language, which has to be one that Wikidata knows. Some people have a name for all languages only. */
function termsIn(language: string): ((id: string) => object) | undefined {
  if (!/^(?:de|en|fr|pt-br)$/.test(language)) return undefined;
  return (id) => ({
    pageimage: `Photo_${id}.jpg`,
    ...(!isNameless(id) && { entityterms: { label: [`Person ${id}`] } }),
  });
}

const isNameless = (id: string): boolean => Number(id.slice(1)) % 10 === 9;

function entity(id: string, films: readonly MadeItem[], props: string): object {
  const film = films.find((one) => one.id === id);
  const name = film?.title ?? `Person ${id}`;
  const own = { [film === undefined && isNameless(id) ? 'mul' : 'en']: name, ...film?.titles };
  const labels = Object.fromEntries(
    Object.entries(own).map(([language, value]) => [language, { language, value }]),
  );
  if (film === undefined || props === 'labels') return { id, type: 'item', labels };
  const at = Number(id.slice(1));
  const article = { title: `${name} (film)` };
  const claims = {
    P577: [claim({ time: `+${film.year}-05-06T00:00:00Z` })],
    P161: [claim({ id: `Q${9_000_000 + at}` })],
    P57: [claim({ id: `Q${9_100_000 + at}` })],
    P3383: [claim(`Poster ${id}.png`)],
    P1476: [claim({ text: name, language: 'en' })],
    ...(film.imdb !== undefined && { P345: [claim(film.imdb)] }),
  };
  const sitelinks = { dewiki: article, enwiki: article };
  return { id, type: 'item', labels, aliases: [], claims, sitelinks };
}

const claim = (value: unknown): object => ({
  mainsnak: { snaktype: 'value', datavalue: { value } },
  rank: 'normal',
});
