/** What lists of entities are sorted by. */
import { createHash } from 'node:crypto';
import { readCursor, writeCursor } from '../../../platform/cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import { findLetter, startOf } from '../tables/letter.ts';
import type { entitySorts } from '../../../contract/resources/library/entities.ts';

export type EntitySortKey = (typeof entitySorts)[number];

/** An order of entities. */
export interface EntitySort {
  readonly sortBy: EntitySortKey;
  readonly sortOrder: 'asc' | 'desc';
  /** Of `random`: another seed is another order. */
  readonly seed: string;
}

/** The end of a page. */
export interface EntityPlace {
  readonly value: string | number;
  readonly no: number;
}

/** The types that are of a year; others have people and things of many years. */
export const datedTypes: ReadonlySet<string> = new Set(['album', 'season', 'show', 'series']);

const wordOf = ({ sortBy, sortOrder, seed }: EntitySort): string =>
  `${sortBy} ${sortOrder}${sortBy === 'random' ? ` ${seed}` : ''}`;

/** The filters of a list: the place in one list means nothing in another. */
export type EntityFilters = readonly (string | boolean | null | undefined)[];

/** A short text that differs between lists of other entities or in another order. */
function markOf(sort: EntitySort, filters: EntityFilters): string {
  const text = JSON.stringify([wordOf(sort), ...filters]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

export const writeEntityCursor = (
  sort: EntitySort,
  filters: EntityFilters,
  { value, no }: EntityPlace,
): string => writeCursor([markOf(sort, filters), value, no]);

/**
 * The place before all entities of a letter, in a list by name; null = no letter is asked for.
 *
 * @throws {AppError} `invalid_request` in another order, beside a cursor, or when it is not one letter
 */
export function parseEntityLetter(
  {
    letter,
    cursor,
  }: { readonly letter?: string | undefined; readonly cursor?: string | undefined },
  { sortBy, sortOrder }: EntitySort,
): EntityPlace | null {
  if (letter === undefined) return null;
  if (sortBy !== 'name')
    throw refusal('query.letter is for a list by name; use sortBy=name, or leave it out.');
  if (cursor !== undefined)
    throw refusal('query.letter and query.cursor are both positions; send one of them.');
  const found = findLetter(letter);
  if (found === undefined)
    throw refusal('query.letter must be one letter, such as S, or # for what comes before A.');
  return startOf(found, sortOrder);
}

const refusal = (what: string): AppError => new AppError('invalid_request', { what });

/**
 * The place after which a page begins.
 *
 * @throws {AppError} `invalid_request` when the cursor is of another list or another order
 */
export function parseEntityCursor(
  cursor: string | undefined,
  sort: EntitySort,
  filters: EntityFilters,
): EntityPlace | null {
  if (cursor === undefined) return null;
  const [mark, value, no] = readCursor(cursor, 3);
  const wanted = sort.sortBy === 'name' ? 'string' : 'number';
  if (mark === markOf(sort, filters) && typeof no === 'number' && typeof value === wanted)
    return { value: value ?? 0, no };
  throw new AppError('invalid_request', {
    what: 'query.cursor belongs to a list with other filters or in another order; leave it out to start from the beginning.',
  });
}
