/** The languages of the server. A further one is a file of words, and a line here. */
import { english, type Words } from './english.ts';
import { german } from './german.ts';

/** By name; `tag` is the language in BCP 47. English comes first: it stands for languages that are not here. */
export const languages = {
  english: { tag: 'en', words: english },
  german: { tag: 'de', words: german },
} as const satisfies Readonly<Record<string, { readonly tag: string; readonly words: Words }>>;

export type Language = keyof typeof languages;
