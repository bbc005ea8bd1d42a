/** Common parts of tags in all formats: numbers with totals, lists, dates. */
import type { TagsDraft } from '../media.ts';

/** `3`, `3/12`, `03 of 12`. */
export function numberAndTotal(text: string): {
  readonly number: number | undefined;
  readonly total: number | undefined;
} {
  const match = /^\s*(\d{1,5})?(?:\s*(?:\/|of)\s*(\d{1,5}))?/i.exec(text);
  return { number: positive(match?.[1]), total: positive(match?.[2]) };
}

export function positive(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Several values in one text with the usual separators. A slash separates only with spaces around it. */
export function listOf(text: string): readonly string[] {
  return text
    .split(/\0|;|\s\/\s|\|\|/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** yyyy, yyyy-mm or yyyy-mm-dd from a date in a tag. */
export function dateOf(text: string): Pick<TagsDraft, 'date' | 'year'> {
  const match = /(?<!\d)(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)/.exec(text.trim());
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text.trim());
  const [, year = '', month, day] = compact ?? match ?? [];
  const number = positive(year);
  if (number === undefined) return {};
  const parts = [year];
  if (inRange(month, 12)) {
    parts.push(month.padStart(2, '0'));
    if (inRange(day, 31)) parts.push(day.padStart(2, '0'));
  }
  return { date: parts.join('-'), year: number };
}

function inRange(text: string | undefined, most: number): text is string {
  const value = positive(text);
  return value !== undefined && value <= most;
}

/** Joins lists without duplicates. */
export function joined(
  one: readonly string[] | undefined,
  other: readonly string[],
): readonly string[] {
  return [...new Set([...(one ?? []), ...other])];
}
