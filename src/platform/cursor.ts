import { AppError } from './errors.ts';

/** One value of the row at which a page ended. */
export type CursorPart = string | number | null;

/** The position of the next page, as text that only the server reads. */
export const writeCursor = (parts: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Reads the text of `writeCursor`, or throws a refusal, since the text comes from a client. */
export function readCursor(text: string, length: number): readonly CursorPart[] {
  const parts = parsed(text);
  if (Array.isArray(parts) && parts.length === length && parts.every(isPart)) return parts;
  throw new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
}

/** A part that a row can have: PostgreSQL fails on larger numbers, and on text with a NUL. */
const isPart = (value: unknown): value is CursorPart =>
  value === null ||
  (typeof value === 'string' && !value.includes('\0')) ||
  (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
