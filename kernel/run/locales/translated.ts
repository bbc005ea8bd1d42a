/** Texts of a plugin in the language of a reader. */
import type { ConfigField, FieldTexts, Manifest, PluralTexts } from '../../../plugin-api/index.ts';
import { baseLanguage, placeholder, placeholdersOf, type Locales } from './locales.ts';

/** A text, or why there is none, as the end of a sentence that names its place. */
export type FoundText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * The manifest with the words of a language, as BCP 47: of `de-AT`, else of `de`, else its own. Only
 * its words differ.
 */
export function translated(manifest: Manifest, locales: Locales, locale: string | null): Manifest {
  const file = wordsFor(Object.fromEntries(locales), locale);
  if (file === undefined) return manifest;
  const { configuration, profileConfiguration, permissions, exports: methods } = manifest;
  const { reasons } = permissions;
  return {
    ...manifest,
    name: file.name ?? manifest.name,
    description: file.description ?? manifest.description,
    ...(configuration && { configuration: fields(configuration, file.configuration) }),
    ...(profileConfiguration && {
      profileConfiguration: fields(profileConfiguration, file.profileConfiguration),
    }),
    ...(reasons && {
      permissions: { ...permissions, reasons: { ...reasons, ...file.reasons } },
    }),
    ...(methods && {
      exports: methods.map((one) => ({
        ...one,
        description: own(file.exports, one.name) ?? one.description,
      })),
    }),
  };
}

/** Of texts by language, those of a reader: of `de-AT`, else of `de`; `undefined` = there are none. */
export function wordsFor<Words>(
  byLanguage: Readonly<Record<string, Words>>,
  locale: string | null,
): Words | undefined {
  const language =
    locale === null ? undefined : chain(locale).find((one) => Object.hasOwn(byLanguage, one));
  return language === undefined ? undefined : byLanguage[language];
}

const fields = <Field extends Omit<ConfigField, 'grants'>>(
  form: readonly Field[],
  texts: Readonly<Record<string, FieldTexts>> | undefined,
): readonly Field[] =>
  form.map((field) => {
    const { label, description } = own(texts, field.key) ?? {};
    return {
      ...field,
      ...(label !== undefined && { label }),
      ...(description !== undefined && { description }),
    };
  });

const own = <Value>(values: Readonly<Record<string, Value>> | undefined, key: string) =>
  values !== undefined && Object.hasOwn(values, key) ? values[key] : undefined;

/** `zh-Hant-TW`, `zh-Hant`, `zh`. */
function chain(locale: string): readonly string[] {
  const parts = locale.split('-');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
}

/** Longest text with its values, in characters; that of a value in a piece. */
const longestText = 10_000;

/** A text that a view names, and the language of the reader (BCP 47; `null` = none). */
export interface AskedText {
  readonly locale: string | null;
  readonly key: string;
  /** For the places in it. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** The text of a key in the language of a reader, or in English, with these values in it. */
export function findText(locales: Locales, { locale, key, values }: AskedText): FoundText {
  const languages = [...(locale === null ? [] : chain(locale)), baseLanguage];
  for (const language of languages) {
    const text = own(locales.get(language)?.texts, key);
    if (text !== undefined) return filled(text, { key, language, values });
  }
  const file = `locales/${baseLanguage}.json`;
  return { ok: false, reason: `the text ${JSON.stringify(key.slice(0, 64))} is not in ${file}` };
}

function filled(
  text: string | PluralTexts,
  { key, language, values }: Omit<AskedText, 'locale'> & { readonly language: string },
): FoundText {
  const lacking = placeholdersOf(text).find((name) => !Object.hasOwn(values, name));
  if (lacking !== undefined)
    return { ok: false, reason: `the text "${key}" needs the value ${lacking} in "with"` };
  const words = typeof text === 'string' ? text : formOf(text, language, values['count']);
  let length = 0;
  const full = words.replaceAll(placeholder, (_, name: string) => {
    const value = String(values[name]);
    length += value.length;
    return length > longestText ? '' : value;
  });
  return length + words.length > longestText
    ? { ok: false, reason: `the text "${key}" has more than ${longestText} characters` }
    : { ok: true, text: full };
}

const formOf = (text: PluralTexts, language: string, count: string | number | undefined): string =>
  text[new Intl.PluralRules(language).select(Number(count))] ?? text.other;
