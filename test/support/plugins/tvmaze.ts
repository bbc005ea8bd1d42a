/** TVmaze as its documentation describes it, on the loopback: shows that are made up, and moods. */
import type { ServerResponse } from 'node:http';
import { sendJson, startHttpSource, type HttpSource } from '../servers/http-source.ts';

/** A show that it knows. */
export interface MadeShow {
  readonly id: number;
  readonly name: string;
  readonly year: number;
  /** Titles of the episodes of the first season. */
  readonly episodes: readonly string[];
}

/** How it answers questions; pictures always come. */
export type Mood = 'well' | 'busy' | 'broken' | 'cut' | 'page' | 'slow';

/** The service. */
export interface MadeTvmaze extends HttpSource {
  readonly feel: (mood: Mood) => void;
}

/** Starts it; `picture` is what it sends for each picture. */
export async function startTvmaze(
  shows: readonly MadeShow[],
  picture: Uint8Array,
): Promise<MadeTvmaze> {
  let mood: Mood = 'well';
  const source = await startHttpSource((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://tvmaze');
    if (pathname.startsWith('/uploads/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    } else if (mood === 'well') {
      answer(response, pathname, searchParams);
    } else {
      moods[mood](response);
    }
  });

  function answer(response: ServerResponse, pathname: string, query: URLSearchParams): void {
    const headers = { 'cache-control': 'max-age=3600' };
    if (pathname === '/search/shows') {
      const words = wordsOf(query.get('q') ?? '');
      const found = shows.filter(({ name }) => wordsOf(name).some((word) => words.includes(word)));
      sendJson(
        response,
        found.map((show) => ({ score: 0.9, show: brief(show) })),
        headers,
      );
      return;
    }
    const show = shows.find(({ id }) => pathname === `/shows/${id}`);
    if (show) sendJson(response, { ...brief(show), _embedded: embedded(show, query) }, headers);
    else sendJson(response, { name: 'Not Found', status: 404 }, {}, 404);
  }

  const brief = ({ id, name, year }: MadeShow): object => ({
    id,
    name,
    url: `https://www.tvmaze.com/shows/${id}`,
    premiered: `${year}-03-04`,
    genres: ['Drama'],
    externals: { imdb: `tt${1_000_000 + id}`, thetvdb: null, tvrage: null },
    image: {
      medium: `${source.url}/uploads/m/${id}.png`,
      original: `${source.url}/uploads/o/${id}.png`,
    },
    summary: `<p>All about <b>${name}</b>.</p>`,
  });

  return { ...source, feel: (next) => void (mood = next) };
}

const moods: Readonly<Record<Exclude<Mood, 'well'>, (response: ServerResponse) => void>> = {
  busy: (response) => sendJson(response, { status: 429 }, { 'retry-after': '1' }, 429),
  broken: (response) => sendJson(response, { status: 503 }, {}, 503),
  cut: (response) => void response.writeHead(200).end('[{"score":0.9,"show":{"id":'),
  // The first line comes, and the rest never does.
  slow: (response) => void response.writeHead(200).write('['),
  page: (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>Sign in'),
};

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

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
