import { languageForms, languageRows } from './language-table.ts';

const byWord: ReadonlyMap<string, string> = new Map(
  languageRows
    .flatMap(([tag, codes, names]) => [
      ...codes.split(' ').map((code): [string, string] => [code, tag]),
      ...names.split(', ').map((name): [string, string] => [name, tag]),
      [tag.toLowerCase(), tag] as [string, string],
    ])
    .filter(([word]) => word !== '')
    .reverse(),
);

const byForm: ReadonlyMap<string, string> = new Map(
  languageForms.map(([word, language, tag]) => [`${word} ${language}`, tag]),
);

/** The most words of a name in the table. */
export const longestLanguage = 3;

/** The language of a code or a name in lower case, words apart by one space; null when it is none. */
export function findLanguage(words: string): string | null {
  return byWord.get(words) ?? null;
}

/** The form of a language that a word beside it tells of: `canadian`, `fr` → `fr-CA`. */
export function findForm(word: string, language: string): string | null {
  return byForm.get(`${word} ${language}`) ?? null;
}

const tagShape = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_]x[-_].{0,40})?$/i;

/**
 * A tag as BCP 47 writes it: `pt_br` → `pt-BR`, `zh-hant` → `zh-Hant`, `ger` → `de`. Null when the
 * language is not in the table.
 */
export function toLanguageTag(text: string): string | null {
  const written = text.trim().toLowerCase();
  const whole = findLanguage(written.replace(/[\s_]+/g, ' '));
  if (whole !== null) return whole;
  const parts = tagShape.exec(written);
  if (parts === null) return null;
  const [, code = '', script, region] = parts;
  const language = findLanguage(code);
  if (language === null) return null;
  const subtags = [
    script && script.charAt(0).toUpperCase() + script.slice(1),
    region?.toUpperCase(),
  ];
  return [language, ...subtags.filter((subtag) => subtag !== undefined)].join('-');
}
