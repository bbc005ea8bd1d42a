import type { Knex } from 'knex';
import { listedColumns, type ListedItemRow } from './item-store.ts';

/** What a list of items can be sorted by. */
export const itemSorts = ['title', 'addedAt', 'year'] as const;

export type ItemSort = (typeof itemSorts)[number];
export type SortOrder = 'asc' | 'desc';

const columns = { title: 'sort_title', addedAt: 'added_at', year: 'year' } as const;

/** One page of active items, of which it reads no more than it gives. */
export interface ItemPage {
  readonly libraryNumbers: readonly number[];
  readonly sortBy: ItemSort;
  readonly sortOrder: SortOrder;
  /** Where the page before ended. */
  readonly after: { readonly value: string | number; readonly no: number } | null;
  readonly limit: number;
}

/**
 * Reads a page along the index of each library, and merges them: so it costs the same at the start
 * and at the end of a list, and in a small library beside a large one.
 */
export async function readItemPage(db: Knex, page: ItemPage): Promise<ListedItemRow[]> {
  if (page.libraryNumbers.length === 0) return [];
  const parts = page.libraryNumbers.map((no) => pageOfLibrary(no, page));
  const union = parts.map(({ sql }) => sql).join(' union all ');
  const bindings = parts.flatMap((part) => part.bindings);
  return db
    .from<ListedItemRow>(db.raw(`(${union}) as page`, bindings))
    .orderBy([
      { column: columns[page.sortBy], order: page.sortOrder },
      { column: 'no', order: page.sortOrder },
    ])
    .limit(page.limit)
    .select<ListedItemRow[]>('*');
}

/** The words `status = 'active'` stand in the text, since the index is one of active items alone. */
function pageOfLibrary(
  libraryNo: number,
  { sortBy, sortOrder, after, limit }: ItemPage,
): { readonly sql: string; readonly bindings: readonly (string | number)[] } {
  const column = columns[sortBy];
  const [sign, order] = sortOrder === 'asc' ? ['>', 'asc'] : ['<', 'desc'];
  const beyond = after === null ? '' : `and (${column}, no) ${sign} (?, ?)`;
  return {
    sql: `select * from (
      select ${listedColumns.join(', ')} from items where library_no = ? and status = 'active' ${beyond}
      order by ${column} ${order}, no ${order} limit ?
    ) as of_library`,
    bindings: [libraryNo, ...(after === null ? [] : [after.value, after.no]), limit],
  };
}

/** What the next page goes on after. */
export function sortValueOf(row: ListedItemRow, sortBy: ItemSort): string | number {
  return sortBy === 'title' ? row.sort_title : Number(row[columns[sortBy]]);
}
