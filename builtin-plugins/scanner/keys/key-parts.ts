const accents = /[\u0300-\u036F]+/g;
const silent = /[^\p{L}\p{N}\p{M}]+/gu;

/** A title without case, accents and punctuation; unchanged if nothing else is left. */
export function fold(title: string): string {
  const folded = title.normalize('NFKD').replace(accents, '').toLowerCase().replace(silent, '');
  return folded === '' ? title.trim() : folded;
}

/** A value of an item's metadata as a part of a key; empty when there is none. */
export function part(metadata: Readonly<Record<string, unknown>>, name: string): string {
  const value = metadata[name];
  if (typeof value === 'string') return fold(value);
  return typeof value === 'number' ? String(value) : '';
}

/** Joins the parts of a key. Names of folders may contain anything but a slash, so they come first. */
export const keyFrom = (kind: string, ...parts: readonly string[]): string =>
  [kind, ...parts].join('|');
