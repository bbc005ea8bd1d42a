import { readable } from './title-text.ts';
import type { Name } from './tokens.ts';

/**
 * `[Group][Title][01][1080p]`: the title of a name that is nothing but brackets, which is the last one
 * with words before the numbers. Empty when the name is not so.
 */
export function titleInBrackets(name: Name): string {
  if (name.brackets.length < 3) return '';
  if (name.tokens.some(({ bracket, mark }) => bracket < 0 && mark !== 'noise')) return '';
  let title = '';
  for (const bracket of name.brackets.slice(1, 12)) {
    const token = name.tokens[bracket.first];
    if (token?.mark === '' && token.key !== 'movie')
      title = readable(name.text.slice(bracket.start + 1, bracket.end - 1));
    else if (title !== '') return title;
  }
  return title;
}
