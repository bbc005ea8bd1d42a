/**
 * Which items a list has and in which order, as REST and plugins ask for it: filters, sorts, a
 * letter, a cursor. All filters hold at once. This reads the question; `item-filters.ts` makes SQL
 * of it, and `item-list-store.ts` reads a page.
 */
import { AppError } from '../../../platform/errors.ts';
import { languageTag, type Resolution } from '../tables/item-facts.ts';
import { findLetter, type LetterRange } from '../tables/letter.ts';
import type { itemSorts, watchedStates } from '../../../contract/resources/library/items.ts';

export type ItemSort = (typeof itemSorts)[number];
export type SortOrder = 'asc' | 'desc';

export type WatchedState = (typeof watchedStates)[number];

/** Which items, as texts of a request. A range is `7`, `7..`, `..9` or `7..9`, ends included. */
export interface ItemFilters {
  readonly libraryId?: string | undefined;
  /** Type of the libraries. */
  readonly type?: string | undefined;
  /** The name of a genre. */
  readonly genre?: string | undefined;
  /** Items linked to this entity, in any role. */
  readonly entityId?: string | undefined;
  /** Range of years. */
  readonly year?: string | undefined;
  /** For the viewer's profile. */
  readonly watched?: WatchedState | undefined;
  /** Whether it is a favourite of the viewer's profile. */
  readonly favourite?: boolean | undefined;
  /** Range of `metadata.rating`, 0 to 10. */
  readonly rating?: string | undefined;
  /** Range of the rating by the viewer's profile, 0.5 to 5. */
  readonly myRating?: string | undefined;
  readonly resolution?: Resolution | undefined;
  readonly hdr?: boolean | undefined;
  /** A language of its sound, as a tag or a code. */
  readonly language?: string | undefined;
  /** A language of its subtitles. */
  readonly subtitle?: string | undefined;
  readonly collectionId?: string | undefined;
  /** A date or a time, ISO 8601; only items that were added after it. */
  readonly addedAfter?: string | undefined;
}

/** Which items to list, and in which order. */
export interface ItemQuery extends ItemFilters {
  /** `title` when absent. */
  readonly sortBy?: ItemSort | undefined;
  /** `asc` when absent. */
  readonly sortOrder?: SortOrder | undefined;
  /** For `random`: the same seed gives the same order. */
  readonly seed?: string | undefined;
  /** Begins the list by title at this letter. */
  readonly letter?: string | undefined;
  /** The id of an item: begins the list with it. Not for orders that differ for each profile, or are random. */
  readonly startAt?: string | undefined;
  /** Whether to count all items of the list. */
  readonly includeTotal?: boolean | undefined;
  /** 50 when absent. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A range with both ends; an end that is absent is null. */
export interface Range {
  readonly from: number | null;
  readonly to: number | null;
}

/** The filters, read. A filter that was not asked for is undefined. */
export interface ReadFilters extends Pick<
  ItemFilters,
  'libraryId' | 'type' | 'genre' | 'entityId' | 'watched' | 'favourite' | 'resolution' | 'hdr'
> {
  readonly year: Range | undefined;
  readonly rating: Range | undefined;
  readonly myRating: Range | undefined;
  /** Tags in lower case. */
  readonly language: string | undefined;
  readonly subtitle: string | undefined;
  readonly collectionId: string | undefined;
  /** Unix milliseconds. */
  readonly addedAfter: number | undefined;
}

/** Reads the filters, or throws `invalid_request` that names the one that is wrong. */
export function readFilters(query: ItemFilters): ReadFilters {
  return {
    libraryId: query.libraryId,
    type: query.type,
    genre: query.genre,
    entityId: query.entityId,
    watched: query.watched,
    favourite: query.favourite,
    resolution: query.resolution,
    hdr: query.hdr,
    collectionId: query.collectionId,
    year: readRange('year', query.year, { least: 1, most: 9999, isWhole: true }),
    rating: readRange('rating', query.rating, { least: 0, most: 10, isWhole: false }),
    myRating: readRange('myRating', query.myRating, { least: 0.5, most: 5, isWhole: false }),
    language: readLanguage('language', query.language),
    subtitle: readLanguage('subtitle', query.subtitle),
    addedAfter: readTime('addedAfter', query.addedAfter),
  };
}

/** Where a list by title begins, or undefined. */
export function readLetter({
  letter,
  sortBy = 'title',
  cursor,
}: Pick<ItemQuery, 'letter' | 'sortBy' | 'cursor'>): LetterRange | undefined {
  if (letter === undefined) return undefined;
  if (sortBy !== 'title')
    throw refusal('query.letter is for a list by title; use sortBy=title, or leave it out.');
  if (cursor !== undefined)
    throw refusal('query.letter and query.cursor are both positions; send one of them.');
  const found = findLetter(letter);
  if (found === undefined)
    throw refusal('query.letter must be one letter, such as S, or # for what comes before A.');
  return found;
}

/** The sorts by a column of the item, in which an item has one place for everybody. */
export type ColumnSort = Exclude<ItemSort, 'lastPlayedAt' | 'playCount' | 'random'>;

/** The item with which a list begins and the column that it is sorted by, or undefined. */
export function readStart({
  startAt,
  sortBy = 'title',
  letter,
  cursor,
}: Pick<ItemQuery, 'startAt' | 'sortBy' | 'letter' | 'cursor'>):
  | { readonly id: string; readonly by: ColumnSort }
  | undefined {
  if (startAt === undefined) return undefined;
  if (sortBy === 'lastPlayedAt' || sortBy === 'playCount' || sortBy === 'random')
    throw refusal(`query.startAt is not for a list by ${sortBy}; sort by a fact of the items.`);
  if (cursor !== undefined || letter !== undefined)
    throw refusal('query.startAt, query.letter and query.cursor are positions; send one of them.');
  return { id: startAt, by: sortBy };
}

interface Limits {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

const rangeShape = /^(\d{1,4}(?:\.\d{1,3})?)?(?:(\.\.)(\d{1,4}(?:\.\d{1,3})?)?)?$/;

function readRange(name: string, text: string | undefined, limits: Limits): Range | undefined {
  if (text === undefined) return undefined;
  const { least, most, isWhole } = limits;
  const [whole, start, dots, end] = rangeShape.exec(text) ?? [];
  const isRange = whole !== undefined && whole !== '..' && (start ?? end) !== undefined;
  const from = start === undefined ? null : Number(start);
  const to = dots === undefined ? from : end === undefined ? null : Number(end);
  const ends = [from, to].filter((one) => one !== null);
  const areValid = ends.every(
    (one) => one >= least && one <= most && (!isWhole || Number.isInteger(one)),
  );
  if (!isRange || !areValid)
    throw refusal(
      `query.${name} must be a range of ${isWhole ? 'whole numbers' : 'numbers'} from ${least} to ${most}, such as ${example(limits)}`,
    );
  if (from !== null && to !== null && from > to)
    throw refusal(`query.${name} begins above its end; write the smaller number first.`);
  return { from, to };
}

const example = ({ most, isWhole }: Limits): string =>
  isWhole ? '2001..2009, 2001.. or ..2009.' : `${most - 1}.. or ${most - 3}..${most - 1}.`;

function readLanguage(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const tag = languageTag(text);
  if (tag === null) throw refusal(`query.${name} must be a language, such as en or pt-BR.`);
  return tag;
}

const timeShape = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function readTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = timeShape.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw refusal(
      `query.${name} must be a date or a time with its zone, such as 2026-01-31 or 2026-01-31T18:00:00Z.`,
    );
  return time;
}

/** `Date.parse` takes February 30 for March 2. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
