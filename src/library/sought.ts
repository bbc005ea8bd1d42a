/** What plugins have the scans of a library look for. */
import type { CapabilityConfig } from '../../plugin-api/index.ts';
import { isMap, parseMap } from './rows.ts';

/** What one plugin adds. Extensions without dot, in lower case. */
export interface Sought {
  readonly extensions: readonly string[];
  readonly auxiliary: readonly string[];
  /** Globs relative to a root. */
  readonly patterns: readonly string[];
}

export const nothingSought: Sought = { extensions: [], auxiliary: [], patterns: [] };

/** Reads what a plugin answered, or what was kept of it; what is none of it is left out. */
export function parseSought(value: unknown): Sought {
  if (!isMap(value)) return nothingSought;
  return {
    extensions: readExtensions(value['extensions']),
    auxiliary: readExtensions(value['auxiliary']),
    patterns: textsOf(value['patterns']),
  };
}

/** What `capabilityConfig.library.paths` of a manifest says of libraries of that type. */
export function declaredIn({ library }: CapabilityConfig, libraryType: string): Sought {
  const paths = (library?.paths ?? []).filter(({ type }) => type === libraryType);
  const rules = paths.flatMap(({ rules }) => rules.map((rule) => rule.replace(/^\/+/, '')));
  const plain = rules.flatMap((rule) => plainRule.exec(rule)?.[1] ?? []);
  return {
    extensions: readExtensions([...paths.flatMap(({ extensions }) => extensions), ...plain]),
    auxiliary: [],
    patterns: rules.filter((rule) => rule !== '' && !plainRule.test(rule)),
  };
}

/** A rule that an extension says as well: a folder is listed faster without patterns. */
const plainRule = /^\*\*\/\*\.([^./\s*?[\]{}()!+@|\\]{1,20})$/;

/** Extensions from a list: lower case and without dot, whatever was given. */
function readExtensions(list: unknown): readonly string[] {
  return textsOf(list)
    .map((extension) => extension.toLowerCase().replace(/^\.+/, ''))
    .filter((extension) => /^[^./\s]{1,20}$/.test(extension));
}

/** All of both. */
export function addSought(one: Sought, other: Sought): Sought {
  return {
    extensions: [...new Set([...one.extensions, ...other.extensions])],
    auxiliary: [...new Set([...one.auxiliary, ...other.auxiliary])],
    patterns: [...new Set([...one.patterns, ...other.patterns])],
  };
}

/** By plugin, out of a column. */
export function parseKeptSought(text: string | null): ReadonlyMap<string, Sought> {
  return new Map(Object.entries(parseMap(text)).map(([id, value]) => [id, parseSought(value)]));
}

/** For the column; `null` = nothing is kept. */
export function keptSoughtText(kept: ReadonlyMap<string, Sought>): string | null {
  const entries = [...kept].sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((text) => typeof text === 'string');
}
