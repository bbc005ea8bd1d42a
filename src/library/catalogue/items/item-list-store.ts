import type { Knex } from 'knex';
import { dialectOf, membersOf, toMembers } from '../../../../kernel/storage/index.ts';
import { itemShows, type Scope, type ScopedLibrary } from '../access/index.ts';
import type { BigNumber } from '../tables/rows.ts';

/** What a list of items can be sorted by. */
export const itemSorts = ['title', 'addedAt', 'year'] as const;

export type ItemSort = (typeof itemSorts)[number];
export type SortOrder = 'asc' | 'desc';

const columns = { title: 'sort_title', addedAt: 'added_at', year: 'year' } as const;
/**
 * The same values as expressions without an index, so that a database does not walk one to sort.
 */
const computed = { title: "sort_title || ''", addedAt: 'added_at + 0', year: 'year + 0' } as const;

/** One page of active items. It reads no more rows than it gives. */
export interface ItemPage {
  readonly libraries: readonly Pick<ScopedLibrary, 'no' | 'certifications' | 'share'>[];
  readonly sortBy: ItemSort;
  readonly sortOrder: SortOrder;
  /** The end of the previous page. */
  readonly after: { readonly value: string | number; readonly no: number } | null;
  readonly limit: number;
}

/** An item of a page, and its position in the list. */
export interface PagedItem {
  readonly id: string;
  readonly no: number;
  readonly value: string | number;
}

interface PagedRow extends Pick<PagedItem, 'id' | 'no'> {
  /** PostgreSQL gives timestamps as text. */
  readonly value: string | BigNumber;
}

interface Part {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

/**
 * Reads a page along the index of each library and merges the results. So a page costs the same at
 * the start and at the end of a list, and in a small library beside a large one. The walks read
 * indexes only; of the items, only those of the page are read.
 */
export async function readItemPage(db: Knex, page: ItemPage): Promise<readonly PagedItem[]> {
  const { sortOrder, limit } = page;
  const order = `order by value ${sortOrder}, no ${sortOrder}`;
  const walks = page.libraries.flatMap((library) => partOf(db, library, page) ?? []);
  if (walks.length === 0) return [];
  const parts = dialectOf(db) === 'sqlite' ? walks : walks.map(endingAfter(order, limit));
  const merged = `${parts.map(({ sql }) => sql).join(' union all ')} ${order} limit ?`;
  const rows = await db.raw<PagedRow[]>(
    `select items.id, page.no, page.value from (${merged}) as page join items on items.no = page.no
     order by page.value ${sortOrder}, page.no ${sortOrder}`,
    [...parts.flatMap(({ bindings }) => bindings), limit],
  );
  const toValue = page.sortBy === 'title' ? String : Number;
  return rows.map(({ id, no, value }) => ({ id, no, value: toValue(value) }));
}

/** PostgreSQL merges walks with a limit of their own; others it reads to the end and sorts. */
const endingAfter =
  (order: string, limit: number) =>
  ({ sql, bindings }: Part, at: number): Part => ({
    sql: `select * from (${sql} ${order} limit ?) as part_${at}`,
    bindings: [...bindings, limit],
  });

/**
 * The text `status = 'active'` must stand in the statement for the partial indexes to be used. The
 * certification is tested by an expression that is also true for null: otherwise SQLite would use
 * the index of rated items, which has another order, and sort the whole library for one page.
 */
function partOf(db: Knex, library: ItemPage['libraries'][number], page: ItemPage): Part | null {
  const { no, certifications } = library;
  if (certifications?.size === 0) return null;
  const column = columns[page.sortBy];
  const beyond = page.after === null ? '' : ` and (${column}, no) ${sign(page)} (?, ?)`;
  const place = page.after === null ? [] : [page.after.value, page.after.no];
  const items = `items where status = 'active' and library_no = ?${beyond}`;
  if (certifications === null)
    return { sql: `select no, ${column} as value from ${items}`, bindings: [no, ...place] };
  const bindings = [no, ...place, toMembers(certifications)];
  return isGathered(library, page.limit)
    ? {
        sql: `select no, ${computed[page.sortBy]} as value from ${items}
          and certification in ${membersOf(db)}`,
        bindings,
      }
    : {
        sql: `select no, ${column} as value from ${items}
          and coalesce(certification, '') in ${membersOf(db)}`,
        bindings,
      };
}

const sign = ({ sortOrder }: ItemPage): string => (sortOrder === 'asc' ? '>' : '<');

/** Sorting an item costs this many times as much as skipping one. */
const sortingCost = 3;

/**
 * Whether so little of a library is visible that reading and sorting it is faster than walking
 * along the order until the page is full.
 */
function isGathered({ share }: Pick<ScopedLibrary, 'share'>, limit: number): boolean {
  if (share === null || share.shown === 0) return true;
  return share.shown * sortingCost < (limit * share.total) / share.shown;
}

/** How many active items a scope shows. */
export async function countShown(db: Knex, scope: Pick<Scope, 'libraries'>): Promise<number> {
  const { sql, bindings } = itemShows(db, scope);
  const row = await db('items')
    .whereRaw("status = 'active'")
    .whereRaw(sql, bindings)
    .count<{ total: BigNumber }[]>({ total: '*' })
    .first();
  return Number(row?.total ?? 0);
}
