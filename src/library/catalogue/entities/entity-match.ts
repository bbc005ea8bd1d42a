/** Chooses between entities that may match, and decides which may be merged. */
import type { EntityEntry } from './entity-entry.ts';
import type { Mention } from './entity-mention.ts';

/** How many years two dates of one show may differ. */
const yearTolerance = 1;

/** The older first. */
export const byAge = (a: EntityEntry, b: EntityEntry): number => a.row.no - b.row.no;

/** The entity that survives a merge comes first: edited by a person, then complete, then older. */
export function byMerit(a: EntityEntry, b: EntityEntry): number {
  const merit = ({ row, isNew }: EntityEntry): number =>
    (row.edits === null ? 0 : 4) + (isNew ? 0 : 2) + (row.status === 'complete' ? 1 : 0);
  return merit(b) - merit(a) || byAge(a, b);
}

/** Of several with one name: the one of that year; if the mention has no ids, one without ids. */
export function bestNamed(
  entries: readonly EntityEntry[],
  { year, ids }: Mention,
): EntityEntry | undefined {
  const dated = year === null ? undefined : entries.find(({ row }) => row.year === year);
  if (dated) return dated;
  const plain = ids.length === 0 ? entries.find((entry) => entry.ids.size === 0) : undefined;
  return plain ?? entries[0];
}

/** Whether an id or a year contradicts the match. */
export function contradicts(entry: EntityEntry, { ids, year }: Mention): boolean {
  const isOther = ids.some(({ provider, value }) => entry.ids.get(provider)?.has(value) === false);
  return isOther || areYearsApart(entry.row.year, year);
}

/** Whether their own ids or years show that they are two. */
export function areApart(a: EntityEntry, b: EntityEntry): boolean {
  const isOther = [...a.ids].some(([provider, values]) => {
    const others = b.ids.get(provider);
    return others !== undefined && ![...values].some((value) => others.has(value));
  });
  return isOther || areYearsApart(a.row.year, b.row.year);
}

const areYearsApart = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.abs(a - b) > yearTolerance;
