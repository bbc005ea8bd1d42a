import type { Knex } from 'knex';
import { dialectOf } from '../../../../kernel/store/index.ts';
import {
  isActiveItem,
  itemShows,
  libraryShowing,
  type Condition,
  type Scope,
} from '../access/index.ts';
import { chanceOf } from '../tables/chance.ts';
import { entityCounts, parseShownBy, unknownShownBy } from '../tables/entity-count-store.ts';
import { letterOf } from '../tables/letter.ts';
import type { BigNumber } from '../tables/rows.ts';
import { visibleEntities } from './entity-list-store.ts';
import { datedTypes, type EntityPlace, type EntitySort } from './entity-sort.ts';
import type { YearRange } from './year-range.ts';

/** Which entities a list has. */
export interface EntitySelection {
  readonly scope: Scope;
  readonly type: string;
  readonly status: string | undefined;
  /** Only entities of which a visible item is linked to this one. */
  readonly withEntityNo: number | undefined;
  readonly years: YearRange | undefined;
  readonly isFavourite: (Condition & { readonly wanted: boolean }) | undefined;
}

export interface EntityPage extends EntitySelection, EntitySort {
  /** SQL of `entity_no` and `plays`. */
  readonly plays: Condition;
  readonly after: EntityPlace | null;
  readonly offset: number;
  readonly limit: number;
}

/** An entity of a page, and its place in the list. */
export type PagedEntity = { readonly no: number; readonly value: string | number };

/**
 * One page of a type. By name it walks the index of names. Any other order needs the sums of all
 * entities of the type, since it depends on what the viewer may see.
 */
export async function readEntityPage(db: Knex, page: EntityPage): Promise<readonly PagedEntity[]> {
  const query = selectedEntities(db, page, page.sortBy !== 'name');
  if (page.sortBy === 'playCount')
    void query.leftJoin(
      db.raw(`${page.plays.sql} as plays`, [...page.plays.bindings]),
      'plays.entity_no',
      'entities.no',
    );
  const value = valueOf(page);
  const { sortOrder, after } = page;
  if (after !== null)
    void query.whereRaw(`(${value}, entities.no) ${sortOrder === 'asc' ? '>' : '<'} (?, ?)`, [
      after.value,
      after.no,
    ]);
  const rows = await query
    .orderByRaw(`${value} ${sortOrder}, entities.no ${sortOrder}`)
    .limit(page.limit)
    .offset(page.offset)
    .select<{ no: number; value: string | number }[]>('entities.no', db.raw(`${value} as value`));
  const toValue = page.sortBy === 'name' ? String : Number;
  return rows.map((row) => ({ no: row.no, value: toValue(row.value) }));
}

interface InitialRow {
  readonly first: string;
  readonly entities: BigNumber;
}

const initial = 'substr(entities.sort_name, 1, 1)';

/**
 * How many entities of a selection each letter has, in no order. What the upkeep knows is counted in
 * one index; the items are read only of entities that wait for it.
 */
export async function countEntityLetters(
  db: Knex,
  selection: EntitySelection,
): Promise<ReadonlyMap<string, number>> {
  const rows =
    selection.years === undefined
      ? (await Promise.all([countKnown(db, selection), countUnknown(db, selection)])).flat()
      : await countInitials(db, selectedEntities(db, selection, false));
  const counts = new Map<string, number>();
  for (const row of rows) {
    const letter = letterOf(row.first);
    counts.set(letter, (counts.get(letter) ?? 0) + Number(row.entities));
  }
  return counts;
}

async function countKnown(db: Knex, selection: EntitySelection): Promise<readonly InitialRow[]> {
  const { scope } = selection;
  const query = narrow(db, withoutHidden(db('entities'), scope), selection)
    .whereNotNull('entities.shown_by')
    .whereRaw('entities.no not in (select entity_no from touched_entities)')
    .groupByRaw(`entities.shown_by, ${initial}`)
    .select<(InitialRow & { readonly shown_by: string })[]>(
      'entities.shown_by',
      db.raw(`${initial} as first`),
      db.raw('count(*) as entities'),
    );
  const isShown = new Map<string, boolean>();
  return (await query).filter(({ shown_by: text }) => {
    const known = isShown.get(text) ?? parseShownBy(text).some((row) => libraryShowing(scope, row));
    isShown.set(text, known);
    return known;
  });
}

/**
 * PostgreSQL is told the order: first the entities that wait for the upkeep, then each by its number.
 * Until it has measured the tables, as during a first scan, it would read all of them for each one.
 */
