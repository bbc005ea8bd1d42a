import type { Knex } from 'knex';
import { membersOf } from '../../../../kernel/store/index.ts';

/** A NUL character, or half of a surrogate pair, as `JSON.stringify` writes them. */
const oddText = /\\u(?:0000|d[89a-f])/;

/**
 * A `where` condition: the column has one of these texts. The list is bound as one value, so the
 * statement is the same for every length and can be prepared once.
 */
export function whereIn(
  db: Knex,
  column: string,
  texts: readonly string[],
): (query: Knex.QueryBuilder) => void {
  const list = JSON.stringify(texts);
  return (query) => {
    if (oddText.test(list)) void query.whereIn(column, [...texts]);
    else void query.whereRaw(`?? in ${membersOf(db)}`, [column, list]);
  };
}
