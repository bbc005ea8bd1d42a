import type { Knex } from 'knex';
import { isActiveItem, itemShows, type Scope } from '../access/index.ts';
import type { BigNumber } from '../tables/rows.ts';
import type { ItemSelection } from './item-filters.ts';
import { selectedItems } from './item-selection-store.ts';

interface LetterRow {
  readonly letter: string;
  readonly items: BigNumber;
}

/**
 * How many items of a selection each letter has, in no order. Without filters it reads the counts
 * that the database keeps.
 */
export async function countLetters(
  db: Knex,
  selection: ItemSelection,
): Promise<ReadonlyMap<string, number>> {
  if (selection.libraries.length === 0) return new Map();
  const rows =
    selection.filters.length === 0
      ? await readKept(db, selection)
      : await countFiltered(db, selection);
  return new Map(
    rows.flatMap(({ letter, items }) => (Number(items) > 0 ? [[letter, Number(items)]] : [])),
  );
}

async function readKept(db: Knex, selection: ItemSelection): Promise<LetterRow[]> {
  const shows = itemShows(db, selection, { items: 'letter_counts' });
  return db('letter_counts')
    .whereRaw(shows.sql, shows.bindings)
    .groupBy('letter')
    .select<LetterRow[]>('letter', db.raw('sum(items) as items'));
}

async function countFiltered(db: Knex, selection: ItemSelection): Promise<LetterRow[]> {
  const { sql, bindings } = selectedItems(db, selection);
  return db.raw<LetterRow[]>(
    `select letter, count(*) as items from ${sql} group by letter`,
    bindings,
  );
}

/**
 * How many items of a selection came out in each month, as `202406`; `202400` = of that year, the month is
 * unknown; 0 = unknown. In no order.
 */
export async function countMonths(
  db: Knex,
  selection: ItemSelection,
): Promise<ReadonlyMap<number, number>> {
  if (selection.libraries.length === 0) return new Map();
  const { sql, bindings } = selectedItems(db, selection);
  const rows = await db.raw<{ readonly month: BigNumber; readonly items: BigNumber }[]>(
    `select released_on / 100 as month, count(*) as items from ${sql} group by released_on / 100`,
    bindings,
  );
  return new Map(rows.map(({ month, items }) => [Number(month), Number(items)]));
}

/** How many items a selection has. */
export async function countSelected(db: Knex, selection: ItemSelection): Promise<number> {
  if (selection.libraries.length === 0) return 0;
  if (selection.filters.length === 0) return countShown(db, selection);
  const { sql, bindings } = selectedItems(db, selection);
  const [row] = await db.raw<{ readonly items: BigNumber }[]>(
    `select count(*) as items from ${sql}`,
    bindings,
  );
  return Number(row?.items ?? 0);
}

/** How many active items a scope shows, from the counts that the database keeps. */
export async function countShown(db: Knex, scope: Pick<Scope, 'libraries'>): Promise<number> {
  const shows = itemShows(db, scope, { items: 'letter_counts' });
  const row = await db('letter_counts')
    .whereRaw(shows.sql, shows.bindings)
    .first<{ readonly items: BigNumber | null } | undefined>(db.raw('sum(items) as items'));
  return Number(row?.items ?? 0);
}

/**
 * The languages of the sound of a scope's active items, as tags in lower case, by tag. It goes from
 * one language to the next in their index, and reads of each only the items before the first visible
 * one.
 */
export async function readSoundLanguages(
  db: Knex,
  scope: Pick<Scope, 'libraries'>,
): Promise<readonly string[]> {
  if (scope.libraries.length === 0) return [];
  const shows = itemShows(db, scope, { by: 'row' });
  const rows = await db.raw<{ readonly language: string }[]>(
    `with recursive spoken(language) as (
       select min(language) from item_languages where used = 'sound'
       union all
       select (select min(language) from item_languages
         where used = 'sound' and language > spoken.language)
       from spoken where spoken.language is not null)
     select language from spoken
     where language is not null and exists (
       select 1 from item_languages as used_by join items on items.no = used_by.item_no
       where used_by.used = 'sound' and used_by.language = spoken.language
         and ${isActiveItem('row')} and ${shows.sql})
     order by language limit ${mostLanguages}`,
    [...shows.bindings],
  );
  return rows.map(({ language }) => language);
}

/** Nobody can choose from more. */
const mostLanguages = 500;
