import type { Knex } from 'knex';
import { isActiveItem, itemShows } from '../access/index.ts';
import type { ItemPosition } from './item-cursor.ts';
import type { Fragment, ItemSelection } from './item-filters.ts';
import { rowsOf } from './item-selection-store.ts';
import type { SortOrder } from './item-query.ts';
import { toPaged, type PagedItem, type PagedRow } from './paged-item.ts';
import type { ProfileItems } from './profile-items.ts';

/** The order by the plays of a profile. */
export interface PlayedOrder {
  readonly by: 'lastPlayedAt' | 'playCount';
  readonly plays: ReturnType<ProfileItems['plays']>;
}

interface PlayedPage {
  readonly selection: ItemSelection;
  readonly order: PlayedOrder;
  readonly sortOrder: SortOrder;
  readonly after: ItemPosition | null;
  readonly limit: number;
  /** The only items to look at, or null. */
  readonly source: Fragment | null;
}

/**
 * A page by the plays of a profile: its plays in their order, and what it never played, with the
 * value 0, by number. A profile played few items of many, so each half is read by itself.
 */
export async function readPlayedPage(db: Knex, page: PlayedPage): Promise<readonly PagedItem[]> {
  const { sortOrder, after } = page;
  const isInUnplayed = after?.value === 0;
  const halves =
    sortOrder === 'desc'
      ? [...(isInUnplayed ? [] : [playedHalf]), unplayedHalf]
      : [...(after === null || isInUnplayed ? [unplayedHalf] : []), playedHalf];
  const found: PagedItem[] = [];
  for (const half of halves) {
    const limit = page.limit - found.length;
    if (limit <= 0) break;
    const { sql, bindings } = half(page);
    const visible = visibleRows(db, page);
    const rows = await db.raw<PagedRow[]>(
      `${sql} and ${visible.sql} order by value ${sortOrder}, items.no ${sortOrder} limit ?`,
      [...bindings, ...visible.bindings, limit],
    );
    found.push(...rows.map(toPaged(false)));
  }
  return found;
}

function playedHalf({ order: { plays }, sortOrder, after }: PlayedPage): Fragment {
  const place = after === null || after.value === 0 ? null : after;
  return {
    sql: `select items.id, items.no, plays.value as value
      from (select item_id, ${plays.value} as value from ${plays.table} where ${plays.where})
        as plays join items on items.id = plays.item_id
      where ${place === null ? 'true' : `(plays.value, items.no) ${signOf(sortOrder)} (?, ?)`}`,
    bindings: [...plays.bindings, ...(place === null ? [] : [place.value, place.no])],
  };
}

function unplayedHalf({ order: { plays }, sortOrder, after }: PlayedPage): Fragment {
  const place = after?.value === 0 ? after : null;
  return {
    sql: `select items.id, items.no, 0 as value from items
      where not exists (select 1 from ${plays.table}
        where item_id = items.id and ${plays.where})
      and ${place === null ? 'true' : `items.no ${signOf(sortOrder)} ?`}`,
    bindings: [...plays.bindings, ...(place === null ? [] : [place.no])],
  };
}

const signOf = (sortOrder: SortOrder): string => (sortOrder === 'asc' ? '>' : '<');

function visibleRows(db: Knex, { selection, source }: PlayedPage): Fragment {
  const shows = itemShows(db, selection, { by: 'row' });
  const filters = rowsOf(selection);
  const among = source === null ? '' : ` and items.no in (${source.sql})`;
  return {
    sql: `${isActiveItem('row')} and ${shows.sql}${filters.sql}${among}`,
    bindings: [...shows.bindings, ...filters.bindings, ...(source?.bindings ?? [])],
  };
}
