/** Which changes of the server apply to a plugin, by the date in its manifest. */
import type { Manifest } from '../../../plugin-api/index.ts';
import {
  compatibilityChanges,
  type CompatibilityChange,
  type JsonObject,
} from './compatibility-changes.ts';
import { shown } from './schema-faults.ts';

/** The date of a plugin without one: the server as it was when dates were introduced. */
export const firstCompatibilityDate = '2026-11-21';

/** Whether a change applies to a plugin. Throws for an unknown name, which is a bug. */
export function isChangedFor(
  { compatibilityDate }: Pick<Manifest, 'compatibilityDate'>,
  name: string,
  changes: readonly CompatibilityChange[] = compatibilityChanges,
): boolean {
  const change = changes.find((one) => one.name === name);
  if (!change) throw new Error(`There is no compatibility change ${name}.`);
  return (compatibilityDate ?? firstCompatibilityDate) >= change.date;
}

/** A manifest at another date, and the changes between the dates, the oldest first. */
export interface CompatibilityMove {
  readonly changes: readonly CompatibilityChange[];
  readonly manifest: JsonObject;
}

/**
 * Moves a manifest to a date and applies the rewrites of the changes in between. The result is not
 * validated here. A manifest at this date or a later one stays unchanged.
 */
export function moveCompatibility(
  manifest: JsonObject,
  to: string,
  changes: readonly CompatibilityChange[] = compatibilityChanges,
): CompatibilityMove {
  const from = manifest['compatibilityDate'];
  if (typeof from === 'string' && from >= to) return { changes: [], manifest };
  const between = changes.filter(
    ({ date }) => date <= to && (typeof from !== 'string' || date > from),
  );
  const moved = between.reduce((before, { migrate }) => migrate?.(before) ?? before, manifest);
  return { changes: between, manifest: { ...moved, compatibilityDate: to } };
}

/** Faults of a manifest's date, as sentences. */
export function compatibilityFaults({ compatibilityDate }: Manifest): readonly string[] {
  if (compatibilityDate === undefined) return [];
  const at = `compatibilityDate: ${shown(compatibilityDate)}`;
  if (!isDay(compatibilityDate))
    return [`${at} is not a day; right is ${firstCompatibilityDate} or later, as year-month-day.`];
  return compatibilityDate >= firstCompatibilityDate
    ? []
    : [
        `${at} is before the first date, ${firstCompatibilityDate}; right is that date or a later one.`,
      ];
}

/** Whether the text is a calendar day, spelled `2026-11-21`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}
