/** The order of the rows of the first page, as the preference `homeRows` keeps it. */

/** One row: its id, and whether it is shown. */
export interface RowChoice {
  readonly id: string;
  readonly isShown: boolean;
}

/** All rows in the order of the person; rows that the preference does not name come last. */
export function rowChoices(
  known: readonly string[],
  preferred: readonly string[],
): readonly RowChoice[] {
  const wanted = preferred.map((text) => ({
    id: text.replace(/^-/, ''),
    isShown: !text.startsWith('-'),
  }));
  const named = new Set(wanted.map(({ id }) => id));
  const rest = known.filter((id) => !named.has(id)).map((id) => ({ id, isShown: true }));
  return [...wanted.filter(({ id }) => known.includes(id)), ...rest];
}

/** The preference of an order. */
export const rowPreference = (rows: readonly RowChoice[]): readonly string[] =>
  rows.map(({ id, isShown }) => (isShown ? id : `-${id}`));
