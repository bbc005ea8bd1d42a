import type { Knex } from 'knex';
import { itemShows, isActiveItem } from '../access/index.ts';
import type { BigNumber } from '../tables/rows.ts';
import { numbersIn, type Fragment, type ItemSelection } from './item-filters.ts';

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
  { libraries, filters }: ItemSelection,
  limit: number,
): Promise<Fragment | null> {
  const sources = filters.flatMap(({ numbers }) => numbers ?? []);
  if (sources.length === 0 || libraries.length === 0) return null;
  const [totals, counts] = await Promise.all([
    readTotals(db, libraries),
    countUpTo(
      db,
      sources.map((numbers) => ({ numbers, most: mostGathered })),
    ),
  ]);
  const total = [...totals.values()].reduce((sum, one) => sum + one, 0);
  const fewest = Math.min(...counts);
  const isFew = fewest <= mostWorthGathering(total, limit);
  return isFew ? (sources[counts.indexOf(fewest)] ?? null) : null;
}

/**
 * How the items of one library are found: `null` = by a walk along the order, else by a statement
 * that gives their numbers. A library without any is not in the map.
 */
export type LibrarySources = ReadonlyMap<number, Fragment | null>;

/**
 * Decides for each library, by the filters that an index of each library finds. So a library in
 * which a filter finds little or nothing is not walked to its end.
 */
export async function findLibrarySources(
  db: Knex,
  { libraries, filters }: ItemSelection,
  limit: number,
): Promise<LibrarySources> {
  const conditions = filters.flatMap(({ indexed }) => indexed ?? []);
  // For one library, `findSource` has decided the same.
  if (conditions.length === 0 || libraries.length === 1)
    return new Map(libraries.map(({ no }) => [no, null]));
  const totals = await readTotals(db, libraries);
  const candidates = libraries.flatMap(({ no }) => {
    const most = mostWorthGathering(totals.get(no) ?? 0, limit);
    return conditions.map((condition) => ({ no, most, numbers: numbersIn([no], condition) }));
  });
  const counts = await countUpTo(db, candidates);
  const sources = new Map<number, Fragment | null>();
  for (const { no } of libraries) {
    const [fewest] = candidates
      .map((candidate, at) => ({ ...candidate, items: counts[at] ?? 0 }))
      .filter((candidate) => candidate.no === no)
      .toSorted((a, b) => a.items - b.items);
    if (fewest === undefined || fewest.items === 0) continue;
    sources.set(no, fewest.items <= fewest.most ? fewest.numbers : null);
  }
  return sources;
}

/** A walk looks at `limit * total / items` rows, if the items are spread evenly. */
const mostWorthGathering = (total: number, limit: number): number =>
  Math.min(mostGathered, Math.floor(Math.sqrt(limit * total)));

async function readTotals(
  db: Knex,
  libraries: ItemSelection['libraries'],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db('libraries')
    .whereIn(
      'no',
      libraries.map(({ no }) => no),
    )
    .select<{ no: BigNumber; item_count: BigNumber }[]>('no', 'item_count');
  return new Map(rows.map(({ no, item_count }) => [Number(no), Number(item_count)]));
}

/** Counts the rows of several statements, each no further than one above its limit. */
async function countUpTo(
  db: Knex,
  counted: readonly { readonly numbers: Fragment; readonly most: number }[],
): Promise<readonly number[]> {
  if (counted.length === 0) return [];
  const counts = counted.map(
    ({ numbers, most }, at) =>
      `(select count(*) from (${numbers.sql} limit ${most + 1}) as some_${at}) as items_${at}`,
  );
  const [row] = await db.raw<Readonly<Record<string, BigNumber>>[]>(
    `select ${counts.join(', ')}`,
    counted.flatMap(({ numbers }) => numbers.bindings),
  );
  return counted.map((_, at) => Number(row?.[`items_${at}`] ?? 0));
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
