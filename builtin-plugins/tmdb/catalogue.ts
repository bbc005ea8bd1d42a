import type { Ask } from '../catalogue-lookup/ask.ts';
import { languageIn } from '../catalogue-lookup/languages.ts';

/** TMDB, where its pictures are, and the languages of titles, best first. */
export interface Catalogue {
  readonly ask: Ask;
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
  /** Those of the library, in which an answer has texts beside the best ones. */
  readonly textLanguages: readonly string[];
}

/** TMDB knows tags such as `de` and `de-DE`. */
const form = /^[a-z]{2}(-[A-Z]{2})?$/;

/** The languages that TMDB knows by their tags. */
export const knownLanguages = (languages: readonly string[]): readonly string[] =>
  languages.filter((tag) => form.test(tag));

/** The parameters that ask for the texts in the best language. */
export const inBest = ({ languages: [best = 'en'] }: Pick<Catalogue, 'languages'>): string =>
  `language=${best}`;

/** The parameters that ask for pictures in all of the languages, and without text. */
export const picturesIn = ({ languages }: Pick<Catalogue, 'languages'>): string =>
  `include_image_language=${[...new Set(languages.map(languageIn)), 'null'].join(',')}`;
