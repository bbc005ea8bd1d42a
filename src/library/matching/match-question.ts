import type { IndexSearchInput } from '../../../plugin-api/index.ts';
import type { ItemDetail } from '../catalogue/index.ts';

/** A person's search. */
export interface MatchQuery {
  /** Default: the item's own title, or that of its series or album. */
  readonly q?: string | undefined;
  readonly year?: number | undefined;
  /** Only this plugin. */
  readonly pluginId?: string | undefined;
  /** 20 when absent. */
  readonly limit?: number | undefined;
}

/** The fields of an item that an indexer receives. */
const searchFields = [
  'season',
  'episode',
  'artist',
  'albumArtist',
  'album',
  'author',
  'series',
  'volume',
];

/** The field that names the whole to which an item belongs, by type: catalogues list these. */
const wholeOf: Readonly<Record<string, string>> = { tv: 'series', music: 'album' };

/** The search: the person's text, else the fields of the item. */
export function questionOf(
  libraryType: string,
  { title, metadata }: Pick<ItemDetail, 'title' | 'metadata'>,
  { q, year }: Pick<MatchQuery, 'q' | 'year'>,
): Pick<IndexSearchInput, 'query' | 'year' | 'metadata'> {
  const whole = metadata[wholeOf[libraryType] ?? ''];
  const ownYear = libraryType === 'tv' ? undefined : metadata['year'];
  const wanted = year ?? (q === undefined && typeof ownYear === 'number' ? ownYear : undefined);
  const known = Object.entries(metadata).filter(([key]) => searchFields.includes(key));
  return {
    query: q ?? (typeof whole === 'string' && whole !== '' ? whole : title),
    ...(wanted !== undefined && { year: wanted }),
    metadata: Object.fromEntries(known),
  };
}
