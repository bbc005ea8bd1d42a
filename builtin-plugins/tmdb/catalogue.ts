import type { Ask } from '../catalogue-lookup/ask.ts';

/** TMDB, where its pictures are, and the language of titles. */
export interface Catalogue {
  readonly ask: Ask;
  readonly imageBaseUrl: string;
  readonly language: string;
}
