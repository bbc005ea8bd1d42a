import type { Knex } from 'knex';
import { inChunks } from './rows.ts';

/** A range of URIs, both ends exclusive, and a number that comes back with each row as `tag`. */
export interface AskedRange {
  readonly tag: number;
  readonly low: string;
  readonly high: string;
}

/** As many as a page may have stretches. */
const rangesOfOneStatement = 200;

/**
 * Reads rows of `files` for many ranges at once. `cross join` keeps the ranges on the outside: each
 * is one lookup in the index of URIs, in every query plan.
 */
export function selectInRanges<Row>(
  db: Knex,
  libraryNo: number,
  ranges: readonly AskedRange[],
  query: {
    readonly columns: string;
    readonly where: string;
    /** The largest number of rows per statement, in the order of URIs. */
    readonly first?: number;
  },
): Promise<Row[]> {
  return inChunks(
    ranges,
    async (group) => {
      const places = group.map(() => '(cast(? as integer), ?, ?)').join(', ');
      const bindings = group.flatMap(({ tag, low, high }) => [tag, low, high]);
      const { columns, where, first } = query;
      const rows: unknown = await db
        .with('asked', db.raw(`select * from (values ${places}) as listed`, bindings))
        .from(db.raw('asked cross join files'))
        .select(db.raw(columns))
        .where('files.library_no', libraryNo)
        .whereRaw('files.uri > asked.column2 and files.uri < asked.column3')
        .whereRaw(where)
        .modify((some) => void (first && some.orderBy('files.uri').limit(first)));
      return rows as Row[];
    },
    rangesOfOneStatement,
  );
}
