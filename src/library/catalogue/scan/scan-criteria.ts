/** What plugins make the scans of a library look for. */
import type { CapabilityConfig } from '../../../../plugin-api/index.ts';
import { isMap, parseMap } from '../tables/rows.ts';

/** The part of one plugin. Extensions are lower case, without dot. */
export interface ScanCriteria {
  readonly extensions: readonly string[];
  readonly auxiliary: readonly string[];
  /** Globs relative to a root. */
  readonly patterns: readonly string[];
}

export const noCriteria: ScanCriteria = { extensions: [], auxiliary: [], patterns: [] };

/** Reads a plugin's answer, or a stored one; invalid parts are left out. */
export function parseCriteria(value: unknown): ScanCriteria {
  if (!isMap(value)) return noCriteria;
  return {
    extensions: readExtensions(value['extensions']),
    auxiliary: readExtensions(value['auxiliary']),
    patterns: textsOf(value['patterns']),
  };
}

/** What `capabilityConfig.library.paths` of a manifest says for libraries of that type. */
export function declaredIn({ library }: CapabilityConfig, libraryType: string): ScanCriteria {
  const paths = (library?.paths ?? []).filter(({ type }) => type === libraryType);
  const rules = paths.flatMap(({ rules }) => rules.map((rule) => rule.replace(/^\/+/, '')));
  const plain = rules.flatMap((rule) => plainRule.exec(rule)?.[1] ?? []);
  return {
    extensions: readExtensions([...paths.flatMap(({ extensions }) => extensions), ...plain]),
    auxiliary: [],
    patterns: rules.filter((rule) => rule !== '' && !plainRule.test(rule)),
  };
}

/** A pattern that an extension can replace: listing a folder is faster without patterns. */
const plainRule = /^\*\*\/\*\.([^./\s*?[\]{}()!+@|\\]{1,20})$/;

/** Reads a list of extensions; gives lower case without dot. */
function readExtensions(list: unknown): readonly string[] {
  return textsOf(list)
    .map((extension) => extension.toLowerCase().replace(/^\.+/, ''))
    .filter((extension) => /^[^./\s]{1,20}$/.test(extension));
}

/** The union of both. */
export function mergeCriteria(one: ScanCriteria, other: ScanCriteria): ScanCriteria {
  return {
    extensions: [...new Set([...one.extensions, ...other.extensions])],
    auxiliary: [...new Set([...one.auxiliary, ...other.auxiliary])],
    patterns: [...new Set([...one.patterns, ...other.patterns])],
  };
}

/** Reads the column: answers by plugin. */
export function parseStoredCriteria(text: string | null): ReadonlyMap<string, ScanCriteria> {
  return new Map(Object.entries(parseMap(text)).map(([id, value]) => [id, parseCriteria(value)]));
}

/** The text of the column; `null` = there are none. */
export function storedCriteriaText(kept: ReadonlyMap<string, ScanCriteria>): string | null {
  const entries = [...kept].sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((text) => typeof text === 'string');
}
