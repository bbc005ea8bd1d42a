/**
 * The position in a list of items: the sort value and the number of the last item. A position does
 * not move when items come or go before it. It holds a mark of the query, since a position in one
 * list is meaningless in another.
 */
import { createHash } from 'node:crypto';
import { readCursor, writeCursor } from '../../../platform/cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { ItemQuery, ReadFilters } from './item-query.ts';

/** The end of a page. */
export interface ItemPosition {
  readonly value: string | number;
  readonly no: number;
}

/** What a cursor belongs to. */
export interface ListOrder extends Pick<ItemQuery, 'sortBy' | 'sortOrder'> {
  readonly filters: ReadFilters;
}

/** A short text that differs between lists of other items or in another order. */
export function markOf({ sortBy = 'title', sortOrder = 'asc', filters }: ListOrder): string {
  const text = JSON.stringify([sortBy, sortOrder, Object.entries(filters).sort()]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

/** The cursor of a position; of a list in random order with its seed. */
export const writeItemCursor = (mark: string, { value, no }: ItemPosition, seed: string): string =>
  writeCursor([mark, value, no, seed]);

/** Reads a cursor of this list, or throws `invalid_request`. */
export function readItemCursor(
  cursor: string,
  mark: string,
  { sortBy, seed }: Pick<ItemQuery, 'sortBy' | 'seed'>,
): { readonly after: ItemPosition; readonly seed: string } {
  const [madeFor, value, no, own] = readCursor(cursor, 4);
  const wanted = (sortBy ?? 'title') === 'title' ? 'string' : 'number';
  const isOwn = madeFor === mark && (seed === undefined || sortBy !== 'random' || seed === own);
  if (!isOwn || typeof value !== wanted || typeof no !== 'number' || typeof own !== 'string')
    throw new AppError('invalid_request', {
      what: 'query.cursor belongs to a list with other filters or in another order; leave it out to start from the beginning.',
    });
  return { after: { value: value ?? 0, no }, seed: own };
}
