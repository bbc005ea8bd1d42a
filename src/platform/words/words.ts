/** The languages of the server. A further one is a file of words, and a line here. */
import { english } from './english.ts';
import { german } from './german.ts';

export type WordKey = keyof typeof english;

/** A language lacks no word: else it does not compile. */
export type Words = Readonly<Record<WordKey, string>>;

/** By name; `tag` is the language in BCP 47. English comes first: it stands for languages that are not here. */
export const languages = {
  english: { tag: 'en', words: english },
  german: { tag: 'de', words: german },
} as const satisfies Readonly<Record<string, { readonly tag: string; readonly words: Words }>>;

export type Language = keyof typeof languages;

/** The values that a word asks for. */
export type ValueNames<Key extends WordKey> = NamesIn<(typeof english)[Key]>;

type NamesIn<Word extends string> = Word extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
