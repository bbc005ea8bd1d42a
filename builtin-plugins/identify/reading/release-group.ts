import { isTechnical, setMark } from './release-marks.ts';
import { gapBefore, outermostBracket, type Name } from './tokens.ts';

/** Finds who made the release, behind the last dash or in a bracket at either end. */
export function findGroup(name: Name, titleEnd: number): string | undefined {
  return behindDash(name, titleEnd) ?? behindBy(name) ?? leading(name) ?? trailing(name, titleEnd);
}

const notGroups = /^(?:sample|trailer|proof|dl|rip|ray|hd|tv|\d{1,3})$/;

/** `…x264-GROUP`, also with a site in brackets behind it. */
function behindDash(name: Name, titleEnd: number): string | undefined {
  for (let index = name.tokens.length - 1; index > titleEnd && index > 0; index -= 1) {
    const gap = gapBefore(name, index);
    const isDash =
      gap === '-' ||
      gap === ' -' ||
      gap === ' - ' ||
      gap === '.-.' ||
      gap === '-[' ||
      gap === ')-' ||
      gap === ']-' ||
      gap === ') - (' ||
      gap === ' -(' ||
      gap === ' - (' ||
      gap === '-.';
    if (!isDash) continue;
    const token = name.tokens[index];
    if (token === undefined || isTechnical(token) || notGroups.test(token.key)) continue;
    if (token.mark === 'site' || token.mark === 'episode') continue;
    const hasTechnicalBefore = isTechnicalBefore(name, index, titleEnd);
    if (!hasTechnicalBefore) return undefined;
    const last = groupEnd(name, index);
    for (let at = index; at <= last; at += 1) setMark(name, at, 'group');
    return name.text.slice(token.start, name.tokens[last]?.end ?? token.end);
  }
  return undefined;
}

function isTechnicalBefore(name: Name, index: number, titleEnd: number): boolean {
  for (let at = index - 1; at >= Math.max(titleEnd, index - 4); at -= 1) {
    if (isTechnical(name.tokens[at])) return true;
  }
  return false;
}

/** A group may have a dash or a space in it, when nothing but it is left. */
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
function leading(name: Name): string | undefined {
  const [bracket] = name.brackets;
  if (bracket === undefined || bracket.first !== 0 || bracket.last === 0) return undefined;
  if (!'[【'.includes(bracket.open) || bracket.start > 1) return undefined;
  if (bracket.last >= name.tokens.length || bracket.last > 6) return undefined;
  const isNamed = name.tokens.slice(0, bracket.last).some((token) => token.mark === '');
  if (!isNamed) return undefined;
  return name.text.slice(bracket.start + 1, bracket.end - 1).trim() || undefined;
}

/** `… 720p [NTb]`, `…DTS.x264.anoXmous`. */
function trailing(name: Name, titleEnd: number): string | undefined {
  const index = name.tokens.length - 1;
  const last = name.tokens[index];
  if (last === undefined || last.mark !== '' || index <= titleEnd) return undefined;
  const bracket = outermostBracket(name, index);
  if (bracket !== undefined && bracket.last === index + 1) {
    if (bracket.last - bracket.first > 2 || !isTechnicalBefore(name, bracket.first, titleEnd))
      return undefined;
    return name.text.slice(bracket.start + 1, bracket.end - 1).trim();
  }
  if (bracket !== undefined || !isTechnical(name.tokens[index - 1]) || last.value >= 0)
    return undefined;
  return last.text;
}
