/**
 * Compares both sides with what they said the last time. Who changed since then is right; where both
 * did, what is here stays. So nothing comes back that was taken back.
 */
import type { Host } from '@vitrine/plugin-api';
import { filmsHere, nothing, type OwnFilm, type Said } from './film.ts';
import { filmsThere, tell, type Account, type Told } from './trakt.ts';

/** Both sides are the same for these. */
type Base = Readonly<Record<string, { readonly watched: boolean; readonly rating: number | null }>>;

const baseKey = (profile: string): string => `base/${profile}`;

/** Syncs one profile. */
export async function sync(account: Account): Promise<void> {
  const { host, profile } = account;
  const person = host.as(profile);
  const here = await filmsHere(person);
  const there = await filmsThere(account);
  const base = ((await host.kv.get({ key: baseKey(profile) })) ?? {}) as Base;
  const out: Record<'watched' | 'unwatched' | 'rated', Told[]> = {
    ...{ watched: [], unwatched: [], rated: [] },
  };
  const next: Record<string, Base[string]> = {};
  for (const [imdb, own] of here) {
    const other = there.get(imdb) ?? nothing;
    const before = base[imdb] ?? { watched: false, rating: null };
    const watched = newer(before.watched, own.watched, other.watched);
    const rating = newer(before.rating, own.rating, other.rating);
    await change(person, own, { watched, rating, at: other.at });
    if (watched !== other.watched)
      (watched ? out.watched : out.unwatched).push({ ...own, imdb, watched });
    if (rating !== other.rating) out.rated.push({ ...own, imdb, rating });
    if (watched || rating !== null) next[imdb] = { watched, rating };
  }
  await tell(account, out);
  await host.kv.set({ key: baseKey(profile), value: next });
}

/** The side that changed; what is here when both did. */
const newer = <Value>(before: Value, here: Value, there: Value): Value =>
  here === before ? there : here;

async function change(
  { viewing }: Pick<Host, 'viewing'>,
  { itemId, ...own }: OwnFilm,
  wanted: Said,
): Promise<void> {
  const secondsAgo = Math.max(0, (Date.now() - wanted.at) / 1000);
  if (wanted.watched && !own.watched && wanted.at > 0)
    await viewing.report({ itemId, position: 0, completed: true, secondsAgo });
  else if (wanted.watched !== own.watched)
    await viewing.watched({ id: itemId, watched: wanted.watched });
  if (wanted.rating !== own.rating)
    await viewing.rate({ id: itemId, stars: wanted.rating === null ? null : wanted.rating / 2 });
}
