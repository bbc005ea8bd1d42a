import { membersOf, toMembers, type Queries } from '../../../kernel/index.ts';
import type { Scope, ScopedLibrary } from './scope.ts';

/** A piece of SQL that is true or false of a row; each `?` stands for a binding. */
export interface Condition {
  readonly sql: string;
  readonly bindings: readonly string[];
}

const nothing: Condition = { sql: '1 = 0', bindings: [] };

/**
 * Whether the row that stands under this name in a statement may be seen: an item, or a count of items
 * of one library and one certification. The same rule as `libraryShowing`, for a database. Numbers
 * stand in the text, since they are the database's own; certifications are anybody's words, and bound.
 *
 * By `row` it is asked of rows that are found by something else: the columns stand in expressions, or a
 * database would gather all that may be seen by an index, to find the few that are wanted among it.
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
      ? { library: `${items}.library_no`, certification: `${items}.certification` }
      : {
          library: `(${items}.library_no + 0)`,
          certification: `coalesce(${items}.certification, '')`,
        };
  return oneOf([...groupsOf(libraries)].map(([, group]) => groupShows(db, group, columns)));
}

/**
 * Whether an item is there. By `index` the words stand as the indexes of active items have them; by `row`
 * they do not, so that no such index is walked in place of the rows that are at hand.
 */
export const isActiveItem = (by: 'index' | 'row'): string =>
  by === 'index' ? "items.status = 'active'" : "(items.status || '') = 'active'";

interface Columns {
  readonly library: string;
  readonly certification: string;
}

/** Up to so many items, what they are linked to is gathered; above, each entity looks for one of its items. */
const fewItems = 2000;

/**
 * Whether the entity with this number has an active item that may be seen. Where hardly any item may,
 * an entity would look at all of its own in vain.
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

/** Libraries that admit the same, together. */
function groupsOf(libraries: readonly ScopedLibrary[]): Map<string, readonly ScopedLibrary[]> {
  return Map.groupBy(libraries, ({ certifications }) =>
    certifications === null ? '' : bound(certifications),
  );
}

function groupShows(db: Queries, group: readonly ScopedLibrary[], columns: Columns): Condition {
  const numbers = group.map(({ no }) => no).join(', ');
  const isOfGroup = `${columns.library} in (${numbers})`;
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

/** As one value: the members of a list. */
export const bound = (certifications: ReadonlySet<string>): string => toMembers(certifications);
