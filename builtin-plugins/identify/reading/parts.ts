import { readNumber } from './numbers.ts';
import { isTechnical, setMark } from './marks.ts';
import { gapBefore, type Name } from './tokens.ts';

/** The part of a film in a file. */
export interface PartOfWhole {
  readonly number: number;
  /** It is a disc (`CD1`), not a part. */
  readonly isDisc: boolean;
}

const tight = /^(cd|dvd|disc|disk|part|pt|teil)([1-9]\d?|[a-d])(?:of\d{1,2})?$/;
const side = /^(cd|dvd|disc|disk|part|pt)([a-d])$/;

/** `parta`, `cdb`. */
function lettered(key: string): RegExpExecArray | null {
  return key.length < 6 ? side.exec(key) : null;
}

const loose: ReadonlySet<string> = new Set(['cd', 'disc', 'disk', 'part', 'pt', 'teil', 'dvd']);

/** `part1` after an episode, or ` Part 2` right after it at the end. Marks it. */
export function findEpisodePart(name: Name, last: number): number | undefined {
  for (let index = last + 1; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    const joined = token?.mark === '' && token.hasDigit ? tight.exec(token.key) : null;
    if (joined === null || /\D/.test(joined[2] ?? '')) continue;
    const isSeparate = index === last + 1 || gapBefore(name, index).startsWith(' -');
    if (!isSeparate) continue;
    setMark(name, index, 'part');
    return Number(joined[2]);
  }
  const [word, number, behind] = [1, 2, 3].map((step) => name.tokens[last + step]);
  const isRightBehind = word !== undefined && /^[ ._]?$/.test(gapBefore(name, last + 1));
  if (!isRightBehind || !loose.has(word.key) || number === undefined) return undefined;
  const isWhole = behind === undefined || isTechnical(behind);
  if (!isWhole || number.value < 1 || number.value > 50) return undefined;
  setMark(name, last + 1, 'part');
  setMark(name, last + 2, 'part');
  return number.value;
}

/**
 * Finds `part1`, `cd2`, `disc 1`, `pt.2` after the title. `Part 2` in the title belongs to the
 * title: it counts only from `from` on. Discs count anywhere after the first word.
 */
export function findPart(name: Name, from: number): PartOfWhole | undefined {
  for (let index = name.tokens.length - 1; index > 0; index -= 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '') continue;
    const joined =
      token.hasDigit && token.key.length < 12 ? tight.exec(token.key) : lettered(token.key);
    if (joined !== null) {
      const isDisc = !/^p|^t/.test(joined[1] ?? '');
      if (index < from && !isDisc && index !== name.tokens.length - 1) continue;
      setMark(name, index, 'part');
      const isLetter = /^[a-d]$/.test(joined[2] ?? '');
      const number = isLetter ? (joined[2] ?? 'a').charCodeAt(0) - 96 : Number(joined[2]);
      return { number, isDisc };
    }
    if (!loose.has(token.key)) continue;
    const next = name.tokens[index + 1];
    const number = next === undefined ? undefined : readNumber(next.key);
    if (number === undefined || number > 50 || gapBefore(name, index + 1).length > 1) continue;
    const isDisc = !/^p|^t/.test(token.key);
    if (index < from && !(isDisc && token.key !== 'dvd')) continue;
    setMark(name, index, 'part');
    setMark(name, index + 1, 'part');
    return { number, isDisc };
  }
  return undefined;
}
