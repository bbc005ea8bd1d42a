/** Texts of the server that admins read: notifications and problems, in each language of the server. */
import { inLanguageOf } from '../../kernel/index.ts';

/** The same text in each language of the server. */
export interface Text {
  readonly english: string;
  readonly german: string;
}

/** A text that has no translation, such as the cause that another program gives. */
export const quoted = (text: string): Text => ({ english: text, german: text });

/** The text in the language of a reader, as a BCP 47 tag; English where there is no translation. */
export const textIn = (text: Text, locale: string | null | undefined): string =>
  inLanguageOf(locale ?? null, text);

/** The text with each of its languages changed in the same way. */
export const mapText = ({ english, german }: Text, change: (text: string) => string): Text => ({
  english: change(english),
  german: change(german),
});

/** Several texts as one; empty ones are left out. */
export const joinTexts = (texts: readonly Text[], separator = ' '): Text => ({
  english: joined(
    texts.map(({ english }) => english),
    separator,
  ),
  german: joined(
    texts.map(({ german }) => german),
    separator,
  ),
});

const joined = (texts: readonly string[], separator: string): string =>
  texts.filter((text) => text !== '').join(separator);
