const longestTag = 35;

/** A BCP 47 tag as it is spelled (`DE-at` is `de-AT`); `null` when the text is not a tag. */
export function canonicalTag(text: string): string | null {
  if (text === '' || text.length > longestTag) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** The language of a tag without region and script: `pt` of `pt-BR`. */
export const baseLanguage = (tag: string): string => tag.split('-')[0] ?? tag;

/** The tags in their spelling, each once; other texts are left out. */
export function canonicalTags(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => canonicalTag(text) ?? []))];
}
