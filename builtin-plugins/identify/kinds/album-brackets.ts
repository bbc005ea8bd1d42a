/** The brackets in the name of an album's folder: each is about the year, the disc, the copy, or a title. */
import { isYear } from '../reading/dates.ts';
import { tokenize, type Bracket, type Name, type Token } from '../reading/tokens.ts';
import {
  bracketWords,
  formatWords,
  issueWords,
  mediumWords,
  musicShelves,
} from '../words/music-words.ts';
import { readDiscNumber } from './disc-folder.ts';

/** The name without its brackets about year, disc and copy, and what they said. */
export interface BareName {
  readonly text: string;
  readonly year: number | undefined;
  readonly disc: number | undefined;
  /** A bracket in front that is not about the year. */
  readonly head: string;
  /** Of a remaster, which counts if the name has no other. */
  readonly issued: number | undefined;
  /** Where the last bracket about the year or the copy stood: words after it are about the copy. */
  readonly describedFrom: number;
}

type BracketKind = 'year' | 'issue' | 'disc' | 'copy' | 'title';

/** Removes the brackets that are not part of a title. */
export function withoutBrackets(raw: string, thisYear: number, mayHaveArtist: boolean): BareName {
  const name = tokenize(raw);
  let [text, head, from] = ['', '', 0];
  let year: number | undefined;
  let issued: number | undefined;
  let disc: number | undefined;
  let describedFrom = Infinity;
  for (const bracket of name.brackets) {
    if (name.brackets[bracket.outermost] !== bracket) continue;
    const kind = kindOf(name, bracket, thisYear);
    const inside = raw.slice(bracket.start + 1, bracket.end - 1).trim();
    const isHead = bracket.start === 0 && kind === 'title';
    if (isHead && !isDropped(inside, bracket, mayHaveArtist, raw)) continue;
    if (!isHead && kind === 'title' && (bracket.open === '(' || bracket.start === 0)) continue;
    if (kind === 'issue' && bracket.open === '(' && year !== undefined) continue;
    if (kind === 'year') year ??= yearIn(name, bracket, thisYear);
    else if (kind === 'issue') issued ??= yearIn(name, bracket, thisYear);
    else if (kind === 'disc') disc ??= readDiscNumber(inside)?.disc;
    else if (isHead) head = inside;
    text += `${raw.slice(from, bracket.start)} `;
    if (kind !== 'title' && text.trim() !== '') describedFrom = text.trimEnd().length;
    from = bracket.end;
  }
  return { text: text + raw.slice(from), year, issued, disc, head, describedFrom };
}

/** `[VA] Album`, `(Rock) Artist - Album`, `[Label] Artist - Album`: not the start of the title. */
function isDropped(inside: string, bracket: Bracket, mayHaveArtist: boolean, raw: string): boolean {
  if (
    isVarious(inside) ||
    inside.split(/, | & |\//).every((part) => musicShelves.has(part.toLowerCase()))
  )
    return true;
  return mayHaveArtist && bracket.open !== '(' && raw.slice(bracket.end).includes(' - ');
}

function kindOf(name: Name, bracket: Bracket, thisYear: number): BracketKind {
  const tokens = name.tokens.slice(bracket.first, Math.min(bracket.last, bracket.first + 13));
  if (tokens.length === 0 || tokens.length > 12) return 'title';
  const inside = name.text.slice(bracket.start + 1, bracket.end - 1).trim();
  if (readDiscNumber(inside) !== undefined) return 'disc';
  const years = tokens.filter((token) => isYear(token, thisYear));
  const others = tokens.filter((token) => !isYear(token, thisYear));
  const isCopy = others.every(
    (token) => isFormat(token) || isMedium(token) || bracketWords.has(token.key),
  );
  if (years.length > 0 && isCopy) return 'year';
  const isListed = isYear(tokens[0], thisYear) && /^\d{4}[,;]/.test(inside);
  if (isListed) return 'year';
  const isIssue = others.every((token) => issueWords.has(token.key) || isMedium(token));
  if (years.length === 1 && isIssue) return 'issue';
  const isFormatted = tokens.some(isFormat) || bracket.open !== '(';
  return isCopy && isFormatted ? 'copy' : 'title';
}

function yearIn(name: Name, bracket: Bracket, thisYear: number): number | undefined {
  return name.tokens.slice(bracket.first, bracket.last).find((token) => isYear(token, thisYear))
    ?.value;
}

/** `FLAC`, `320kbps`, `24bit`, `2CD`. */
export function isFormat({ key }: Token): boolean {
  return (
    formatWords.has(key) ||
    /^(?:\d{1,4}(?:kbps|kbs|kb|k|khz|hz|bit|bits)|\d{1,2}(?:cd|cds|lp|lps))$/.test(key)
  );
}

/** `WEB`, `320`, `96`. */
export function isMedium({ key, value }: Token): boolean {
  return mediumWords.has(key) || (value >= 0 && value < 1000);
}

const various =
  /^(?:various(?: artists?)?|va|v\.a\.?|compilations?|(?:original )?(?:motion picture )?soundtracks?|ost|diverse|divers|verschiedene(?: interpreten)?|varios(?: artistas)?|artistes variés|sampler|samplers|mixes|сборник|сборники)$/i;

/** Whether a name stands for the artists of a compilation. */
export function isVarious(name: string): boolean {
  return various.test(name.trim());
}
