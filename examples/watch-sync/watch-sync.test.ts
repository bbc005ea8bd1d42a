/** The sync against a fake of Trakt, which does what its public documentation says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlugin, type NetRequest, type PluginUnderTest } from 'vitrine/plugin-test';

const hour = 3_600_000;
const watchedAt = Date.UTC(2026, 0, 1, 20);

/** What Trakt has of one account. */
interface Trakt {
  readonly watched: Map<string, string>;
  readonly ratings: Map<string, number>;
  status: number;
}

interface Film {
  readonly ids: { readonly imdb: string };
  readonly watched_at?: string;
  readonly rating?: number;
}

const answers = ({ url, headers, body }: NetRequest) => {
  const trakt = accounts.get(headers['authorization'] ?? '');
  if (!trakt) return { status: 401, body: {} };
  if (trakt.status !== 200) return { status: trakt.status };
  const { movies } = (body === null ? { movies: [] } : JSON.parse(body)) as {
    readonly movies: readonly Film[];
  };
  const { pathname } = new URL(url);
  for (const { ids, watched_at, rating } of movies) {
    if (pathname === '/sync/history') trakt.watched.set(ids.imdb, watched_at ?? '');
    if (pathname === '/sync/history/remove') trakt.watched.delete(ids.imdb);
    if (pathname === '/sync/ratings') trakt.ratings.set(ids.imdb, rating ?? 0);
    if (pathname === '/sync/ratings/remove') trakt.ratings.delete(ids.imdb);
  }
  const rows = (all: Iterable<readonly [string, unknown]>, key: string) =>
    [...all].map(([imdb, value]) => ({ [key]: value, movie: { ids: { imdb } } }));
  if (pathname === '/sync/watched/movies') return { body: rows(trakt.watched, 'last_watched_at') };
  if (pathname === '/sync/ratings/movies') return { body: rows(trakt.ratings, 'rating') };
  return { status: 201, body: {} };
};

/** One account for each profile, by its token. */
const accounts = new Map<string, Trakt>();
let plugin: PluginUnderTest;
const film = (title: string, imdb: string) => ({ title, metadata: { ids: { imdb } } });

/** Opening one takes most of the time of a test, so all of them share it. */
beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, {
    clock: Date.UTC(2026, 0, 2),
    configuration: { clientId: 'client' },
    library: {
      ...{ movies: 0, episodes: 0, tracks: 0, books: 0, photos: 0 },
      items: [film('Heat', 'tt0113277'), film('Fargo', 'tt0116282'), { title: 'Home video' }],
    },
    hosts: { 'api.trakt.tv': answers },
  });
  const data = { itemId: idOf('Heat'), profileId: 'profile-ada', favourite: false, myRating: null };
  await plugin.event('playback.marked', data);
});

afterAll(() => plugin.close());

/** A profile with an account, that agreed. */
async function withAccount(profile: string): Promise<Trakt> {
  const trakt: Trakt = { watched: new Map(), ratings: new Map(), status: 200 };
  accounts.set(`Bearer token-of-${profile}`, trakt);
  await plugin.configureProfile({ traktToken: `token-of-${profile}` }, profile);
  await plugin.agree({ profile });
  return trakt;
}

const idOf = (title: string): string =>
  plugin.library.items().find((item) => item.title === title)?.id ?? '';
const here = (title: string, profile: string) => plugin.viewing.marks(idOf(title), profile);
const hourLater = () => plugin.clock.advance(hour);

test('brings what was watched and rated here to Trakt, and what was there to here', async () => {
  const trakt = await withAccount('ada');
  plugin.viewing.mark(idOf('Heat'), { completed: true, playedAt: watchedAt, rating: 4.5 }, 'ada');
  trakt.watched.set('tt0116282', new Date(watchedAt).toISOString());
  trakt.ratings.set('tt0116282', 7);
  await hourLater();

  expect(trakt.watched.get('tt0113277')).toBe(new Date(watchedAt).toISOString());
  expect(trakt.ratings.get('tt0113277')).toBe(9);
  expect(here('Fargo', 'ada')).toMatchObject({ completed: true, playedAt: watchedAt, rating: 3.5 });
  expect(here('Fargo', 'ben')).toMatchObject({ completed: false });
});

test('takes back on the other side what was taken back on one, and never brings it again', async () => {
  const trakt = await withAccount('eve');
  trakt.watched.set('tt0113277', new Date(watchedAt).toISOString());
  trakt.watched.set('tt0116282', new Date(watchedAt).toISOString());
  await hourLater();
  plugin.viewing.mark(idOf('Heat'), { completed: false }, 'eve');
  trakt.watched.delete('tt0116282');
  await hourLater();
  await hourLater();

  expect([...trakt.watched.keys()]).toEqual([]);
  expect([here('Heat', 'eve').completed, here('Fargo', 'eve').completed]).toEqual([false, false]);
});

test('changes nothing while Trakt is away, and nothing after the consent ended', async () => {
  const trakt = await withAccount('dan');
  plugin.viewing.mark(idOf('Heat'), { completed: true, playedAt: watchedAt }, 'dan');
  trakt.status = 503;
  await hourLater();
  expect(here('Heat', 'dan').completed).toBe(true);
  trakt.status = 200;
  await plugin.agree({ profile: 'dan' }, false);
  await hourLater();
  expect(trakt.watched.size).toBe(0);

  await plugin.agree({ profile: 'dan' });
  await hourLater();
  expect([...trakt.watched.keys()]).toEqual(['tt0113277']);
});
