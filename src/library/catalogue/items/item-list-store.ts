import type { Knex } from 'knex';
import { dialectOf, membersOf, toMembers } from '../../../../kernel/store/index.ts';
import { isActiveItem, itemShows, type Scope, type ScopedLibrary } from '../access/index.ts';
import { chanceOf } from '../tables/chance.ts';
import type { ItemPosition } from './item-cursor.ts';
import { readPlayedPage, type PlayedOrder } from './item-plays-store.ts';
import type { Fragment, ItemSelection } from './item-filters.ts';
import { findLibrarySources, findSource, joined, rowsOf } from './item-selection-store.ts';
import type { ColumnSort, SortOrder } from './item-query.ts';
import { toPaged, type PagedItem, type PagedRow } from './paged-item.ts';

/** The order of a list: by a column, by the plays of a profile, or random. */
export type ListedOrder =
  | { readonly by: ColumnSort }
  | { readonly by: 'random'; readonly seed: string }
  | PlayedOrder;

/** One page of active items. */
export interface ItemPage {
  readonly selection: ItemSelection;
  readonly order: ListedOrder;
  readonly sortOrder: SortOrder;
  /** The end of the previous page. */
  readonly after: ItemPosition | null;
  readonly limit: number;
}

const columns = {
  title: 'sort_title',
  addedAt: 'added_at',
  releasedAt: 'released_on',
  year: 'year',
  rating: 'rating',
  duration: 'duration',
} as const;

/** The sort value in SQL, and as an expression without an index, so that a database walks none to sort. */
function valueOf(order: Exclude<ListedOrder, PlayedOrder>): {
  readonly walked: string;
  readonly computed: string;
} {
  if (order.by === 'random') {
    const value = chanceOf('items.no', order.seed);
    return { walked: value, computed: value };
  }
  const walked = `items.${columns[order.by]}`;
  return { walked, computed: order.by === 'title' ? `${walked} || ''` : `${walked} + 0` };
}

/**
 * Reads a page along the index of each library and merges the results. So a page costs the same at
 * the start and at the end of a list, among many items of one value, and in a small library beside a
 * large one. Where a filter leaves few items, those are read and sorted instead. Only items of the
 * page are read whole.
 */
export async function readItemPage(db: Knex, page: ItemPage): Promise<readonly PagedItem[]> {
  const { selection, order } = page;
  if (selection.libraries.every(({ certifications }) => certifications?.size === 0)) return [];
  const source = await findSource(db, selection, page.limit);
  if ('plays' in order) return readPlayedPage(db, { ...page, order, source });
  const value = valueOf(order);
  const walk = { ...page, value };
  const walks = source === null ? await librariesOf(db, walk) : [gathered(db, source, walk)];
  return walks.length === 0 ? [] : readMerged(db, walks, page);
}

/** Where an item stands in a list by a column; undefined = it is not there for this scope. */
export async function findPlace(
  db: Knex,
  { id, by, scope }: { readonly id: string; readonly by: ColumnSort; readonly scope: Scope },
): Promise<PagedItem | undefined> {
  const shows = itemShows(db, scope, { by: 'row' });
  const [row] = await db.raw<PagedRow[]>(
    `select items.id, items.no, items.${columns[by]} as value from items
     where items.id = ? and ${isActiveItem('row')} and ${shows.sql}`,
    [id, ...shows.bindings],
  );
  return row && toPaged(by === 'title')(row);
}

async function librariesOf(db: Knex, walk: Walk): Promise<readonly Fragment[]> {
  const { selection, limit } = walk;
  const sources = await findLibrarySources(db, selection, limit);
  return selection.libraries.flatMap((library) => {
    const source = sources.get(library.no);
    if (source === undefined) return [];
    return source === null ? walksOf(db, library, walk) : gathered(db, source, walk);
  });
}

