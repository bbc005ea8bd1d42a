/**
 * Puts the texts of language files into pieces: `{text, with}` becomes the text in the language of the
 * viewer. It happens before a piece is checked, so a text has to fit the schema like any other.
 */
import { jsonValueFault } from '../../json-limits.ts';
import type { Checked } from '../../schema-check.ts';

/** A text that a piece names. */
export interface AskedText {
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** The text, or why there is none. */
type FoundText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Finds a text of a plugin in a language (BCP 47; `null` = the viewer named none). */
export type TextOf = (
  pluginId: string,
  asked: AskedText & { readonly locale: string | null },
) => FoundText;

const maxDepth = 16;
/** The most characters that the texts of one answer have together: those of a longest answer. */
const mostCharacters = 512 * 1024;

/** Wording for the pieces of one answer, which share the limit. */
export function createPieceWording(
  find: (asked: AskedText) => FoundText,
): (piece: unknown) => Checked<unknown> {
  let left = mostCharacters;

  function worded(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(worded);
    const asked = askedIn(value);
    if (asked === null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, worded(one)]));
    const found = find(asked);
    if (!found.ok) throw new Unworded(found.reason);
    left -= found.text.length;
    if (left < 0) throw new Unworded(`its texts have more than ${mostCharacters} characters`);
    return found.text;
  }

  return (piece) => {
    // The walk below is recursive, and copies keys.
    const fault = jsonValueFault(piece, maxDepth);
    if (fault !== null) return { ok: false, reason: fault };
    try {
      return { ok: true, value: worded(piece) };
    } catch (error) {
      if (!(error instanceof Unworded)) throw error;
      return { ok: false, reason: error.message };
    }
  };
}

/** A text that cannot be found. */
class Unworded extends Error {}

/** `{text, with}`; `null` = another object. */
function askedIn(value: object): AskedText | null {
  const { text, with: given = {}, ...others } = value as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return null;
  const values = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return { key: text, values: Object.fromEntries(values.filter(isValue)) };
}

const isValue = (entry: [string, unknown]): entry is [string, string | number] =>
  typeof entry[1] === 'string' || typeof entry[1] === 'number';
