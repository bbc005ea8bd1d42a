import { isTechnical, type AmbiguousWords } from './marks.ts';
import { gapBefore, outermostBracket, type Name } from './tokens.ts';

const suffixes: ReadonlySet<string> = new Set(
  'obfuscated scrambled xpost postbot asrequested rakuv rakuv02 newz buymore chamele0n sample proof trailer'.split(
    ' ',
  ),
);
const subtitleLanguages: ReadonlySet<string> = new Set(
  'eng en fre fra fr ger deu de spa es ita it dut nld nl por pt swe sv nor no dan da fin fi pol pl rus ru forced'.split(
    ' ',
  ),
);
const notGroups: ReadonlySet<string> = new Set(
  'sample trailer proof dl rip ray hd tv mp4 mkv avi eng ita fre ger raw'.split(' '),
);
const episodeCode = /^(?:s\d{1,4}e\d{1,4}|\d{1,2}x\d{1,3}|\d{1,2}xall)/;

/**
 * Marks the group after the last dash: `…x264-GROUP`, `…x264-GROUP[site]`, `…XviD-[GROUP]`. This
 * must run before ambiguous words are decided, since a group may have any name.
 */
export function markGroup(name: Name, pending: AmbiguousWords): void {
  const last = lastOfGroup(name);
  if (last < 1) return;
  markLast(name, last, pending);
  if (name.tokens.some(({ mark }) => mark === 'group')) return;
  markBehindCodec(name, pending);
  if (name.tokens.some(({ mark }) => mark === 'group')) return;
  markSceneHead(name);
}

const longestHead = 12;
/** Words before a dash in titles. */
const prefixes: ReadonlySet<string> = new Set(
  'spider ant x bat super ultra anti ex co re non semi half self all mid pre post un t e k a wall two three four sub tom man'.split(
    ' ',
  ),
);

/** `grp-title.of.film.2016.1080p.bluray.x264`: the form of file names of the scene. */
function markSceneHead(name: Name): void {
  const [head, second] = name.tokens;
  if (head === undefined || second === undefined || head.start !== 0) return;
  const isDashed = gapBefore(name, 1) === '-' && gapBefore(name, 2) === '.';
  if (!isDashed || head.mark !== '' || head.key.length > longestHead || prefixes.has(head.key))
    return;
  const text = name.text.slice(0, 300);
  if (/[\p{Lu}\s]/u.test(text) || head.value >= 0) return;
  if (!name.tokens.slice(2, 30).some(({ mark }) => mark === 'video' || mark === 'source')) return;
  markRun(name, 0, 0);
}

/** `…x264-GROUP.HebSubs`: the word after the dash of a codec, also with other words after it. */
function markBehindCodec(name: Name, pending: AmbiguousWords): void {
  const index = name.tokens.findLastIndex(
    (token, at) =>
      at > 1 &&
      token.mark === '' &&
      token.value < 0 &&
      !token.joins &&
      name.tokens[at - 1]?.mark === 'video' &&
      gapBefore(name, at) === '-' &&
      !pending.has(at),
  );
  if (index > 0) markRun(name, index, index);
}

function markLast(name: Name, last: number, pending: AmbiguousWords): void {
  const bracket = outermostBracket(name, last);
  if (bracket !== undefined) {
    const isDashed = name.text.charAt(bracket.start - 1) === '-';
    if (isDashed && isDescribed(name, bracket.first - 1, pending))
      markRun(name, bracket.first, bracket.last - 1);
    return;
  }
  const token = name.tokens[last];
  const gap = gapBefore(name, last);
  if (
    token === undefined ||
    token.joins ||
    notGroups.has(token.key) ||
    episodeCode.test(token.key) ||
    /^(?:e|ep|part|pt|cd|dvd|disc|disk|teil)?\d+(?:v\d)?$/.test(token.key) ||
    (!gap.endsWith('-') && !/-[ .]$/.test(gap))
  )
    return;
  if (token.mark !== '' && token.mark !== 'release' && !isBadge(name, last, pending)) return;
  const isSpaced = gap !== '-';
  if (isSpaced && pending.has(last) && !gap.endsWith('-')) return;
  let first = last;
  while (
    last - first < 2 &&
    first > 1 &&
    gapBefore(name, first) === '-' &&
    isFree(name, first - 1, pending)
  )
    first -= 1;
  const isWhole = isDescribed(name, first - 1, pending);
  if (!isWhole) first = last;
  if (first === last && isBehindRelease(name, last)) {
    markRun(name, last, last);
    return;
  }
  const behindCode = episodeCode.test(name.tokens[first - 1]?.key ?? '');
  const mayFollowCode = gapBefore(name, first) === '-' && /\s/.test(name.text);
  if (behindCode && !mayFollowCode) return;
  if (isDescribed(name, first - 1, pending)) markRun(name, first, last);
}

