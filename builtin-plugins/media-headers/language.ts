import { languageOfCode } from '../../plugin-api/index.ts';

const known = new Map<string, string | undefined>();
const maxWords = 500;
const longestWord = 40;

/**
 * A language from a file, as a BCP 47 tag; `undefined` for `und` and for unknown values. Words are
 * cached: the same few come with every file.
 */
export function language(spelled: string | undefined): string | undefined {
  const word = spelled ?? '';
  if (word.length > longestWord) return undefined;
  if (known.has(word)) return known.get(word);
  const tag = languageOfCode(word) ?? undefined;
  if (known.size < maxWords) known.set(word, tag);
  return tag;
}
