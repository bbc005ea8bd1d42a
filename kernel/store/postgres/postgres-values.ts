/**
 * Values of PostgreSQL look as they do with SQLite: 64-bit numbers and sums are numbers, booleans are
 * 1 or 0, JSON and moments are text. So stores do not depend on the database.
 */
import { createRequire } from 'node:module';
import type pg from 'pg';
import { toBound, type BoundValue } from '../bound-value.ts';

/** Replaces a character that PostgreSQL cannot store; half of a surrogate pair becomes the same. */
const replacement = '\ufffd';

/** The value to bind. The server determines its type from the column. */
export function toPostgresValue(value: unknown): BoundValue {
  const bound = toBound(value);
  if (typeof bound !== 'string') return bound;
  return bound.includes('\0') ? bound.replaceAll('\0', replacement) : bound;
}

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;

/** Loaded on demand, since most servers use SQLite and loading takes 45 ms. */
export const loadPostgres = (): typeof pg => createRequire(import.meta.url)('pg') as typeof pg;

/** The parsers of a connection, in the form that `pg` expects. */
export function createPostgresTypes(): {
  readonly getTypeParser: (oid: number, format?: string) => Parse;
} {
  const { types } = loadPostgres();
  const { builtins } = types;
  const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
    [builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
    [builtins.INT8, Number],
    [builtins.NUMERIC, Number],
    [builtins.JSON, asText],
    [builtins.JSONB, asText],
    [builtins.DATE, asText],
    [builtins.TIME, asText],
    [builtins.TIMESTAMP, asText],
    [builtins.TIMESTAMPTZ, asText],
  ]);
  // Other types use the parsers of `pg`.
  const standard = types.getTypeParser as (oid: number, format: string) => Parse;
  return { getTypeParser: (oid, format = 'text') => parsers.get(oid) ?? standard(oid, format) };
}