async function countUnknown(db: Knex, selection: EntitySelection): Promise<readonly InitialRow[]> {
  const { type } = selection;
  const query = selectedEntities(db, selection, false);
  if (dialectOf(db) === 'sqlite')
    return countInitials(db, query.whereRaw(`entities.no in ${unknownShownBy}`, [type]));
  const each = query
    .whereRaw('entities.no = waiting.no')
    .select(db.raw(`${initial} as first`))
    .toSQL();
  return db.raw<readonly InitialRow[]>(
    `with waiting as materialized (
      select entity_no as no from ${unknownShownBy} as unknown group by entity_no
    ) select first, count(*) as entities
    from waiting cross join lateral (${each.sql} offset 0) as shown group by first`,
    [type, ...each.bindings],
  );
}

const countInitials = async (
  db: Knex,
  entities: Knex.QueryBuilder,
): Promise<readonly InitialRow[]> =>
  entities
    .groupByRaw(initial)
    .select<InitialRow[]>(db.raw(`${initial} as first`), db.raw('count(*) as entities'));

/** The entities of a selection; `isSummed`: with the sums of their items, as `sums`. */
function selectedEntities(
  db: Knex,
  selection: EntitySelection,
  isSummed: boolean,
): Knex.QueryBuilder {
  const { scope, type, years } = selection;
  if (!isSummed && years === undefined)
    return narrow(db, visibleEntities(db, scope, scope.showsHidden), selection);
  const query = narrow(db, summedEntities(db, selection), selection);
  if (years === undefined) return query;
  return query.whereRaw(`${yearOf(type)} between ? and ?`, [years.from, years.to]);
}

/** Only entities of a selection's type, status and so on, for any viewer and of any year. */
function narrow(
  db: Knex,
  query: Knex.QueryBuilder,
  { scope, type, status, isFavourite, withEntityNo }: EntitySelection,
): Knex.QueryBuilder {
  void query.where('entities.type', type);
  if (status !== undefined) void query.where('entities.status', status);
  if (isFavourite !== undefined) {
    const { sql, bindings, wanted } = isFavourite;
    void query.whereRaw(wanted ? sql : `not (${sql})`, [...bindings]);
  }
  if (withEntityNo !== undefined) {
    const { sql, bindings } = linkedBeside(db, scope, withEntityNo);
    void query.whereRaw(sql, [...bindings]);
  }
  return query;
}

const withoutHidden = (query: Knex.QueryBuilder, scope: Scope): Knex.QueryBuilder =>
  scope.showsHidden ? query : query.where('entities.hidden', false);

function summedEntities(db: Knex, { scope, type }: EntitySelection): Knex.QueryBuilder {
  const shows = itemShows(db, scope, { items: 'counts', by: 'row' });
  const sums = db.raw(
    `(select entity_no, min(nullif(year, 0)) as year, max(added_at) as added_at
      from ${entityCounts('(select no from entities where type = ?)')} as counts
      where ${shows.sql} group by entity_no) as sums`,
    [type, type, ...shows.bindings],
  );
  return withoutHidden(db('entities').join(sums, 'sums.entity_no', 'entities.no'), scope);
}

/** What the list is sorted by. An unknown year comes last in both orders. */
function valueOf({ sortBy, sortOrder, seed, type }: EntityPage): string {
  switch (sortBy) {
    case 'name':
      return 'entities.sort_name';
    case 'year':
      return `coalesce(${yearOf(type)}, ${sortOrder === 'asc' ? 10_000 : 0})`;
    case 'addedAt':
      return 'sums.added_at';
    case 'playCount':
      return 'coalesce(plays.plays, 0)';
    case 'random':
      return chanceOf('entities.no', seed);
  }
}

const yearOf = (type: string): string =>
  datedTypes.has(type) ? 'coalesce(entities.year, sums.year)' : 'cast(null as integer)';

/** Whether an entity is linked to a visible item that is also linked to the other one. */
function linkedBeside(db: Knex, scope: Scope, entityNo: number): Condition {
  const shows = itemShows(db, scope, { by: 'row' });
  return {
    sql: `entities.no in (select beside.entity_no from item_entities as mine
      join items on items.no = mine.item_no
      join item_entities as beside on beside.item_no = mine.item_no
      where mine.entity_no = ${entityNo} and ${isActiveItem('row')} and ${shows.sql})`,
    bindings: shows.bindings,
  };
}
