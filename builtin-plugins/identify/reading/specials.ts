import { setMark } from './marks.ts';
import { gapBefore, type Name } from './tokens.ts';

/** What a name says of a file that is not an ordinary episode. */
export interface SpecialKind {
  /** It is outside of the seasons: `OVA`, `SP01`. */
  readonly isSpecial: boolean;
  /** It is an opening, an ending, a trailer: `NCOP1`, `Creditless Ending`, `PV2`. */
  readonly isExtra: boolean;
  /** The number after the word, for `SP01` and `Special 2`. */
  readonly number?: number;
  /** The token of the word; -1 = none. */
  readonly index: number;
}

const none: SpecialKind = { isSpecial: false, isExtra: false, index: -1 };
const originals: ReadonlySet<string> = new Set(['ova', 'oav', 'oad', 'ovas', 'oads']);
const creditless = /^nc(?:op|ed)\d{0,2}[a-z]?(?:v\d)?$/;
const clip = /^(?:op|ed|pv|cm|menu|trailer)\d{0,2}[a-z]?(?:v\d)?$/;
/** The words that count outside of fansub names. */
const initials = 'cnos';
const special = /^sp(\d{1,2})(?:v\d)?$/;

/** Finds and marks the word after the title that makes a file a special or an extra. */
export function readSpecialKind(name: Name): SpecialKind {
  const isFansub = name.brackets[0]?.first === 0 && name.text.startsWith('[');
  for (let index = 1; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '' || token.key.length > 12) continue;
    if (!isFansub && !initials.includes(token.key.charAt(0))) continue;
    if (token.key === 'ona') setMark(name, index, 'noise');
    else if (originals.has(token.key) && /\p{Lu}/u.test(token.text)) {
      setMark(name, index, 'season');
      return { isSpecial: true, isExtra: false, index };
    }
    const isClip = isFansub && / - $|_-_$/.test(gapBefore(name, index)) && clip.test(token.key);
    if (isClip || creditless.test(token.key) || token.key === 'creditless') {
      setMark(name, index, 'extra');
      return { isSpecial: false, isExtra: true, index };
    }
    const number = token.hasDigit ? special.exec(token.key) : null;
    if (number !== null) {
      setMark(name, index, 'episode');
      return { isSpecial: true, isExtra: false, number: Number(number[1]), index };
    }
  }
  return none;
}
