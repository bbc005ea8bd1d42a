import type { Knex } from 'knex';
import { itemShows, isActiveItem } from '../access/index.ts';
import type { BigNumber } from '../tables/rows.ts';
import type { Fragment, ItemSelection } from './item-filters.ts';

/** Conditions behind others, with `and` before each. */
export const joined = (conditions: readonly Fragment[]): Fragment => ({
  sql: conditions.map(({ sql }) => ` and ${sql}`).join(''),
  bindings: conditions.flatMap(({ bindings }) => bindings),
});

/** The filters as conditions on rows at hand. */
export const rowsOf = ({ filters }: ItemSelection): Fragment =>
  joined(filters.map(({ row }) => row));

/** More items than this are never read to be sorted. */
const mostGathered = 10_000;

/**
 * The statement for the filter that leaves the fewest items, where reading and sorting those is
 * faster than a walk along the order until the page is full; else null. It counts no further than
 * it has to.
 */
export async function findSource(
  db: Knex,
  selection: ItemSelection,
  limit: number,
): Promise<Fragment | null> {
  const counted = await countSources(db, selection, mostGathered);
  const fewest = counted.sources.toSorted((a, b) => a.items - b.items)[0];
  if (fewest === undefined) return null;
  // A walk looks at `limit * total / items` rows, if the items are spread evenly.
  const isFew = fewest.items <= mostGathered && fewest.items ** 2 <= limit * counted.total;
  return isFew ? fewest.numbers : null;
}

interface CountedSources {
  readonly total: number;
  readonly sources: readonly { readonly numbers: Fragment; readonly items: number }[];
}

async function countSources(
  db: Knex,
  { libraries, filters }: ItemSelection,
  most: number,
): Promise<CountedSources> {
  const sources = filters.flatMap(({ numbers }) => numbers ?? []);
  if (sources.length === 0 || libraries.length === 0) return { total: 0, sources: [] };
  const total = `(select coalesce(sum(item_count), 0) from libraries
    where no in (${libraries.map(({ no }) => no).join(', ')}))`;
  const counts = sources.map(
    ({ sql }, at) =>
      `(select count(*) from (${sql} limit ${most + 1}) as some_${at}) as items_${at}`,
  );
  const [row] = await db.raw<Readonly<Record<string, BigNumber>>[]>(
    `select ${[`${total} as total`, ...counts].join(', ')}`,
    sources.flatMap(({ bindings }) => bindings),
  );
  return {
    total: Number(row?.['total'] ?? 0),
    sources: sources.map((numbers, at) => ({ numbers, items: Number(row?.[`items_${at}`] ?? 0) })),
  };
}

/** All visible active items of a selection, as what follows `from`. */
export function selectedItems(db: Knex, selection: ItemSelection): Fragment {
  const source = selection.filters.find(({ numbers }) => numbers !== null)?.numbers ?? null;
  const filters = rowsOf(selection);
  const by = source === null ? 'index' : 'row';
  const shows = itemShows(db, selection, { by });
  const among = source === null ? '' : ` and items.no in (${source.sql})`;
  return {
    sql: `items where ${isActiveItem(by)} and ${shows.sql}${among}${filters.sql}`,
    bindings: [...shows.bindings, ...(source?.bindings ?? []), ...filters.bindings],
  };
}
