/**
 * Two orders of keys. S3 lists by the bytes of keys; a library needs the bytes of URIs, in which a
 * name is percent-encoded. They differ: a space comes before `!` in the one and after it in the
 * other, and `Ä` before `a`. In both, all keys with a common prefix are together.
 */

/** An entry of a folder: a file, or a folder whose name ends in a slash. */
export interface Child {
  /** The key, or the prefix of the keys below. */
  readonly key: string;
  /** The key as its URI spells it. */
  readonly place: string;
}

/** The position of a key among URIs, below the bucket. */
export const placeOf = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

/** The order of S3. */
export function byKey(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    // A pair of surrogates is four bytes in UTF-8, and sorts after all lower characters.
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return one.length - other.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** The order of files in a library. */
export const byPlace = (
  one: { readonly place: string },
  other: { readonly place: string },
): number => (one.place < other.place ? -1 : Number(one.place > other.place));
