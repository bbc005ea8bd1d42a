/**
 * What goes into PostgreSQL and comes out of it reads as it does with SQLite: 64-bit numbers and sums
 * are numbers, truth is 1 or 0, JSON and moments are text. So no store needs to know which it is.
 */
import { createRequire } from 'node:module';
import type pg from 'pg';
import { toBound, type BoundValue } from '../bound-value.ts';

/** What a text column of PostgreSQL cannot hold; half of a surrogate pair becomes the same. */
const replacement = '\ufffd';

/** A value as it is bound. Types are left to the server, which knows the column. */
export function toPostgresValue(value: unknown): BoundValue {
  const bound = toBound(value);
  if (typeof bound !== 'string') return bound;
  return bound.includes('\0') ? bound.replaceAll('\0', replacement) : bound;
}

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;

/** Most servers never speak to PostgreSQL, and the package would cost each of their starts 45 ms. */
export const loadPostgres = (): typeof pg => createRequire(import.meta.url)('pg') as typeof pg;

/** The parsers of a connection, in the shape that `pg` asks for. */
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
  /** What has no parser of ours is read as `pg` does. */
  const standard = types.getTypeParser as (oid: number, format: string) => Parse;
  return { getTypeParser: (oid, format = 'text') => parsers.get(oid) ?? standard(oid, format) };
}
