/**
 * The order in which people expect the items of an entity: episodes by season and number, tracks by
 * disc and number, books by volume and part. A place is a text, so that a cursor can hold it, and
 * places compare by their bytes.
 */

/** The types of entities whose items have an order of their own; items of others go by title. */
const placers: Readonly<Record<string, (item: PlacedItem) => readonly string[]>> = {
  show: episodePlace,
  season: episodePlace,
  album: trackPlace,
  artist: (item) => [number(item.year || null), text(item.fields['album']), ...trackPlace(item)],
  series: (item) => [...volumePlace(item), ...episodePlace(item)],
};

/** What of an item decides its place. */
export interface PlacedItem {
  /** 0 = unknown. */
  readonly year: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sortTitle: string;
}

/** Whether items of this type of entity have an order of their own. */
export const hasOrder = (entityType: string): boolean => Object.hasOwn(placers, entityType);

export function placeOf(entityType: string, item: PlacedItem): string {
  const parts = Object.hasOwn(placers, entityType) ? (placers[entityType]?.(item) ?? []) : [];
  return [...parts, text(item.sortTitle)].join('\n');
}

/** Specials come last. Without seasons there is one. */
function episodePlace({ fields }: PlacedItem): readonly string[] {
  const { season, episode, episodes, absoluteEpisode, airDate } = fields;
  const first: unknown = Array.isArray(episodes) ? episodes[0] : episode;
  const seasonPlace = season === 0 ? last : number(season ?? 1);
  return [seasonPlace, number(first ?? episode ?? absoluteEpisode), text(airDate)];
}

function trackPlace({ fields }: PlacedItem): readonly string[] {
  return [number(fields['disc'] ?? 1), number(fields['track'])];
}

/** Volumes of a series of books; films of a series go by year. */
function volumePlace({ year, fields }: PlacedItem): readonly string[] {
  const { volume, chapter, part } = fields;
  return [number(volume), number(chapter), number(part), number(year || null)];
}

/** The place of a season among those of its show, or of an album among those of its artist. */
export function childPlace(child: {
  readonly type: string;
  readonly name: string;
  readonly sortName: string;
  readonly year: number | null;
}): string {
  if (child.type !== 'season') return [number(child.year), text(child.sortName)].join('\n');
  const digits = /(\d{1,6})\D*$/.exec(child.name)?.[1];
  const isSpecial = digits === undefined ? /^specials?$/i.test(child.name) : Number(digits) === 0;
  const place = digits === undefined ? unknown : number(Number(digits));
  if (/^extras$/i.test(child.name)) return [extras, text(child.sortName)].join('\n');
  return [isSpecial ? last : place, text(child.sortName)].join('\n');
}

/** After every number. */
const unknown = '~';
/** After what has no number. */
const last = '~~';
/** After specials. */
const extras = '~~~';
const longestText = 60;

/** Hundredths, since a volume may be 2.5. */
const number = (value: unknown): string =>
  typeof value === 'number' && value >= 0 && value < 1e9
    ? String(Math.round(value * 100)).padStart(11, '0')
    : unknown;

const text = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, longestText).toLowerCase() : unknown;
