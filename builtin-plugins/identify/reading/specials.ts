import { isTechnical, setMark } from './marks.ts';
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
const clip =
  /^(?:op|ed|pv|cm|menu|trailer|opening|ending|preview|promo|teaser)\d{0,2}[a-z]?(?:v\d)?$/;
const bare: ReadonlySet<string> = new Set(['creditless', 'textless', 'clean', 'nc']);
const song = /^(?:op|ed|opening|ending)\d{0,2}[a-z]?$/;
/** The words that count outside of fansub names. */
const initials = 'cnos';
const special = /^(?:s\d{1,2})?(?:sp|ova|oav|oad)(\d{1,2}(?:\.\d)?)(?:v\d)?$/;
const specials: ReadonlySet<string> = new Set(['sp', 'special', 'specials']);

/** Finds and marks the word after the title that makes a file a special or an extra. */
export function readSpecialKind(name: Name): SpecialKind {
  const isFansub = name.brackets[0]?.first === 0 && name.text.startsWith('[');
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '' || token.key.length > 12) continue;
    if (!isFansub && !initials.includes(token.key.charAt(0))) continue;
    if (isExtraAt(name, index, isFansub)) {
      setMark(name, index, 'extra');
      return { isSpecial: false, isExtra: true, index };
    }
    if (token.key === 'ona') setMark(name, index, 'noise');
    else if (originals.has(token.key) && /\p{Lu}/u.test(token.text) && !startsTitle(name, index)) {
      setMark(name, index, 'season');
      return { isSpecial: true, isExtra: false, index };
    }
    const number = token.hasDigit ? special.exec(token.key) : null;
    if (number !== null) {
      setMark(name, index, 'episode');
      return { isSpecial: true, isExtra: false, number: Number(number[1]), index };
    }
    if (isSpecialWord(name, index, isFansub)) {
      setMark(name, index, 'season');
      return { isSpecial: true, isExtra: false, index };
    }
  }
  return none;
}

/** `OVA Night`: the first word of a title. */
function startsTitle(name: Name, index: number): boolean {
  const next = name.tokens[index + 1];
  const start = name.brackets[0]?.first === 0 ? name.brackets[0].last : 0;
  return (
    index === start &&
    next?.mark === '' &&
    next.value < 0 &&
    /^[ ._]$/.test(gapBefore(name, index + 1))
  );
}

/** `NCOP1`, `Creditless Ending`, and in fansub names ` - PV2`, ` - Opening 1`, `[Menu]`. */
function isExtraAt(name: Name, index: number, isFansub: boolean): boolean {
  const key = name.tokens[index]?.key ?? '';
  if (creditless.test(key)) return true;
  if (index === 0) return false;
  if (key === 'creditless') return true;
  if (bare.has(key)) return isFansub && song.test(name.tokens[index + 1]?.key ?? '');
  return isFansub && isApart(name, index) && clip.test(key);
}

/** Behind a dash or a bracket, and not the title of an episode behind its number. */
function isApart(name: Name, index: number): boolean {
  const before = name.tokens[index - 1];
  return / - $|_-_$|[[(]$/.test(gapBefore(name, index)) && (before?.value ?? -1) < 0;
}

/** `Special 2`, `SP 02`, `Specials - 02`, and in fansub names ` - Special`. */
function isSpecialWord(name: Name, index: number, isFansub: boolean): boolean {
  const key = name.tokens[index]?.key ?? '';
  if (!specials.has(key)) return false;
  const next = name.tokens[index + 1];
  const gap = gapBefore(name, index + 1);
  const isNumbered = next?.mark === '' && /^\d{1,2}$/.test(next.text);
  const isPlural = isNumbered && gap === ' - ' && key !== 'special';
  if (isFansub) return isApart(name, index) || (isNumbered && gap === ' ') || isPlural;
  const behind = name.tokens[index + 2];
  const isLast =
    behind === undefined || isTechnical(behind) || /^ - |[([]/.test(gapBefore(name, index + 2));
  return isPlural || (isNumbered && gap === ' ' && isLast);
}
