/**
 * Marks the words that tell how a release was made. What cuts a title off is what is found here, so
 * a word that could as well belong to a title is held back until its neighbours are known.
 */
import { knownWords } from './known-words.ts';
import { markWord, type Pending, type PendingWords } from './marks.ts';
import { markPattern } from './release-patterns.ts';
import { markChecksums, markSites } from './release-sites.ts';
import { plainLines } from './resolution.ts';
import type { Name } from './tokens.ts';

/** Marks what is certain, and gives the words that are not. */
export function markRelease(name: Name): PendingWords {
  const pending = new Map<number, Pending>();
  markSites(name);
  markChecksums(name);
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '') continue;
    const found = knownWords.find(name.tokens, index);
    if (found === undefined) {
      const lines = plainLines(token);
      const isWidth = name.text.charAt(token.end + 1) === '*';
      if (lines !== undefined && index > 0 && !isWidth) pending.set(index, lines);
      else index += markPattern(name, index, token);
    } else {
      if (found.word.strength === 'certain') markWord(name, index, found);
      else pending.set(index, found);
      index += found.length - 1;
    }
  }
  return pending;
}
