/**
 * Marks the words about how a release was made. These marks end a title, so an ambiguous word is
 * decided only when its neighbours are known.
 */
import { knownWords } from './known-words.ts';
import { markWord, type Pending, type AmbiguousWords } from './marks.ts';
import { markPattern } from './release-patterns.ts';
import { markChecksums, markSites } from './release-sites.ts';
import { plainLines } from './resolution.ts';
import type { Name } from './tokens.ts';

/** Marks certain words, and returns the ambiguous ones. */
export function markRelease(name: Name): AmbiguousWords {
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
