import { inLanguageOf } from '../../../reader-language.ts';
import { english } from './english.ts';
import { german } from './german.ts';
import type { PowerWords } from './power-words.ts';

export type { PowerWords } from './power-words.ts';

/** The words in the language of a reader, as a BCP 47 tag; English where there are none. */
export const powerWords = (locale: string | null = null): PowerWords =>
  inLanguageOf(locale, { english, german });
