/**
 * Which tables each write changed, derived from its SQL statements. So no writer has to report this,
 * and none can omit a table. A statement that is not recognised counts as a change of every table.
 */

/** Records which write changed each table last. */
export interface TableVersions {
  /** Records a statement of the present write. */
  readonly saw: (sql: string) => void;
  /** Ends the present write, successful or not. */
  readonly end: () => void;
  /** The number of the last write that changed a table outside `ignored`; 0 before the first. */
  readonly versionExcluding: (ignored: ReadonlySet<string>) => number;
}

/** Creates it without any writes. */
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

/** Stands for an unknown table; `ignored` never has it. */
const anyTable = '';
const change =
  /^\s*(?:(?:insert|replace)\s+(?:or\s+\w+\s+)?into|update\s+(?:or\s+\w+\s+)?|delete\s+from)\s*["`]?(\w+)["`]?[\s(]/i;
const noChange =
  /^\s*(?:(?:select|begin|commit|rollback|savepoint|release)\b|with\b(?!.*\b(?:insert|replace|update|delete)\b))/is;
const textIndexTable = /^text_index_/;

/** All tables of text indexes count as `text_indexes`; `null` = the statement changes nothing. */
function changedTable(sql: string): string | null {
  if (noChange.test(sql)) return null;
  const table = change.exec(sql)?.[1] ?? anyTable;
  return textIndexTable.test(table) ? 'text_indexes' : table;
}
