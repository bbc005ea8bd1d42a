import { lastOfGroup } from './group-mark.ts';
import { isTechnical, setMark } from './marks.ts';
import { gapBefore, outermostBracket, type Bracket, type Name } from './tokens.ts';

/** Finds who made the release: after the last dash, after `by`, or in a bracket. */
export function findGroup(name: Name, titleEnd: number): string | undefined {
  return (
    marked(name) ??
    behindBy(name) ??
    leading(name, titleEnd) ??
    trailing(name, titleEnd) ??
    inBrackets(name, titleEnd)
  );
}

function marked(name: Name): string | undefined {
  const first = name.tokens.findIndex(({ mark }) => mark === 'group');
  const last = name.tokens.findLastIndex(({ mark }) => mark === 'group');
  return first < 0 ? undefined : name.text.slice(name.tokens[first]?.start, name.tokens[last]?.end);
}

/** `… (2007).[Group][WEBRip]`: a bracket with one word, beside brackets about the release. */
function inBrackets(name: Name, titleEnd: number): string | undefined {
  for (const bracket of name.brackets.slice(0, 20)) {
    const token = name.tokens[bracket.first];
    const count = bracket.last - bracket.first;
    if (bracket.open !== '[' || count < 1 || count > 3 || bracket.first < titleEnd) continue;
    const isBehindTitle = bracket.first === titleEnd;
    if (isBehindTitle && name.tokens[titleEnd - 1]?.mark !== 'episode') continue;
    if (token?.mark !== '' || token.value >= 0) continue;
    const behind = name.tokens[bracket.last];
    const isJoined = count > 1 && !/^[^ ]+$/.test(inside(name, bracket));
    if (isJoined || (count > 1 && behind?.mark !== 'crc')) continue;
    if (isTechnical(name.tokens[bracket.first - 1]) || isTechnical(behind))
      return inside(name, bracket);
  }
  return undefined;
}

function inside(name: Name, { start, end }: Bracket): string {
  return name.text.slice(start + 1, end - 1).trim();
}

function isTechnicalBefore(name: Name, index: number, titleEnd: number): boolean {
  for (let at = index - 1; at >= Math.max(titleEnd, index - 4); at -= 1) {
    if (isTechnical(name.tokens[at])) return true;
  }
  return false;
}

/** The name may contain a space, if it is all that is left. */
function groupEnd(name: Name, index: number): number {
  let last = index;
  while (last + 1 < name.tokens.length && last - index < 3) {
    const gap = gapBefore(name, last + 1);
    const next = name.tokens[last + 1];
    if (next?.mark !== '' || !/^[ _.@]$/.test(gap)) break;
    last += 1;
  }
  return last === name.tokens.length - 1 || last === index ? last : index;
}

/** `… by Artik`. */
function behindBy(name: Name): string | undefined {
  for (let index = name.tokens.length - 2; index > 1; index -= 1) {
    if (name.tokens[index]?.key !== 'by' || !isTechnical(name.tokens[index - 1])) continue;
    const last = groupEnd(name, index + 1);
    for (let at = index; at <= last; at += 1) setMark(name, at, 'group');
    return name.text.slice(name.tokens[index + 1]?.start, name.tokens[last]?.end);
  }
  return undefined;
}

/** `[Group] Title - 01`. */
function leading(name: Name, titleEnd: number): string | undefined {
  const [bracket] = name.brackets;
  if (bracket !== undefined && bracket.last >= titleEnd) return undefined;
  if (bracket === undefined || bracket.first !== 0 || bracket.last === 0) return undefined;
  if (!'[【'.includes(bracket.open) || bracket.start > 1) return undefined;
  if (bracket.last >= name.tokens.length || bracket.last > 6) return undefined;
  const isNamed = name.tokens.slice(0, bracket.last).some((token) => token.mark === '');
  if (!isNamed) return undefined;
  return name.text.slice(bracket.start + 1, bracket.end - 1).trim() || undefined;
}

/** `… 720p [NTb]`, `…DTS.x264.anoXmous`. */
function trailing(name: Name, titleEnd: number): string | undefined {
  const index = lastOfGroup(name, 'site');
  const last = name.tokens[index];
  if (last === undefined || last.mark !== '' || index <= titleEnd) return undefined;
  const bracket = outermostBracket(name, index);
  if (bracket !== undefined && bracket.last === index + 1) {
    if (bracket.open === '(' && isTechnical(name.tokens[index - 1]) && index > bracket.first)
      return last.value < 0 ? last.text : undefined;
    if (bracket.last - bracket.first > 2 || !isTechnicalBefore(name, bracket.first, titleEnd))
      return undefined;
    return name.text.slice(bracket.start + 1, bracket.end - 1).trim();
  }
  if (bracket !== undefined || !isTechnical(name.tokens[index - 1]) || last.value >= 0)
    return undefined;
  return last.text;
}
