import type { Ask } from '../catalogue-lookup/ask.ts';
import { numberOf, type Part } from '../catalogue-lookup/values.ts';

/** Open Library, where its covers are, and the languages of titles in the order of preference. */
export interface Catalogue {
  readonly ask: Ask;
  readonly imageBaseUrl: string;
  readonly languages: readonly string[];
}

export const source = 'openlibrary';

/** The id in a key such as `/works/OL45883W`. */
export function idInKey(key: unknown, kind: 'W' | 'M' | 'A'): string | undefined {
  const id = typeof key === 'string' ? key.slice(key.lastIndexOf('/') + 1) : '';
  return /^OL\d{1,12}[WMA]$/.test(id) && id.endsWith(kind) ? id : undefined;
}

/** The address of a picture by its number; 0 and less mean that there is none. */
export function pictureAt(
  { imageBaseUrl }: Catalogue,
  kind: 'a' | 'b',
  no: unknown,
): string | undefined {
  const id = numberOf(no);
  if (id === undefined || !Number.isInteger(id) || id <= 0) return undefined;
  return `${imageBaseUrl}/${kind}/id/${id}-L.jpg`;
}

/** The edition that a search found for a work: by its ISBN, else by the words and the language. */
export const editionOf = ({ editions }: Part): Part => {
  const list = (editions as { readonly docs?: unknown } | null | undefined)?.docs;
  const [first] = Array.isArray(list) ? (list as readonly unknown[]) : [];
  return typeof first === 'object' && first !== null ? (first as Part) : {};
};
