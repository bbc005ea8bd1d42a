/**
 * Two orders of keys. S3 lists by the bytes of keys; a library wants the bytes of URIs, in which a name
 * is percent-encoded. They differ: a space comes before `!` in the one and after it in the other, and
 * `Ä` before `a`. In both, all keys that begin alike stand together.
 */

/** What lies in a folder: a file, or a folder whose name ends in a slash. */
export interface Child {
  /** The key, or what the keys below begin with. */
  readonly key: string;
  /** The key as its URI spells it. */
  readonly place: string;
}

/** The place of a key among URIs, below the bucket. */
export const placeOf = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

/** As S3 orders keys. */
export function byKey(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    // A pair of surrogates is four bytes in UTF-8, and comes after all that is less.
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return one.length - other.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** As a library orders files. */
export const byPlace = (
  one: { readonly place: string },
  other: { readonly place: string },
): number => (one.place < other.place ? -1 : Number(one.place > other.place));
