/**
 * Which tables the last writes changed, told by the statements that they ran: so no writer has to say
 * what it changes, and none can say too little. A statement that is not understood here has changed
 * every table.
 */

/** Remembers which write changed a table last. */
export interface TableVersions {
  /** A statement of the write that is under way. */
  readonly saw: (sql: string) => void;
  /** The write has ended, well or not. */
  readonly end: () => void;
  /** The number of the last write that changed any table but those; 0 before the first. */
  readonly versionExcluding: (ignored: ReadonlySet<string>) => number;
}

/** Creates it as of an unchanged database. */
export function createTableVersions(): TableVersions {
  const lastOf = new Map<string, number>();
  const changing = new Set<string>();
  let ended = 0;
  return {
    saw: (sql) => {
      const table = changedTable(sql);
      if (table !== null) changing.add(table);
    },
    end: () => {
      ended += 1;
      for (const table of changing) lastOf.set(table, ended);
      changing.clear();
    },
    versionExcluding: (ignored) => {
      let last = 0;
      for (const [table, no] of lastOf) if (no > last && !ignored.has(table)) last = no;
      return last;
    },
  };
}

/** The name of what is no table: nobody keeps it apart. */
const anyTable = '';
const change =
  /^\s*(?:(?:insert|replace)\s+(?:or\s+\w+\s+)?into|update\s+(?:or\s+\w+\s+)?|delete\s+from)\s*["`]?(\w+)["`]?[\s(]/i;
const noChange =
  /^\s*(?:(?:select|begin|commit|rollback|savepoint|release)\b|with\b(?!.*\b(?:insert|replace|update|delete)\b))/is;
const textIndexTable = /^text_index_/;

/** All that text indexes are made of counts as `text_indexes`; `null` = the statement changes nothing. */
function changedTable(sql: string): string | null {
  if (noChange.test(sql)) return null;
  const table = change.exec(sql)?.[1] ?? anyTable;
  return textIndexTable.test(table) ? 'text_indexes' : table;
}
