import { AppError } from '../../../platform/errors.ts';

/** Years, both ends included. */
export interface YearRange {
  readonly from: number;
  readonly to: number;
}

const largest = 9999;

/**
 * `2001..2009`, `2001..`, `..2009` or `2001`.
 *
 * @throws {AppError} `invalid_request` for another text
 */
export function parseYearRange(text: string): YearRange {
  const match = /^(\d{1,4})?(?:(\.\.)(\d{1,4})?)?$/.exec(text);
  const [, first, dots, last] = match ?? [];
  const from = Number(first ?? 0);
  const to = Number(last ?? (dots === undefined ? (first ?? 0) : largest));
  if (match === null || (first ?? last) === undefined || from > to)
    throw new AppError('invalid_request', {
      what: `query.year must be a year or a range such as 2001..2009, 2001.. or ..2009: ${text.slice(0, 50)} is not.`,
    });
  return { from, to };
}
