/**
 * The filters of a list in SQL. Each is a condition on a row at hand, and where an index finds its
 * items, also a statement that gives their numbers: the list decides which of the two is faster.
 */
import type { Queries } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Scope, ScopedLibrary } from '../access/index.ts';
import { findEntity } from '../entities/find-entity.ts';
import { readGenreNumbers } from '../entities/genre-store.ts';
import type { LanguageUse } from '../tables/item-facts.ts';
import type { ItemSort, Range, ReadFilters } from './item-query.ts';
import type { FindCollectionItems, ItemRows, ProfileItems } from './profile-items.ts';

/** A piece of SQL; each `?` is a binding. */
export interface Fragment {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

export interface ItemFilter {
  /** Over the row `items`, in a form that leads the database to no index. */
  readonly row: Fragment;
  /** Selects the numbers of its items, and of no others in these libraries; `null` = no index does. */
  readonly numbers: Fragment | null;
  /** The same condition on columns that are indexed in each library, where there are such. */
  readonly indexed?: Fragment;
  /** The same condition on a column by which a list may be sorted, for a walk along that index. */
  readonly sorted?: { readonly by: ItemSort; readonly condition: Fragment };
}

/** Where the items of a list may be, and what they fulfil. */
export interface ItemSelection {
  readonly libraries: readonly ScopedLibrary[];
  readonly filters: readonly ItemFilter[];
}

/** What filters are read with. */
export interface FilterContext {
  readonly db: Queries;
  readonly viewer: Viewer;
  readonly scope: Scope;
  readonly profileItems: ProfileItems;
  readonly findCollectionItems: FindCollectionItems;
}

/**
 * What a question selects, for this viewer.
 *
 * @throws {AppError} `not_found` for an entity or a collection that the viewer may not see
 */
export async function selectItems(
  asked: ReadFilters,
  context: FilterContext,
): Promise<ItemSelection> {
  const libraries = context.scope.libraries.filter(
    ({ id, type }) =>
      (asked.libraryId === undefined || id === asked.libraryId) &&
      (asked.type === undefined || type === asked.type),
  );
  const named = await namedFilters(asked, context);
  const filters = [
    ...named,
    ...profileFilters(asked, context),
    ...columnFilters(asked, libraries),
    asked.language !== undefined ? spoken('sound', asked.language) : null,
    asked.subtitle !== undefined ? spoken('text', asked.subtitle) : null,
  ].filter((filter) => filter !== null);
  return { libraries, filters };
}

async function namedFilters(
  { genre, entityId, collectionId }: ReadFilters,
  { db, viewer, scope, findCollectionItems }: FilterContext,
): Promise<readonly ItemFilter[]> {
  const filters: ItemFilter[] = [];
  if (genre !== undefined) filters.push(linked(await readGenreNumbers(db, genre, scope)));
  if (entityId !== undefined) filters.push(linked([(await findEntity(db, entityId, scope)).no]));
  if (collectionId !== undefined) {
    const items = await findCollectionItems(db, collectionId, { viewer, scope });
    if (items === undefined)
      throw new AppError('not_found', { what: `Collection ${collectionId}` });
    filters.push('entityNo' in items ? linked([items.entityNo]) : namedIn(items));
  }
  return filters;
}

function profileFilters(
  { watched, favourite, myRating }: ReadFilters,
  { viewer: { profileId }, profileItems }: FilterContext,
): readonly ItemFilter[] {
  return [
    watched === undefined
      ? null
      : watched === 'unwatched'
        ? notNamedIn(profileItems.played(profileId, 'any'))
        : namedIn(profileItems.played(profileId, watched)),
    favourite === undefined
      ? null
      : (favourite ? namedIn : notNamedIn)(profileItems.favourites(profileId)),
    myRating === undefined ? null : namedIn(profileItems.rated(profileId, myRating)),
  ].filter((filter) => filter !== null);
}

function columnFilters(
  { year, rating, addedAfter, resolution, hdr }: ReadFilters,
  libraries: ItemSelection['libraries'],
): readonly ItemFilter[] {
  const filters: ItemFilter[] = [];
  if (year !== undefined) filters.push(ranged('year', 'year', known(year, 1), libraries));
  if (rating !== undefined) filters.push(ranged('rating', 'rating', known(rating, 0), libraries));
  if (addedAfter !== undefined)
    // Times are whole milliseconds.
    filters.push(ranged('addedAt', 'added_at', { from: addedAfter + 1, to: null }, libraries));
  if (resolution !== undefined)
    filters.push({
      // The word is one of a closed set, and stands in the text so that the partial index is used.
      row: { sql: `(items.resolution || '') = '${resolution}'`, bindings: [] },
      ...found({ sql: `resolution = '${resolution}'`, bindings: [] }, libraries),
    });
  if (hdr !== undefined)
    filters.push({
      row: { sql: `(items.hdr + 0) = ${hdr ? 1 : 0}`, bindings: [] },
      ...(hdr ? found({ sql: 'hdr = 1', bindings: [] }, libraries) : { numbers: null }),
    });
  return filters;
}

/** Values below the least one stand for what is unknown. */
const known = ({ from, to }: Range, least: number): Range => ({ from: from ?? least, to });

function ranged(
  by: ItemSort,
  column: 'year' | 'rating' | 'added_at',
  { from, to }: Range,
  libraries: ItemSelection['libraries'],
): ItemFilter {
  const within = (name: string): Fragment => ({
    sql: [from === null ? '' : `${name} >= ?`, to === null ? '' : `${name} <= ?`]
      .filter((part) => part !== '')
      .join(' and '),
    bindings: [from, to].filter((end) => end !== null),
  });
  const condition = within(`items.${column}`);
  return {
    row: within(`(items.${column} + 0)`),
    ...found(condition, libraries),
    sorted: { by, condition },
  };
}

/** A condition that an index of each library finds. */
const found = (
  indexed: Fragment,
  libraries: ItemSelection['libraries'],
): Required<Pick<ItemFilter, 'numbers' | 'indexed'>> => ({
  numbers: numbersIn(
    libraries.map(({ no }) => no),
    indexed,
  ),
  indexed,
});

/** Selects the numbers of the active items of these libraries that fulfil an indexed condition. */
export const numbersIn = (libraries: readonly number[], { sql, bindings }: Fragment): Fragment => ({
  sql: `select no from items where status = 'active' and library_no in (${libraries.join(', ')})
    and ${sql}`,
  bindings,
});

/** Linked to one of these entities. Their numbers come from the database. */
function linked(entityNumbers: readonly number[]): ItemFilter {
  const list = entityNumbers.length === 0 ? '-1' : entityNumbers.join(', ');
  return {
    row: {
      sql: `exists (select 1 from item_entities
        where entity_no in (${list}) and item_no = items.no)`,
      bindings: [],
    },
    numbers: {
      sql: `select item_no from item_entities where entity_no in (${list})`,
      bindings: [],
    },
  };
}

const spoken = (used: LanguageUse, language: string): ItemFilter => ({
  row: {
    sql: `exists (select 1 from item_languages
      where used = '${used}' and language = ? and item_no = items.no)`,
    bindings: [language],
  },
  numbers: {
    sql: `select item_no from item_languages where used = '${used}' and language = ?`,
    bindings: [language],
  },
});

const named = ({ table, where }: ItemRows): string =>
  `exists (select 1 from ${table} where item_id = items.id and ${where})`;

const namedIn = (rows: ItemRows): ItemFilter => ({
  row: { sql: named(rows), bindings: rows.bindings },
  numbers: {
    // A subquery of its own, since both tables may have columns of one name.
    sql: `select no from items where id in (select item_id from ${rows.table} where ${rows.where})`,
    bindings: rows.bindings,
  },
});

const notNamedIn = (rows: ItemRows): ItemFilter => ({
  row: { sql: `not ${named(rows)}`, bindings: rows.bindings },
  numbers: null,
});
