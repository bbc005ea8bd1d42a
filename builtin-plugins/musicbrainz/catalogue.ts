import type { Ask } from '../catalogue-lookup/ask.ts';

/** MusicBrainz, the Cover Art Archive, and the languages of names in the order of preference. */
export interface Catalogue {
  readonly ask: Ask;
  readonly askImages: Ask;
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
}

export const source = 'musicbrainz';

const form = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An id of MusicBrainz; `undefined` for anything else. */
export function mbidOf(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return form.test(id) ? id : undefined;
}

/** The words without what has a meaning in the language of queries. */
export const wordsOf = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\p{M}']+/gu, ' ')
    .replace(/\b(AND|OR|NOT|TO)\b/g, (word) => word.toLowerCase())
    .trim();
