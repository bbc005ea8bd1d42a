import { membersOf, toMembers, type Queries } from '../../../../kernel/store/index.ts';
import type { Scope, ScopedLibrary } from './scope.ts';

/** A piece of SQL that is true or false for a row; each `?` is a binding. */
export interface Condition {
  readonly sql: string;
  readonly bindings: readonly string[];
}

const nothing: Condition = { sql: '1 = 0', bindings: [] };

/**
 * Whether the row with this alias may be seen: an item, or a count of items of one library and one
 * certification. This is the rule of `libraryShowing` in SQL. Library numbers come from the
 * database and stand in the text; certifications come from plugins and users, and are bound.
 *
 * `row` is for rows that another condition finds. Each column is compared by a double negation, for which
 * SQLite uses no index: with one it would first collect everything visible. PostgreSQL simplifies the
 * negation, so its estimates are those of the plain condition.
 */
export function itemShows(
  db: Queries,
  { libraries }: Pick<Scope, 'libraries'>,
  {
    items = 'items',
    by = 'index',
  }: { readonly items?: string; readonly by?: 'index' | 'row' } = {},
): Condition {
  const columns =
    by === 'index'
      ? {
          isOf: (numbers: string) => `${items}.library_no in (${numbers})`,
          certification: `${items}.certification`,
        }
      : {
          isOf: (numbers: string) => `not (${items}.library_no not in (${numbers}))`,
          certification: `coalesce(${items}.certification, '')`,
        };
  return oneOf([...groupsOf(libraries)].map(([, group]) => groupShows(db, group, columns)));
}

/**
 * Whether an item is active. With `index` the text matches the indexes of active items; with `row`
 * it does not, so that SQLite does not walk such an index instead of the rows at hand.
 */
export const isActiveItem = (by: 'index' | 'row'): string =>
  by === 'index' ? "items.status = 'active'" : "not (items.status <> 'active')";

interface Columns {
  readonly isOf: (numbers: string) => string;
  readonly certification: string;
}

/**
 * Up to this many visible items, their links are collected; above, each entity looks for one item.
 */
const fewItems = 2000;

/**
 * Whether the entity with this number has a visible active item. Where few items are visible,
 * testing each entity would read all of its items in vain.
 */
export function entityShows(db: Queries, scope: Scope, entityNo = 'entities.no'): Condition {
  const isGathered = isFew(scope);
  const shows = itemShows(db, scope, { by: isGathered ? 'index' : 'row' });
  if (shows === nothing) return nothing;
  const isActive = `${isActiveItem(isGathered ? 'index' : 'row')} and ${shows.sql}`;
  const sql = isGathered
    ? `${entityNo} in (select item_entities.entity_no from items
        join item_entities on item_entities.item_no = items.no where ${isActive})`
    : `exists (select 1 from item_entities join items on items.no = item_entities.item_no
        where item_entities.entity_no = ${entityNo} and ${isActive})`;
  return { sql, bindings: shows.bindings };
}

function isFew({ libraries }: Scope): boolean {
  const shown = libraries.map(({ share }) => share?.shown ?? Infinity);
  return shown.reduce((sum, items) => sum + items, 0) <= fewItems;
}

/** Groups libraries that admit the same certifications. */
function groupsOf(libraries: readonly ScopedLibrary[]): Map<string, readonly ScopedLibrary[]> {
  return Map.groupBy(libraries, ({ certifications }) =>
    certifications === null ? '' : bound(certifications),
  );
}

function groupShows(db: Queries, group: readonly ScopedLibrary[], columns: Columns): Condition {
  const numbers = group.map(({ no }) => no).join(', ');
  const isOfGroup = columns.isOf(numbers);
  const certifications = group[0]?.certifications ?? null;
  if (certifications === null) return { sql: isOfGroup, bindings: [] };
  if (certifications.size === 0) return nothing;
  return {
    sql: `(${isOfGroup} and ${columns.certification} in ${membersOf(db)})`,
    bindings: [bound(certifications)],
  };
}

function oneOf(conditions: readonly Condition[]): Condition {
  const possible = conditions.filter((condition) => condition !== nothing);
  const [only, ...others] = possible;
  if (only === undefined) return nothing;
  if (others.length === 0) return only;
  return {
    sql: `(${possible.map(({ sql }) => sql).join(' or ')})`,
    bindings: possible.flatMap(({ bindings }) => bindings),
  };
}

/** One bound value that holds the list. */
export const bound = (certifications: ReadonlySet<string>): string => toMembers(certifications);
