/** PostgreSQL gives big numbers as text. */
export type BigNumber = number | string;

/** The items of a list in groups of at most `size`. */
export function chunks<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  if (list.length <= size) return list.length === 0 ? [] : [list];
  const groups: (readonly T[])[] = [];
  for (let at = 0; at < list.length; at += size) groups.push(list.slice(at, at + size));
  return groups;
}

/** Runs a query for each group of a long list, so that no statement has too many parameters. */
export async function inChunks<T, Row>(
  list: readonly T[],
  query: (group: readonly T[]) => PromiseLike<readonly Row[]>,
  size = 500,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const group of chunks(list, size)) rows.push(...(await query(group)));
  return rows;
}

/** A database timestamp on the wire: ISO 8601 UTC with milliseconds. */
export function timestamp(ms: BigNumber): string {
  const moment = Number(ms);
  // Rows of one page of a scan have the same time, so the last text is cached.
  if (moment !== last.moment) last = { moment, text: new Date(moment).toISOString() };
  return last.text;
}

let last = { moment: 0, text: new Date(0).toISOString() };

/** A column with a JSON object; an empty object when it is null or invalid. */
export function parseMap<Value = unknown>(text: string | null): Record<string, Value> {
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  return isMap(value) ? (value as Record<string, Value>) : {};
}

/** A column with a JSON array; an empty array when it is null or invalid. */
export function parseList(text: string | null): readonly unknown[] {
  if (text === null) return [];
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Whether a value is a plain JSON object. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Rows of which the first has only the columns that are set in any row; the others default to null.
 * `insertRows` takes its columns from the first row, so the other rows need no change.
 */
export function withoutEmptyColumns<Row extends object>(
  rows: readonly Row[],
): readonly Partial<Row>[] {
  const [first, ...rest] = rows;
  if (first === undefined) return [];
  const filled = Object.entries(first).filter(
    ([column, value]) => value !== null || rest.some((row) => Reflect.get(row, column) !== null),
  );
  return [Object.fromEntries(filled) as Partial<Row>, ...rest];
}
