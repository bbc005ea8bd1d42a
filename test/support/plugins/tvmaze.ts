/** TVmaze as its documentation describes it, on the loopback: shows that are made up, and moods. */
import { hasWordOf, startMadeService, type MadeService } from './made-service.ts';

/** A show that it knows. */
export interface MadeShow {
  readonly id: number;
  readonly name: string;
  readonly year: number;
  /** Titles of the episodes of the first season. */
  readonly episodes: readonly string[];
}

/** Starts it; `picture` is what it sends for each picture. */
export function startTvmaze(shows: readonly MadeShow[], picture: Uint8Array): Promise<MadeService> {
  return startMadeService({
    picture,
    pictures: '/uploads/',
    notFound: { name: 'Not Found', status: 404 },
    answer: ({ path, query, url }) => {
      if (path === '/search/shows') {
        const search = query.get('q') ?? '';
        return shows
          .filter(({ name }) => hasWordOf(name, search))
          .map((show) => ({ score: 0.9, show: brief(show, url) }));
      }
      const show = shows.find(({ id }) => path === `/shows/${id}`);
      return show && { ...brief(show, url), _embedded: embedded(show, query) };
    },
  });
}

const brief = ({ id, name, year }: MadeShow, url: string): object => ({
  id,
  name,
  url: `https://www.tvmaze.com/shows/${id}`,
  premiered: `${year}-03-04`,
  genres: ['Drama'],
  externals: { imdb: `tt${1_000_000 + id}`, thetvdb: null, tvrage: null },
  image: { medium: `${url}/uploads/m/${id}.png`, original: `${url}/uploads/o/${id}.png` },
  summary: `<p>All about <b>${name}</b>.</p>`,
});

/** Only what the question embeds. */
function embedded({ id, name, episodes }: MadeShow, query: URLSearchParams): object {
  const all: Readonly<Record<string, unknown>> = {
    episodes: episodes.map((title, at) => ({
      id: id * 100 + at,
      name: title,
      season: 1,
      number: at + 1,
      airdate: `2010-03-${String(at + 1).padStart(2, '0')}`,
      summary: `<p>${title} of ${name}.</p>`,
      image: null,
    })),
    cast: [{ person: { id: id + 500, name: `Player ${id}` }, character: { name: 'Captain' } }],
    akas: [],
    images: [],
  };
  return Object.fromEntries(query.getAll('embed[]').map((key) => [key, all[key]]));
}
