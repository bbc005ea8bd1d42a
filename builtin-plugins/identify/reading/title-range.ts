import { isTechnical } from './marks.ts';
import { allMarked, outermostBracket, type Name } from './tokens.ts';

/**
 * Index of the first word of the title: after a group, a site or a description of the release at the
 * front. A bracket stays if nothing else could be the title (`[REC] (2007)`).
 */
export function findTitleStart(name: Name, limit: number = name.tokens.length): number {
  let start = 0;
  while (start < limit) {
    const token = name.tokens[start];
    if (token === undefined) return start;
    const bracket = outermostBracket(name, start);
    if (bracket?.first === start) {
      const isSkipped =
        bracket.open !== '(' && bracket.open !== '（'
          ? hasWords(name, bracket.last, name.tokens.length) ||
            (limit < name.tokens.length && hasWords(name, bracket.last, limit))
          : allMarked(name, bracket.first, bracket.last);
      if (!isSkipped) return start;
      start = bracket.last;
    } else if (token.mark !== '' && token.mark !== 'episode' && token.mark !== 'season') start += 1;
    else return start;
  }
  return start;
}

/** Whether a word of a title stands outside of brackets in `[from, limit)`. */
function hasWords(name: Name, from: number, limit: number): boolean {
  for (let index = from; index < limit; index += 1) {
    const token = name.tokens[index];
    const isTitle =
      token !== undefined &&
      (token.value < 0 || token.text.length > 2 || (index === from && limit < name.tokens.length));
    if (isTitle && token.mark === '' && token.bracket < 0) return true;
  }
  return false;
}

/** Index after the last word of a title that starts at `start`: before the first marked token. */
export function findTitleEnd(name: Name, start: number, limit: number): number {
  for (let index = start; index < limit; index += 1) {
    const token = name.tokens[index];
    if (token === undefined) return index;
    const bracket = outermostBracket(name, index);
    const opensSquare = bracket?.first === index && index > start && !'(（'.includes(bracket.open);
    if (opensSquare) return index;
    if (isTechnical(token) || (token.mark !== '' && token.mark !== 'part')) {
      return bracket !== undefined && bracket.first > start ? bracket.first : index;
    }
  }
  return limit;
}

/**
 * The end of a title without another title in round brackets after it: `Le Prestige (The Prestige)`.
 * One word of up to three letters stays, since it distinguishes two works: `The Office (US)`.
 */
export function withoutAlternative(name: Name, start: number, end: number): number {
  if (end === name.tokens.length) return end;
  const bracket = outermostBracket(name, end - 1);
  if (bracket === undefined || bracket.first <= start || bracket.last !== end) return end;
  const [first] = name.tokens.slice(bracket.first);
  const isDistinguishing = bracket.last - bracket.first === 1 && (first?.text.length ?? 0) <= 3;
  return isDistinguishing ? end : bracket.first;
}
