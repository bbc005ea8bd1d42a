/**
 * Merges several sources about one item into one delta. Sources come in the order of their
 * precedence, and a locked one comes before all others. A field, an id and a role are taken only
 * from the first source that has them; pictures, subtitles and chapters are collected, each place
 * once.
 */
import type { BundleAsset, BundleDelta, BundleSubtitle } from '../../../plugin-api/index.ts';
import { source, type Finding } from './finding.ts';

const mostOfEach = 500;
const mostKeys = 100;

/** One delta; null when nothing was found. */
export function mergeFindings(findings: readonly Finding[]): BundleDelta | null {
  const ranked = findings.toSorted(
    (a, b) => Number(b.isLocked ?? false) - Number(a.isLocked ?? false),
  );
  const isLocked = ranked[0]?.isLocked === true;
  const fields = { ...firsts(ranked, 'fields'), ...(isLocked && { [`${source}.locked`]: true }) };
  const delta: BundleDelta = {
    ...filled('fields', fields),
    ...filled('ids', firsts(ranked, 'ids')),
    ...filled('entities', firsts(ranked, 'entities')),
    ...listed('assets', collect(ranked, 'assets')),
    ...listed('subtitles', collect(ranked, 'subtitles')),
    ...listed('chapters', ranked.find(({ chapters = [] }) => chapters.length > 0)?.chapters ?? []),
  };
  return Object.keys(delta).length === 0 ? null : delta;
}

type Part = 'fields' | 'ids' | 'entities';

/** Key by key, the first that has it. */
function firsts(findings: readonly Finding[], part: Part): Record<string, unknown> {
  const found = new Map<string, unknown>();
  for (const finding of findings) {
    for (const [key, value] of Object.entries(finding[part] ?? {})) {
      if (!found.has(key) && found.size < mostKeys) found.set(key, value);
    }
  }
  return Object.fromEntries(found);
}

function filled(part: Part, value: Readonly<Record<string, unknown>>) {
  return Object.keys(value).length === 0 ? {} : { [part]: value };
}

function listed(part: 'assets' | 'subtitles' | 'chapters', list: readonly unknown[]) {
  return list.length === 0 ? {} : { [part]: list };
}

/** All of them; for a place that two sources name, the first one counts. A SAMI has several languages. */
function collect(findings: readonly Finding[], part: 'assets' | 'subtitles'): readonly unknown[] {
  const places = new Map<string, BundleAsset | BundleSubtitle>();
  for (const finding of findings) {
    for (const one of finding[part] ?? []) {
      const language = 'language' in one ? one.language : '';
      const place = `${one.type} ${one.uri ?? ''} ${language}`;
      if (!places.has(place)) places.set(place, one);
    }
  }
  return [...places.values()].slice(0, mostOfEach);
}
