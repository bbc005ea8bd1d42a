import type { Knex } from 'knex';

/** A piece of SQL with its bindings. The tag `sql` joins pieces. */
export interface SqlFragment {
  readonly text: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** Literal SQL: names of tables, numbers of our own. Never text from outside. */
export function verbatim(text: string): SqlFragment {
  return { text, bindings: [] };
}

/** Joins fragments; other values in `${}` are bound. */
export function sql(
  texts: readonly string[],
  ...values: readonly (SqlFragment | string | number)[]
): SqlFragment {
  let text = texts[0] ?? '';
  const bindings: Knex.RawBinding[] = [];
  for (const [at, value] of values.entries()) {
    const isFragment = typeof value === 'object';
    text += (isFragment ? value.text : '?') + (texts[at + 1] ?? '');
    if (isFragment) bindings.push(...value.bindings);
    else bindings.push(value);
  }
  return { text, bindings };
}

/** Fragments with a separator. */
export function joinSql(fragments: readonly SqlFragment[], separator: string): SqlFragment {
  return {
    text: fragments.map(({ text }) => text).join(separator),
    bindings: fragments.flatMap(({ bindings }) => bindings),
  };
}
