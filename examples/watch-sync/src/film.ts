import type { Host, MediaItem, MediaPage } from '@vitrine/plugin-api';

/** What one side says of a film. */
export interface Said {
  readonly watched: boolean;
  /** When, in Unix milliseconds; 0 = not known. */
  readonly at: number;
  /** 1 to 10; `null` = none. */
  readonly rating: number | null;
}

/** By the id of a film at IMDb, which both sides know. */
export type Films = ReadonlyMap<string, Said>;

/** A film here. */
export interface OwnFilm extends Said {
  readonly itemId: string;
}

export const nothing: Said = { watched: false, at: 0, rating: null };

const imdbOf = ({ metadata }: MediaItem): string | null => {
  const ids = metadata['ids'];
  const imdb = typeof ids === 'object' && ids !== null && 'imdb' in ids ? ids.imdb : null;
  return typeof imdb === 'string' && /^tt\d{1,12}$/.test(imdb) ? imdb : null;
};

/** All films that a profile sees and that have an id. */
export async function filmsHere({ media }: Pick<Host, 'media'>): Promise<Map<string, OwnFilm>> {
  const films = new Map<string, OwnFilm>();
  let cursor: string | null = null;
  do {
    const page: MediaPage = await media.list({
      type: 'movies',
      limit: 500,
      ...(cursor !== null && { cursor }),
    });
    for (const item of page.items) {
      const id = imdbOf(item);
      if (id !== null) films.set(id, ownFilm(item));
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return films;
}

const ownFilm = ({ id, playback, lastPlayedAt, myRating }: MediaItem): OwnFilm => ({
  itemId: id,
  watched: playback.completed,
  at: lastPlayedAt === null ? 0 : Date.parse(lastPlayedAt),
  rating: myRating === null ? null : myRating * 2,
});
