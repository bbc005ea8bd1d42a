import { readable } from './title-text.ts';
import type { Bracket, Name } from './tokens.ts';

/** `01月新番`: new this season. Some groups write it between the brackets. */
function isAnnouncement(key: string): boolean {
  return key.endsWith('新番');
}

/**
 * `[Group][Title][01][1080p]`: the title of a name that is only brackets, which is the last one with
 * words before the numbers. Empty for other names.
 */
export function titleInBrackets(name: Name): string {
  if (name.brackets.length < 3) return '';
  if (name.tokens.some(({ bracket, key }) => bracket < 0 && !isAnnouncement(key))) return '';
  let title = '';
  for (const bracket of name.brackets.slice(1, 12)) {
    const token = name.tokens[bracket.first];
    if (token?.mark === '' && token.key !== 'movie')
      title = readable(name.text.slice(bracket.start + 1, titleEnd(name, bracket)));
    else if (title !== '') return title;
  }
  return title === '' ? beforeNumber(name) : title;
}

/** `[Group][Red][05]`: a title that is also a word of a release. */
function beforeNumber(name: Name): string {
  const [, second, third] = name.brackets;
  const isNumbered = third !== undefined && name.tokens[third.first]?.mark === 'episode';
  if (second === undefined || !isNumbered || second.last !== third.first) return '';
  if (name.tokens[second.first]?.mark === 'episode') return '';
  return readable(name.text.slice(second.start + 1, second.end - 1));
}

/** Where the title ends in its bracket: before `S2` or `第二季`. */
function titleEnd(name: Name, bracket: Bracket): number {
  for (let index = bracket.first + 1; index < bracket.last; index += 1) {
    const token = name.tokens[index];
    if (token?.mark === 'season' || token?.mark === 'episode') return token.start;
  }
  return bracket.end - 1;
}
