import type { IndexSearchInput } from '../../plugin-api/index.ts';
import type { ItemDetail } from '../library/index.ts';

/** What a person looks for. */
export interface MatchQuery {
  /** The item's own title, or that of its series or album, when absent. */
  readonly q?: string | undefined;
  readonly year?: number | undefined;
  /** Only this plugin. */
  readonly pluginId?: string | undefined;
  /** 20 when absent. */
  readonly limit?: number | undefined;
}

/** What of an item is told to whoever is searched. */
const told = ['season', 'episode', 'artist', 'albumArtist', 'album', 'author', 'series', 'volume'];

/** The whole that an item is a part of, by which catalogues find it. */
const wholeOf: Readonly<Record<string, string>> = { tv: 'series', music: 'album' };

/** What to search for: the person's words, else what is known of the item. */
export function questionOf(
  libraryType: string,
  { title, metadata }: Pick<ItemDetail, 'title' | 'metadata'>,
  { q, year }: Pick<MatchQuery, 'q' | 'year'>,
): Pick<IndexSearchInput, 'query' | 'year' | 'metadata'> {
  const whole = metadata[wholeOf[libraryType] ?? ''];
  const ownYear = libraryType === 'tv' ? undefined : metadata['year'];
  const wanted = year ?? (q === undefined && typeof ownYear === 'number' ? ownYear : undefined);
  const known = Object.entries(metadata).filter(([key]) => told.includes(key));
  return {
    query: q ?? (typeof whole === 'string' && whole !== '' ? whole : title),
    ...(wanted !== undefined && { year: wanted }),
    metadata: Object.fromEntries(known),
  };
}
