import { baseLanguage } from '../../../platform/language-tag.ts';

/**
 * The languages in which a viewer reads titles and summaries of a library, best first: the exact tag,
 * then its language. What is stored is in the first language of the library, so it counts from there
 * on; empty = as stored.
 */
export function textLanguages(
  locale: string | undefined,
  [first, ...others]: readonly string[],
): readonly string[] {
  if (locale === undefined || others.length === 0) return [];
  const wanted = [...new Set([locale, baseLanguage(locale)])];
  const end = wanted.findIndex((tag) => tag === first);
  return wanted.slice(0, end === -1 ? undefined : end).filter((tag) => others.includes(tag));
}

/** The same for entities, which belong to no library: all that any of these libraries has. */
export function entityLanguages(
  locale: string | undefined,
  libraries: readonly (readonly string[])[],
): readonly string[] {
  const several = libraries.filter((languages) => languages.length > 1);
  if (locale === undefined || several.length === 0) return [];
  const known = new Set(several.flat());
  return [...new Set([locale, baseLanguage(locale)])].filter((tag) => known.has(tag));
}