/** `…x264-UHDTV`, `…CZ-SDTV`: right after a codec or a language a medium can only be the group. */
function isBadge(name: Name, index: number, pending: AmbiguousWords): boolean {
  const before = name.tokens[index - 1]?.mark;
  const isLanguage = pending.get(index - 1)?.word.mark === 'language';
  return (
    gapBefore(name, index) === '-' && (before === 'video' || before === 'language' || isLanguage)
  );
}

/** `…1080p.Extra-GROUP` and `…[2005]-GROUP`: a word of a release is near, but not right before it. */
function isBehindRelease(name: Name, index: number): boolean {
  const gap = gapBefore(name, index);
  if (/^[\])]-$/.test(gap)) return true;
  if (gap !== '-' || /\s/.test(name.text)) return false;
  return [2, 3].some((step) => isTechnical(name.tokens[index - step]));
}

/** The last token, without brackets and words after the group. */
export function lastOfGroup(name: Name, only?: 'site'): number {
  let last = name.tokens.length - 1;
  for (let steps = 0; steps < 6 && last > 0; steps += 1) {
    const bracket = outermostBracket(name, last);
    const isDashed = bracket !== undefined && name.text.charAt(bracket.start - 1) === '-';
    if (
      bracket !== undefined &&
      (only === undefined || name.tokens[last]?.mark === only) &&
      bracket.first > 0 &&
      !isDashed &&
      bracket.last - bracket.first <= 4
    )
      last = bracket.first - 1;
    else if (suffixes.has(name.tokens[last]?.key ?? '') && gapBefore(name, last) === '-') last -= 1;
    else if (isLanguageBehindGroup(name, last)) last -= 1;
    else break;
  }
  return last;
}

/** `…XviD-GRP.eng`, `…XviD-GRP.HebSubs`: the language of subtitles. */
function isLanguageBehindGroup(name: Name, index: number): boolean {
  const { key, mark } = name.tokens[index] ?? { key: '', mark: '' };
  const isLanguage = mark === 'language' || subtitleLanguages.has(key);
  return isLanguage && gapBefore(name, index) === '.' && gapBefore(name, index - 1) === '-';
}

function isFree(name: Name, index: number, pending: AmbiguousWords): boolean {
  return (
    name.tokens[index]?.mark === '' && !pending.has(index) && (name.tokens[index]?.bracket ?? 0) < 0
  );
}

/** A word that counts only after others needs one of them in front: so not in `Dr. No-One`. */
function isHeldBack(name: Name, index: number, pending: AmbiguousWords): boolean {
  const strength = pending.get(index)?.word.strength;
  if (strength !== 'after') return strength !== undefined;
  return name.tokens
    .slice(0, index)
    .some((token, at) => isTechnical(token) || pending.get(at)?.word.strength === 'weak');
}

/** Whether a word of a release, or an episode code, is right before. */
function isDescribed(name: Name, index: number, pending: AmbiguousWords): boolean {
  const token = name.tokens[index];
  return (
    isTechnical(token) ||
    isHeldBack(name, index, pending) ||
    token?.joins === true ||
    episodeCode.test(token?.key ?? '')
  );
}

function markRun(name: Name, first: number, last: number): void {
  for (let at = first; at <= last; at += 1) {
    const token = name.tokens[at];
    if (token !== undefined) token.mark = 'group';
  }
}
