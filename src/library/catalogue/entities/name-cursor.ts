import { readCursor } from '../../../platform/cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { After } from './entity-list-store.ts';

/**
 * The position in a list that is sorted by names: after which name and number it goes on.
 *
 * @throws {AppError} `invalid_request` when the cursor is of another list
 */
export function parseNameCursor(cursor: string | undefined): After | null {
  if (cursor === undefined) return null;
  const [value, no] = readCursor(cursor, 2);
  if (typeof value === 'string' && typeof no === 'number') return { value, no };
  throw new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
}
