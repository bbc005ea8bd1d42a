/**
 * Languages by their common names: codes of ISO 639, names in English and in the language itself, and
 * forms used in file names. All plugins share one table, so a subtitle file and the same track inside
 * a film get the same tag.
 */
import { languageForms, languageRows } from './language-table.ts';

/** The most words of a name in the table. */
export const longestLanguageName = 3;

interface Tables {
  readonly byWord: ReadonlyMap<string, string>;
  readonly byForm: ReadonlyMap<string, string>;
}

let tables: Tables | undefined;

/** Built at first use, so that other plugins pay nothing for it. */
function openTables(): Tables {
  tables ??= {
    byWord: new Map(languageRows.flatMap(wordsOf).reverse()),
    byForm: new Map(languageForms.map(([word, language, tag]) => [`${word} ${language}`, tag])),
  };
  return tables;
}

function wordsOf([tag, codes, names]: (typeof languageRows)[number]): [string, string][] {
  const words = [...codes.split(' '), ...names.split(', '), tag.toLowerCase()];
  return words.flatMap((word): [string, string][] => (word === '' ? [] : [[word, tag]]));
}

/**
 * The BCP 47 tag of a language by a code or a name, in lower case and with one space between words:
 * `ger`, `deutsch`, `brazilian portuguese` → `pt-BR`. Null when unknown. It follows the usage of file
 * names, so `chs` and `gb` are Chinese in simplified script; use `languageOfCode` for codes inside
 * media.
 *
 * @example findLanguage('pob') // 'pt-BR'
 */
export function findLanguage(words: string): string | null {
  return openTables().byWord.get(words) ?? null;
}

/**
 * The form of a language that a word beside its name or code stands for; null = none. Word and tag
 * are in lower case.
 *
 * @example findLanguageForm('canadian', 'fr') // 'fr-CA'
 */
export function findLanguageForm(word: string, language: string): string | null {
  return openTables().byForm.get(`${word} ${language}`) ?? null;
}

const tagShape = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_]x[-_].{0,40})?$/i;

/**
 * A tag as BCP 47 spells it, from a tag, a code or a name in any case. Null when the language is not
 * in the table, so words that only look like codes are refused.
 *
 * @example toLanguageTag('pt_br') // 'pt-BR'
 * @example toLanguageTag('German') // 'de'
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

const codeShape = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/;
const unspoken = new Set(['und', 'unk', 'mis', 'mul', 'zxx', 'qaa', 'xxx']);

/**
 * The tag of a language from inside media: a code of ISO 639 or a tag, also of languages outside the
 * table, or a name in it. Null for `und` and for text that is not a language.
 *
 * @example languageOfCode('ger') // 'de'
 * @example languageOfCode('tlh') // 'tlh'
 * @example languageOfCode('English') // 'en'
 */
export function languageOfCode(text: string): string | null {
  const written = text.trim().toLowerCase().replaceAll('_', '-');
  if (unspoken.has(written)) return null;
  if (!codeShape.test(written)) return written.length > 3 ? findLanguage(written) : null;
  const known = findLanguage(written);
  // Forms have no codes in ISO 639: `sc` is Sardinian here, not a script of Chinese.
  if (known !== null && (!known.includes('-') || written.length > 3)) return known;
  try {
    return Intl.getCanonicalLocales(written)[0] ?? null;
  } catch {
    return null;
  }
}