async function readMerged(
  db: Knex,
  walks: readonly Fragment[],
  { sortOrder, limit, order }: ItemPage,
): Promise<readonly PagedItem[]> {
  const sorted = `order by value ${sortOrder}, no ${sortOrder}`;
  const parts = dialectOf(db) === 'sqlite' ? walks : walks.map(endingAfter(sorted, limit));
  const merged = `${parts.map(({ sql }) => sql).join(' union all ')} ${sorted} limit ?`;
  const rows = await db.raw<PagedRow[]>(
    `select items.id, page.no, page.value from (${merged}) as page join items on items.no = page.no
     order by page.value ${sortOrder}, page.no ${sortOrder}`,
    [...parts.flatMap(({ bindings }) => bindings), limit],
  );
  return rows.map(toPaged(order.by === 'title'));
}

/** PostgreSQL merges walks with a limit of their own; others it reads to the end and sorts. */
const endingAfter =
  (order: string, limit: number) =>
  ({ sql, bindings }: Fragment, at: number): Fragment => ({
    sql: `select * from (${sql} ${order} limit ?) as part_${at}`,
    bindings: [...bindings, limit],
  });

type Walk = ItemPage & { readonly value: ReturnType<typeof valueOf> };

/**
 * The text `status = 'active'` must stand in the statement for the partial indexes to be used. The
 * certification is tested by an expression that is also true for null: otherwise SQLite would use
 * the index of rated items, which has another order, and sort the whole library for one page.
 */
function walksOf(db: Knex, library: ScopedLibrary, page: Walk): readonly Fragment[] {
  const { no, certifications } = library;
  if (certifications?.size === 0) return [];
  const { value, order, selection } = page;
  const filters = joined(
    selection.filters.map(({ row, sorted }) => (sorted?.by === order.by ? sorted.condition : row)),
  );
  const members = certifications === null ? [] : [toMembers(certifications)];
  const along = (shown: string, condition: string, place: Fragment): Fragment => ({
    sql: `select no, ${shown} as value from items where status = 'active' and library_no = ?${place.sql}
      ${condition}${filters.sql}`,
    bindings: [no, ...place.bindings, ...members, ...filters.bindings],
  });
  if (certifications !== null && isGathered(library, page.limit))
    return [
      along(value.computed, `and certification in ${membersOf(db)}`, beyond(page, value.walked)),
    ];
  const rated =
    certifications === null ? '' : `and coalesce(certification, '') in ${membersOf(db)}`;
  return placesOf(db, page).map((place) => along(value.walked, rated, place));
}

/** SQLite takes 500 parts of a union. */
const mostInParts = 100;

/**
 * The places behind the last page. SQLite finds the first value of a pair in an index, and not the
 * second: it would walk all items that share the value, such as the year, from the first one. So for
 * SQLite the rest of those and what follows are two walks.
 */
function placesOf(db: Knex, page: Walk): readonly Fragment[] {
  const { after, sortOrder, order, value, selection } = page;
  const isPair =
    dialectOf(db) !== 'sqlite' || order.by === 'random' || selection.libraries.length > mostInParts;
  if (after === null || isPair) return [beyond(page, value.walked)];
  const sign = sortOrder === 'asc' ? '>' : '<';
  return [
    { sql: ` and ${value.walked} = ? and no ${sign} ?`, bindings: [after.value, after.no] },
    { sql: ` and ${value.walked} ${sign} ?`, bindings: [after.value] },
  ];
}

function gathered(db: Knex, source: Fragment, page: Walk): Fragment {
  const shows = itemShows(db, page.selection, { by: 'row' });
  const filters = rowsOf(page.selection);
  const place = beyond(page, page.value.computed);
  return {
    sql: `select items.no, ${page.value.computed} as value from items
      where items.no in (${source.sql}) and ${isActiveItem('row')}
      and ${shows.sql}${filters.sql}${place.sql}`,
    bindings: [...source.bindings, ...shows.bindings, ...filters.bindings, ...place.bindings],
  };
}

function beyond({ after, sortOrder }: ItemPage, value: string): Fragment {
  if (after === null) return { sql: '', bindings: [] };
  const sign = sortOrder === 'asc' ? '>' : '<';
  return { sql: ` and (${value}, items.no) ${sign} (?, ?)`, bindings: [after.value, after.no] };
}

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
