/** Texts of the server that admins read: notifications and problems, in each language of the server. */
import { languages, type Language, type ValueNames, type WordKey } from './words/index.ts';

/** The same text in each language of the server. */
export type Text = Readonly<Record<Language, string>>;

const names = Object.keys(languages) as readonly Language[];

/** A text that is made for each language by itself. */
export const inEach = (make: (language: Language, tag: string) => string): Text =>
  Object.fromEntries(names.map((name) => [name, make(name, languages[name].tag)])) as Text;

/** A value in a text: a text of its own is in the same language. */
type Value = string | number | Text;

/** What the catalogue has by a key, with its values. */
export const say = <Key extends WordKey>(
  key: Key,
  ...[values]: [ValueNames<Key>] extends [never]
    ? []
    : [values: Readonly<Record<ValueNames<Key>, Value>>]
): Text => inEach((language) => filled(languages[language].words[key], values ?? {}, language));

function filled(word: string, values: Readonly<Record<string, Value>>, language: Language): string {
  return word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    return typeof value === 'object' ? value[language] : String(value);
  });
}

/** A text that has no translation, such as the cause that another program gives. */
export const quoted = (text: string): Text => inEach(() => text);

/** The text in the language of a reader, as a BCP 47 tag; English where there is no translation. */
export function textIn(text: Text, locale: string | null | undefined): string {
  const tag = locale?.toLowerCase().split('-', 1)[0];
  return text[names.find((name) => languages[name].tag === tag) ?? 'english'];
}

/** The text with each of its languages changed in the same way. */
export const mapText = (text: Text, change: (text: string) => string): Text =>
  inEach((language) => change(text[language]));

/** Several texts as one; empty ones are left out. */
export const joinTexts = (texts: readonly Text[], separator = ' '): Text =>
  inEach((language) =>
    texts
      .map((text) => text[language])
      .filter((text) => text !== '')
      .join(separator),
  );
