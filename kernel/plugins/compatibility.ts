/** Which changes of the server a plugin has, by the date in its manifest. */
import type { Manifest } from '../../plugin-api/index.ts';
import {
  compatibilityChanges,
  type CompatibilityChange,
  type JsonObject,
} from './compatibility-changes.ts';
import { shown } from './schema-faults.ts';

/** What a plugin without a date is written for: the server as it was when dates came. */
export const firstCompatibilityDate = '2026-11-21';

/** Whether a change has happened to a plugin. Throws for a name that is none: that is a bug. */
export function isChangedFor(
  { compatibilityDate }: Pick<Manifest, 'compatibilityDate'>,
  name: string,
  changes: readonly CompatibilityChange[] = compatibilityChanges,
): boolean {
  const change = changes.find((one) => one.name === name);
  if (!change) throw new Error(`There is no compatibility change ${name}.`);
  return (compatibilityDate ?? firstCompatibilityDate) >= change.date;
}

/** A manifest at another date, and what lies between the two, the oldest first. */
export interface CompatibilityMove {
  readonly changes: readonly CompatibilityChange[];
  readonly manifest: JsonObject;
}

/**
 * Moves a manifest on to a date. What the changes between do by themselves is done; it is not checked
 * again here. A manifest that is at the date already, or beyond it, stays as it is.
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

/** What is wrong with a date in a manifest, as sentences. */
export function compatibilityFaults({ compatibilityDate }: Manifest): readonly string[] {
  if (compatibilityDate === undefined) return [];
  const at = `compatibilityDate: ${shown(compatibilityDate)}`;
  if (!isDay(compatibilityDate))
    return [`${at} is not a day; right is ${firstCompatibilityDate} or later, as year-month-day.`];
  return compatibilityDate >= firstCompatibilityDate
    ? []
    : [
        `${at} is before ${firstCompatibilityDate}, when there were none; take that one or a later.`,
      ];
}

/** Whether it is a day of the calendar, spelled `2026-11-21`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}
