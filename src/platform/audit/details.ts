import type { AuditDetail } from './audit-entry.ts';
import { canonicalJson } from './chain.ts';

const longestText = 300;
const mostEntries = 50;
const deepest = 5;
const longestInAll = 8000;

/** The details in their stored form, limited to a length that fits a log. */
export function detailsText(details: AuditDetail): string {
  const text = canonicalJson(shortened(details));
  return text.length <= longestInAll ? text : canonicalJson({ cut: text.slice(0, longestInAll) });
}

function shortened(value: AuditDetail, depth = 0): AuditDetail {
  if (typeof value === 'string') {
    return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return '…';
  if (isList(value)) {
    const rest = value.length - mostEntries;
    const kept = value.slice(0, mostEntries).map((one) => shortened(one, depth + 1));
    return rest > 0 ? [...kept, `… and ${rest} more`] : kept;
  }
  const entries = Object.entries(value).slice(0, mostEntries);
  return Object.fromEntries(
    entries.map(([key, one]) => [key.slice(0, longestText), shortened(one, depth + 1)]),
  );
}

const isList = (value: AuditDetail): value is readonly AuditDetail[] => Array.isArray(value);
