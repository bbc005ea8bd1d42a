/** Parts of a reply of a catalogue: each may be missing, or of another type. */

/** An object of a reply. */
export type Part = Readonly<Record<string, unknown>>;

/** An object; an empty one in place of anything else. */
export function partOf(value: unknown): Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Part)
    : {};
}

/** The objects of a list, at most 1000. */
export function partsOf(value: unknown): readonly Part[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 1000).map(partOf);
}

/** A text of one line or more, without spaces around it; `undefined` when it is empty. */
export function textOf(value: unknown): string | undefined {
  // Half a character, sent or cut, is in no address that may be asked.
  const text = typeof value === 'string' ? value.trim().slice(0, 5000).toWellFormed() : '';
  return text === '' ? undefined : text;
}

/** A finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** An id, as text. */
export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'number' && Number.isInteger(value) ? String(value) : textOf(value);
  return id !== undefined && id.length <= 200 ? id : undefined;
}

/** The texts of a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, 200).flatMap((one) => textOf(one) ?? []) : [];
}

/** The year of a date such as `2010-03-04`. */
export function yearOf(value: unknown): number | undefined {
  const year = Number(/^(\d{4})(-|$)/.exec(textOf(value) ?? '')?.[1]);
  return year > 0 ? year : undefined;
}

/** An https address, or one of a mirror without encryption. */
export function addressOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^https?:\/\/\S+$/.test(text) ? text : undefined;
}

/** The text of HTML, without its tags. */
export function plainText(value: unknown): string | undefined {
  const text = textOf(value)
    ?.replace(/<br\s*\/?>|<\/p>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole);
  return textOf(text);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** An object without the values that are `undefined`. */
export function present(fields: Part): Part {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
