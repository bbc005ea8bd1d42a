/** Wikidata and Wikipedia as their documentation describes them: films that are made up. */
import { hasWordOf, startMadeService, type MadeService } from './made-service.ts';

/** A film that Wikidata knows; its article is in German and English. */
export interface MadeItem {
  readonly id: string;
  readonly title: string;
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
  if (ask('list') === 'search') return { query: { search: searched(films, ask('srsearch')) } };
  const titles = ask('titles').split('|');
  if (ask('prop') === 'pageimages')
    return {
      query: {
        pages: titles.map((title) => ({
          title,
          pageimage: `Photo_${title}.jpg`,
        })),
      },
    };
  if (ask('prop') !== 'extracts') return undefined;
  const extract = (title: string): string => `${title.replace(' (film)', '')} is a film.`;
  return {
    query: {
      pages: titles.map((title) => ({ title, extract: extract(title) })),
    },
  };
}

function searched(films: readonly MadeItem[], text: string): readonly object[] {
  const imdb = /P345=(tt\d+)/.exec(text)?.[1];
  const [words = ''] = text.split('haswbstatement');
  // The search ranks the same title first.
  return films
    .filter((one) => (imdb === undefined ? hasWordOf(one.title, words) : one.imdb === imdb))
    .toSorted((a, b) => Number(b.title === words.trim()) - Number(a.title === words.trim()))
    .slice(0, 3)
    .map(({ id }) => ({ ns: 0, title: id }));
}

function entity(id: string, films: readonly MadeItem[], props: string): object {
  const film = films.find((one) => one.id === id);
  const name = film?.title ?? `Person ${id}`;
  const labels = { en: { language: 'en', value: name } };
  if (film === undefined || props === 'labels') return { id, type: 'item', labels };
  const at = Number(id.slice(1));
  const article = { title: `${name} (film)` };
  const claims = {
    P577: [claim({ time: `+${film.year}-05-06T00:00:00Z` })],
    P161: [claim({ id: `Q${9_000_000 + at}` })],
    P57: [claim({ id: `Q${9_100_000 + at}` })],
    P3383: [claim(`Poster ${id}.png`)],
    ...(film.imdb !== undefined && { P345: [claim(film.imdb)] }),
  };
  const sitelinks = { dewiki: article, enwiki: article };
  return { id, type: 'item', labels, aliases: {}, claims, sitelinks };
}

const claim = (value: unknown): object => ({
  mainsnak: { snaktype: 'value', datavalue: { value } },
  rank: 'normal',
});
