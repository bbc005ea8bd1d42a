/** A title and a summary in one language; each may be missing. */
export interface Texts {
  readonly title?: string;
  readonly overview?: string;
}

/** Texts by language: BCP 47 tags. */
export type TextsByLanguage = Readonly<Record<string, Texts>>;

/** The texts without titles, without summaries, or without both. */
export function withoutTexts(
  texts: TextsByLanguage,
  without: { readonly title: boolean; readonly overview: boolean },
): TextsByLanguage {
  if (!without.title && !without.overview) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([language, { title, overview }]) => [
      language,
      {
        ...(title !== undefined && !without.title && { title }),
        ...(overview !== undefined && !without.overview && { overview }),
      },
    ]),
  );
}
