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

/** Both; the texts of the second win, language by language and text by text. */
export function unitedTexts(known: TextsByLanguage, better: TextsByLanguage): TextsByLanguage {
  const languages = new Set([...Object.keys(known), ...Object.keys(better)]);
  return Object.fromEntries(
    [...languages].map((language) => [language, { ...known[language], ...better[language] }]),
  );
}

/** Each text in the first of the languages that has it. */
export function bestTexts(texts: TextsByLanguage, languages: readonly string[]): Texts {
  const first = (name: keyof Texts): string | undefined =>
    languages.map((language) => texts[language]?.[name]).find((text) => text !== undefined);
  const [title, overview] = [first('title'), first('overview')];
  return { ...(title !== undefined && { title }), ...(overview !== undefined && { overview }) };
}
