/** Lists of items for a viewer: pages, totals, letters and months of one question, for REST and for plugins. */
import { randomBytes } from 'node:crypto';
import type { Queries } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Access, Scope } from '../access/index.ts';
import { markOf, readItemCursor, writeItemCursor, type ItemPosition } from './item-cursor.ts';
import {
  countLetters,
  countMonths,
  countSelected,
  readSoundLanguages,
} from './item-count-store.ts';
import { selectItems, type ItemSelection } from './item-filters.ts';
import { findPlace, readItemPage, type ListedOrder } from './item-list-store.ts';
import {
  readFilters,
  readLetter,
  readStart,
  type ItemFilters,
  type ItemQuery,
} from './item-query.ts';
import type { FindCollectionItems, ProfileItems } from './profile-items.ts';
import { placeLetters, startOf } from '../tables/letter.ts';

/** A page before its items are read. */
export interface PageOfIds {
  readonly scope: Scope;
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
  /** How many items the whole list has; only when it was asked for. */
  readonly total?: number;
}

/** Which letters or months to count. */
export type LettersQuery = ItemFilters & Pick<ItemQuery, 'sortOrder'>;

/** A letter of a list by title. */
export interface Letter {
  /** `A` to `Z`, a letter of another script, or `#` for what comes before A. */
  readonly letter: string;
  readonly count: number;
  /** Where the list by title begins with it. */
  readonly cursor: string;
}

/** A month of a list by `releasedAt`. */
export interface Month {
  /** `2024-06`; `2024` when the month is unknown, null when the year is too. */
  readonly month: string | null;
  readonly count: number;
  /** Where the list by `releasedAt` begins with it. */
  readonly cursor: string;
}

export type ItemLists = ReturnType<typeof createItemLists>;

export interface ItemListsParts {
  readonly db: Queries;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly profileItems: ProfileItems;
  readonly findCollectionItems: FindCollectionItems;
}

/** The same question; a random order that names no seed gets one. */
export function withSeed<Query extends ItemQuery>(query: Query): Query {
  const isOpen =
    query.sortBy === 'random' && query.seed === undefined && query.cursor === undefined;
  return isOpen ? { ...query, seed: randomBytes(6).toString('base64url') } : query;
}

export function createItemLists(parts: ItemListsParts) {
  const { db, access, profileItems, findCollectionItems } = parts;

  async function select(
    viewer: Viewer,
    query: ItemFilters,
  ): Promise<{
    readonly scope: Scope;
    readonly selection: ItemSelection;
    readonly filters: ReturnType<typeof readFilters>;
  }> {
    const filters = readFilters(query);
    const scope = await access.scopeOf(viewer);
    const context = { db, viewer, scope, profileItems, findCollectionItems };
    return { filters, scope, selection: await selectItems(filters, context) };
  }

  function orderOf({ sortBy = 'title' }: ItemQuery, seed: string, viewer: Viewer): ListedOrder {
    if (sortBy === 'random') return { by: sortBy, seed };
    if (sortBy === 'lastPlayedAt' || sortBy === 'playCount')
      return { by: sortBy, plays: profileItems.plays(viewer.profileId, sortBy) };
    return { by: sortBy };
  }

  /** The position before an item. */
  async function placeBefore(
    item: Parameters<typeof findPlace>[1],
    sortOrder: 'asc' | 'desc',
  ): Promise<ItemPosition> {
    const found = await findPlace(db, item);
    if (found === undefined) throw new AppError('not_found', { what: `Item ${item.id}` });
    return { value: found.value, no: sortOrder === 'asc' ? found.no - 1 : found.no + 1 };
  }

  return {
    page: async (viewer: Viewer, asked: ItemQuery): Promise<PageOfIds> => {
      const query = withSeed(asked);
      const { sortBy, sortOrder = 'asc', limit = 50, cursor, includeTotal = false } = query;
      const letter = readLetter(query);
      const start = readStart(query);
      const { filters, scope, selection } = await select(viewer, query);
      const mark = markOf({ sortBy, sortOrder, filters });
      const read = cursor === undefined ? null : readItemCursor(cursor, mark, query);
      const seed = read?.seed ?? query.seed ?? '';
      const place = start && (await placeBefore({ ...start, scope }, sortOrder));
      const after = read?.after ?? place ?? (letter && startOf(letter, sortOrder)) ?? null;
      const order = orderOf(query, seed, viewer);
      const asking = { selection, order, sortOrder, after, limit: limit + 1 };
      const [paged, total] = await Promise.all([
        readItemPage(db, asking),
        includeTotal ? countSelected(db, selection) : undefined,
      ]);
      const shown = paged.slice(0, limit);
      const last = paged.length > limit ? shown.at(-1) : undefined;
      return {
        scope,
        ids: shown.map(({ id }) => id),
        nextCursor: last ? writeItemCursor(mark, last, seed) : null,
        ...(total !== undefined && { total }),
      };
    },
    /** The letters that have items, in the order of the list. */
    letters: async (viewer: Viewer, query: LettersQuery): Promise<readonly Letter[]> => {
      const { sortOrder = 'asc' } = query;
      const { filters, selection } = await select(viewer, query);
      const mark = markOf({ sortBy: 'title', sortOrder, filters });
      const counts = await countLetters(db, selection);
      return placeLetters(counts, sortOrder).map(({ letter, count, start }) => ({
        letter,
        count,
        cursor: writeItemCursor(mark, start, ''),
      }));
    },
    /** The languages of the sound of all items, or of those of one library: tags in lower case. */
    languages: async (
      viewer: Viewer,
      { libraryId }: Pick<ItemFilters, 'libraryId'>,
    ): Promise<readonly string[]> => {
      const { selection } = await select(viewer, { libraryId });
      return readSoundLanguages(db, selection);
    },
    /** The months that have items, in the order of the list. */
    months: async (viewer: Viewer, query: LettersQuery): Promise<readonly Month[]> => {
      const { sortOrder = 'asc' } = query;
      const { filters, selection } = await select(viewer, query);
      const mark = markOf({ sortBy: 'releasedAt', sortOrder, filters });
      const counts = await countMonths(db, selection);
      const direction = sortOrder === 'asc' ? 1 : -1;
      return [...counts]
        .toSorted(([one], [other]) => direction * (one - other))
        .map(([month, count]) => {
          const range = { from: month * 100, to: (month + 1) * 100 };
          const cursor = writeItemCursor(mark, startOf(range, sortOrder), '');
          return { month: monthText(month), count, cursor };
        });
    },
  };
}

/** `202406` as `2024-06`; see `countMonths`. */
function monthText(month: number): string | null {
  if (month === 0) return null;
  const [year, ofYear] = [Math.floor(month / 100), month % 100];
  const text = String(year).padStart(4, '0');
  return ofYear === 0 ? text : `${text}-${String(ofYear).padStart(2, '0')}`;
}
