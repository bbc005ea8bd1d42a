/** https://trakt.docs.apiary.io: the sync methods, for films. */
import type { Host } from '@vitrine/plugin-api';
import { nothing, type Films, type Said } from './film.ts';

/** One account. Its token never comes here: the server puts it into the request. */
export interface Account {
  readonly host: Host;
  readonly profile: string;
  readonly clientId: string;
}

/** Trakt does not answer as it should. */
export class TraktError extends Error {}

/** What is to be told. */
export interface Told extends Said {
  readonly imdb: string;
}

const origin = 'https://api.trakt.tv';

async function ask({ host, profile, clientId }: Account, path: string, body?: object) {
  const { status, body: text } = await host.net.fetch({
    url: `${origin}${path}`,
    method: body ? 'POST' : 'GET',
    maxAge: 0,
    headers: {
      'content-type': 'application/json',
      'trakt-api-version': '2',
      'trakt-api-key': clientId,
      authorization: `Bearer {secret:traktToken;profile=${profile}}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (status >= 200 && status < 300) return JSON.parse(text) as unknown;
  throw new TraktError(`Trakt answered ${status} to ${path}.`);
}

/** What Trakt knows. Its answer is that of a stranger: what is not in its form is left out. */
export async function filmsThere(account: Account): Promise<Films> {
  const films = new Map<string, Said>();
  for (const row of rowsOf(await ask(account, '/sync/watched/movies'))) {
    const at = Date.parse(String(row['last_watched_at'])) || 0;
    if (row.imdb !== null) films.set(row.imdb, { ...nothing, watched: true, at });
  }
  for (const row of rowsOf(await ask(account, '/sync/ratings/movies'))) {
    const rating = Number(row['rating']);
    if (row.imdb === null || !Number.isInteger(rating) || rating < 1 || rating > 10) continue;
    films.set(row.imdb, { ...(films.get(row.imdb) ?? nothing), rating });
  }
  return films;
}

type Row = Readonly<Record<string, unknown>> & { readonly imdb: string | null };

function rowsOf(answer: unknown): readonly Row[] {
  if (!Array.isArray(answer)) throw new TraktError('Trakt gave no list.');
  return (answer as readonly Record<string, unknown>[]).map((row) => {
    const movie = row['movie'] as { readonly ids?: { readonly imdb?: unknown } } | undefined;
    const imdb = movie?.ids?.imdb;
    return { ...row, imdb: typeof imdb === 'string' ? imdb : null };
  });
}

const idsOf = ({ imdb }: Told) => ({ ids: { imdb } });

/** Tells what was watched, what was not, and what was rated. */
export async function tell(
  account: Account,
  {
    watched,
    unwatched,
    rated,
  }: Readonly<Record<'watched' | 'unwatched' | 'rated', readonly Told[]>>,
): Promise<void> {
  const timed = (film: Told) => ({
    ...idsOf(film),
    ...(film.at > 0 && { watched_at: new Date(film.at).toISOString() }),
  });
  const removed = rated.filter(({ rating }) => rating === null);
  const set = rated.filter(({ rating }) => rating !== null);
  const bodies: readonly (readonly [string, readonly object[]])[] = [
    ['/sync/history', watched.map(timed)],
    ['/sync/history/remove', unwatched.map(idsOf)],
    ['/sync/ratings', set.map((film) => ({ ...idsOf(film), rating: film.rating }))],
    ['/sync/ratings/remove', removed.map(idsOf)],
  ];
  for (const [path, movies] of bodies) if (movies.length > 0) await ask(account, path, { movies });
}
