import { isTechnical, markWord, type Pending, type AmbiguousWords } from './marks.ts';
import type { Name } from './tokens.ts';

const shouted = /\p{Lu}/u;
const quiet = /\p{Ll}/u;
const sceneCase = /^\p{Lu}*i\p{Lu}+|^\p{Lu}+i(?:\p{Lu}|$)/u;

/** Decides ambiguous words by their neighbours. Words from `freeFrom` on cannot be a title. */
export function decideAmbiguous(name: Name, pending: AmbiguousWords, freeFrom = Infinity): void {
  if (pending.size === 0) return;
  settleBrackets(name, pending);
  const entries = [...pending];
  const isQuietName = quiet.test(name.text.slice(0, 300));
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry === undefined) continue;
    const [index, found] = entry;
    if (index >= freeFrom) {
      markWord(name, index, found);
      continue;
    }
    if (index === 0 || !isTechnical(name.tokens[index + found.length])) continue;
    const before = name.tokens[index - 1]?.mark;
    const followsNumber = before === 'episode' || before === 'season' || before === 'date';
    const isTag = found.word.mark === 'source' || found.word.mark === 'service';
    if (
      found.word.strength === 'weak' ||
      (isQuietName && isInCapitals(name, index, found.length)) ||
      (followsNumber && isTag)
    ) {
      markWord(name, index, found);
    }
  }
  for (const [index, found] of entries) {
    const isBehind = index > 0 && isTechnical(name.tokens[index - 1]);
    if (isBehind || (isQuietName && isLastLanguage(name, index, found)))
      markWord(name, index, found);
  }
}

/** `Season 2 Complete French`: if only ambiguous words follow the season, they are about the release. */
export function decideTail(name: Name, pending: AmbiguousWords, last: number): void {
  const found: [number, Pending][] = [];
  for (let index = last + 1; index < name.tokens.length; index += 1) {
    const word = pending.get(index);
    if (word === undefined && !isTechnical(name.tokens[index])) return;
    if (word === undefined) continue;
    found.push([index, word]);
    index += word.length - 1;
  }
  for (const [index, word] of found) markWord(name, index, word);
}

/** `… FR` at the very end. */
function isLastLanguage(name: Name, index: number, found: Pending): boolean {
  const isLast = index > 2 && index + found.length === name.tokens.length;
  return isLast && found.word.mark === 'language' && isInCapitals(name, index, found.length);
}

/** Whether words are in capitals: `DC`, `iNTERNAL`. */
export function isInCapitals(name: Name, index: number, length: number): boolean {
  for (let at = index; at < index + length; at += 1) {
    const text = name.tokens[at]?.text ?? '';
    if (text.length < 2 || !shouted.test(text)) return false;
    if (quiet.test(text) && !sceneCase.test(text)) return false;
  }
  return true;
}

/** A bracket with only known words is about the release. */
function settleBrackets(name: Name, pending: AmbiguousWords): void {
  for (const bracket of name.brackets) {
    if (bracket.last - bracket.first > 40 || bracket.last === bracket.first) continue;
    if (bracket.first === 0 && !name.tokens.slice(0, bracket.last).some(isTechnical)) continue;
    let index = bracket.first;
    while (index < bracket.last) {
      const found = pending.get(index);
      if (found !== undefined) index += found.length;
      else if (isTechnical(name.tokens[index]) || name.tokens[index]?.mark === 'site') index += 1;
      else break;
    }
    if (index < bracket.last) continue;
    for (let at = bracket.first; at < bracket.last; at += 1) {
      const found = pending.get(at);
      if (found !== undefined) markWord(name, at, found);
    }
  }
}
