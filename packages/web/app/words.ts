/** The words of the pages that are documents of their own, in the language of the browser. */
import german from './messages/de.json' with { type: 'json' };
import english from './messages/en.json' with { type: 'json' };

/** The name of a message. */
export type MessageKey = keyof typeof english;

const catalogues: Readonly<Record<string, Readonly<Record<MessageKey, string>>>> = {
  de: german,
  en: english,
};
const wanted = navigator.languages.map((tag) => tag.split('-', 1)[0] ?? '');

/** The first language of the browser that has words, as BCP 47. */
export const language = wanted.find((one) => Object.hasOwn(catalogues, one)) ?? 'en';

/** A message, with its arguments in the places of their names. */
export function t(key: MessageKey, given: Readonly<Record<string, string | number>> = {}): string {
  const text = (catalogues[language] ?? english)[key];
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(given[name] ?? ''));
}

/** The message of an error code of the server; `undefined` = there is none. */
export const errorText = (
  code: string | undefined,
  given: Readonly<Record<string, string | number>>,
): string | undefined =>
  Object.hasOwn(english, `error.${code}`) ? t(`error.${code}` as MessageKey, given) : undefined;
