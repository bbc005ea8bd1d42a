/** Lists of items for a viewer: pages, totals and letters of one question, for REST and for plugins. */
import { randomBytes } from 'node:crypto';
import type { Queries } from '../../../../kernel/storage/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import type { Access, Scope } from '../access/index.ts';
import { markOf, readItemCursor, writeItemCursor, type ItemPosition } from './item-cursor.ts';
import { countLetters, countSelected } from './item-count-store.ts';
import { selectItems, type ItemSelection } from './item-filters.ts';
import { readItemPage, type ListedOrder } from './item-list-store.ts';
import { readFilters, readLetter, type ItemFilters, type ItemQuery } from './item-query.ts';
import type { FindCollectionItems, ProfileItems } from './profile-items.ts';
import { findLetter } from '../tables/letter.ts';

/** A page before its items are read. */
export interface PageOfIds {
  readonly scope: Scope;
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
  /** How many items the whole list has; only when it was asked for. */
  readonly total?: number;
}

/** Which letters to count. */
export type LettersQuery = ItemFilters & Pick<ItemQuery, 'sortOrder'>;

/** A letter of a list by title. */
export interface Letter {
  /** `A` to `Z`, a letter of another script, or `#` for what comes before A. */
  readonly letter: string;
  readonly count: number;
  /** Where the list by title begins with it. */
  readonly cursor: string;
}

export interface ItemLists {
  readonly page: (viewer: Viewer, query: ItemQuery) => Promise<PageOfIds>;
  /** The letters that have items, in the order of the list. */
  readonly letters: (viewer: Viewer, query: LettersQuery) => Promise<readonly Letter[]>;
}

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

export function createItemLists(parts: ItemListsParts): ItemLists {
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

  return {
    page: async (viewer, asked) => {
      const query = withSeed(asked);
      const { sortBy, sortOrder = 'asc', limit = 50, cursor, includeTotal = false } = query;
      const letter = readLetter(query);
      const { filters, scope, selection } = await select(viewer, query);
      const mark = markOf({ sortBy, sortOrder, filters });
      const read = cursor === undefined ? null : readItemCursor(cursor, mark, query);
      const seed = read?.seed ?? query.seed ?? '';
      const after = read?.after ?? (letter && startOf(letter, sortOrder)) ?? null;
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
    letters: async (viewer, query) => {
      const { sortOrder = 'asc' } = query;
      const { filters, selection } = await select(viewer, query);
      const mark = markOf({ sortBy: 'title', sortOrder, filters });
      const counts = await countLetters(db, selection);
      const found = [...counts].flatMap(([letter, count]) => {
        const range = findLetter(letter);
        return range === undefined ? [] : [{ letter, count, range }];
      });
      const direction = sortOrder === 'asc' ? 1 : -1;
      return found
        .toSorted(
          (a, b) =>
            direction * Buffer.compare(Buffer.from(a.range.from), Buffer.from(b.range.from)),
        )
        .map(({ letter, count, range }) => {
          const cursor = writeItemCursor(mark, startOf(range, sortOrder), '');
          return { letter, count, cursor };
        });
    },
  };
}

/** The position before all items of a letter: no item has this number. */
const startOf = (
  { from, to }: { readonly from: string; readonly to: string },
  sortOrder: 'asc' | 'desc',
): ItemPosition => ({ value: sortOrder === 'asc' ? from : to, no: -1 });
