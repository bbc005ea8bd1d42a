import { isUnspaced, wordsOf } from './words.ts';

/** One term of a query: its text, or one of its alternatives, must be there. */
export interface QueryTerm {
  readonly text: string;
  readonly prefix?: boolean;
  readonly alternatives?: readonly string[];
}

/**
 * Writes a query in FTS5's language. Only words go in, each run of them between double quotes, and a
 * word has neither quotes nor operators in it; so no text can be anything but something to look for.
 * `null` when there is no word to look for.
 */
export function matchExpression(terms: readonly QueryTerm[]): string | null {
  const groups = terms.map(groupOf).filter((group) => group !== '');
  return groups.length === 0 ? null : groups.join(' AND ');
}

/** Limits an expression to the titles. */
export function inTitle(expression: string): string {
  return `{title} : (${expression})`;
}

function groupOf({ text, prefix = false, alternatives = [] }: QueryTerm): string {
  const phrases = [phraseOf(text, prefix), ...alternatives.map((word) => phraseOf(word, false))];
  const distinct = [...new Set(phrases)].filter((phrase) => phrase !== '');
  return distinct.length > 1 ? `(${distinct.join(' OR ')})` : (distinct[0] ?? '');
}

function phraseOf(text: string, prefix: boolean): string {
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return '';
  const star = prefix && !isUnspaced(last) ? ' *' : '';
  return `"${words.join(' ')}"${star}`;
}
