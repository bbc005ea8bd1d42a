/** What lists of entities are sorted by. */
import { readCursor, writeCursor } from '../../../platform/cursor.ts';
import { AppError } from '../../../platform/errors.ts';

export const entitySorts = ['name', 'year', 'addedAt', 'playCount', 'random'] as const;

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

export const writeEntityCursor = (sort: EntitySort, { value, no }: EntityPlace): string =>
  writeCursor([wordOf(sort), value, no]);

/**
 * The place after which a page begins.
 *
 * @throws {AppError} `invalid_request` when the cursor is of another list or another order
 */
export function parseEntityCursor(
  cursor: string | undefined,
  sort: EntitySort,
): EntityPlace | null {
  if (cursor === undefined) return null;
  const [word, value, no] = readCursor(cursor, 3);
  const wanted = sort.sortBy === 'name' ? 'string' : 'number';
  if (word === wordOf(sort) && typeof no === 'number' && typeof value === wanted)
    return { value: value ?? 0, no };
  throw new AppError('invalid_request', {
    what: 'query.cursor belongs to a list in another order; leave it out to start from the beginning.',
  });
}
