/**
 * Marks the words that tell how a release was made. What cuts a title off is what is found here, so
 * a word that could as well belong to a title is held back until its neighbours are known.
 */
import { editionRows } from '../words/edition-words.ts';
import { languageRows } from '../words/language-words.ts';
import { releaseRows } from '../words/release-words.ts';
import { gapBefore, type Mark, type Name, type Token } from './tokens.ts';
import { createWordTable, type WordMeaning } from './word-table.ts';

const knownWords = createWordTable([...releaseRows, ...languageRows, ...editionRows]);

const technical: ReadonlySet<Mark> = new Set<Mark>([
  'resolution',
  'source',
  'video',
  'audio',
  'language',
  'edition',
  'release',
  'service',
  'stereo',
  'size',
  'crc',
]);

/** Whether a token tells how the release was made. */
export function isTechnical(token: Token | undefined): boolean {
  return token !== undefined && technical.has(token.mark);
}

/** A word that may or may not belong to the title, with how many tokens it spans. */
interface Pending {
  readonly word: WordMeaning;
  readonly length: number;
}

/** The words held back, by the index of their first token. */
export type PendingWords = ReadonlyMap<number, Pending>;

/** Marks what is certain, and gives the words that are not. */
export function markRelease(name: Name): PendingWords {
  const pending = new Map<number, Pending>();
  const keyAt = (index: number): string | undefined => name.tokens[index]?.key;
  markSites(name);
  markChecksums(name);
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '') continue;
    const found = knownWords.find(keyAt, index);
    if (found === undefined) {
      const lines = plainLines(token);
      if (lines !== undefined && index > 0) pending.set(index, lines);
      else index += markPattern(name, index, token);
    } else {
      if (found.word.strength === 'certain') markWord(name, index, found);
      else pending.set(index, found);
      index += found.length - 1;
    }
  }
  return pending;
}

function markWord(name: Name, index: number, { word, length }: Pending): void {
  for (let at = index; at < index + length; at += 1) {
    setMark(name, at, word.mark, word.meaning);
    const token = name.tokens[at];
    if (token !== undefined && at > index) token.joins = true;
  }
}

/** Marks one token, unless it has a mark. */
export function setMark(name: Name, index: number, mark: Mark, meaning = ''): void {
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '') return;
  token.mark = mark;
  token.meaning = meaning;
}

const resolution = /^(?:hd)?(\d{3,4})([pi])(?:\d{2,3}|hd|x)?$/;
const frame = /^(\d{3,4})[x×*](\d{3,4})p?$/;
const size = /^\d+(?:mb|gb|mib|gib|kbps|kbit|kbits|mbps|mbit|mbits|fps|hz|khz|bit|bits)$/;
const audio =
  /^(?:\d?(?:x?aac|e?ac3|ddpa?|dda?|dts|flac|truehd|opus|atmos|lpcm|pcm|mp3|he)(?:lc|hd|ma|d|es|x\d|v\d|\d{1,3}k?)?\d?|[1-9]\d?ch|\dx?audio)$/;
const glued = /^(.+?)(x26[45]|h26[45]|xvid|divx|1080p|720p|480p|bluray|webrip)$/;
const heights: ReadonlySet<number> = new Set([
  240, 288, 300, 320, 352, 360, 368, 384, 396, 400, 404, 408, 416, 432, 480, 540, 544, 576, 640,
  720, 800, 810, 900, 960, 1036, 1080, 1152, 1440, 1620, 1800, 2160, 2880, 4320,
]);

/** `720` alone is a resolution only beside other words of a release. */
function plainLines({ text }: Token): Pending | undefined {
  if (!/^(?:480|576|720|1080|2160)$/.test(text)) return undefined;
  return { word: { mark: 'resolution', meaning: `${text}p`, strength: 'weak' }, length: 1 };
}

/** Words that follow a form instead of standing in a table. Gives how many more tokens it took. */
function markPattern(name: Name, index: number, token: Token): number {
  const { key } = token;
  if (token.value >= 0) return markDecimal(name, index, token);
  if (!token.hasDigit || key.length > 20) return 0;
  const lines = resolution.exec(key);
  if (lines !== null && (heights.has(Number(lines[1])) || Number(lines[1]) >= 1000)) {
    setMark(name, index, 'resolution', `${lines[1] ?? ''}${lines[2] ?? ''}`);
    return 0;
  }
  const box = frame.exec(key);
  if (box !== null && Number(box[1]) >= 200 && Number(box[2]) >= 100) {
    setMark(name, index, 'resolution', heightName(Number(box[1]), Number(box[2]), key));
    return 0;
  }
  if (size.test(key)) setMark(name, index, 'size');
  else if (audio.test(key)) return markChannels(name, index);
  else markGlued(name, index, key);
  return 0;
}

/** `DD5.1`, `AAC2.0`: the digit behind the point belongs to it. */
function markChannels(name: Name, index: number): number {
  setMark(name, index, 'audio');
  const isSplit =
    /[1-9]$/.test(name.tokens[index]?.key ?? '') && gapBefore(name, index + 1) === '.';
  if (!isSplit || !/^[0-2]$/.test(name.tokens[index + 1]?.text ?? '')) return 0;
  setMark(name, index + 1, 'audio');
  return 1;
}

/** `1920x800` counts as 1080p: films are cropped, and the width tells the format. */
function heightName(width: number, height: number, asWritten: string): string {
  const ratio = width / height;
  if (ratio < 1.2 || ratio > 3) return asWritten;
  const known = [480, 576, 720, 1080, 1440, 2160, 4320];
  const exact = known.find((lines) => lines === height);
  if (exact !== undefined) return `${String(exact)}p`;
  const byWidth = [
    [7680, 4320],
    [3840, 2160],
    [2560, 1440],
    [1920, 1080],
    [1280, 720],
  ].find(([lineWidth]) => width === lineWidth);
  return byWidth === undefined ? asWritten : `${String(byWidth[1])}p`;
}

function markGlued(name: Name, index: number, key: string): void {
  const parts = glued.exec(key);
  if (parts === null) return;
  const head = knownWords.find((at) => (at === 0 ? parts[1] : undefined), 0);
  if (head === undefined) return;
  setMark(name, index, head.word.mark, head.word.meaning);
}

/** `5.1` and `1.4 GB`: numbers with a point between them. */
function markDecimal(name: Name, index: number, token: Token): number {
  const next = name.tokens[index + 1];
  if (next === undefined) return 0;
  if (/^(?:mb|gb|mib|gib|kbps|mbps|fps|bit|bits|ch)$/.test(next.key)) {
    setMark(name, index, 'size');
    setMark(name, index + 1, 'size');
    return 1;
  }
  const gap = gapBefore(name, index + 1);
  if (markPicture(name, index, gap)) return 1;
  if (isChannelBracket(name, index)) {
    setMark(name, index, 'audio');
    setMark(name, index + 1, 'audio');
    return 1;
  }
  if (gap !== '.') return 0;
  const third = name.tokens[index + 2];
  if (/^\d+(?:mb|gb|mib|gib|kbps|mbps|fps)$/.test(next.key)) {
    setMark(name, index, 'size');
    setMark(name, index + 1, 'size');
    return 1;
  }
  if (next.value >= 0 && third !== undefined && /^(?:gb|mb|gib|mib|fps)$/.test(third.key)) {
    for (const at of [index, index + 1, index + 2]) setMark(name, at, 'size');
    return 2;
  }
  const isChannels =
    [1, 2, 5, 6, 7].includes(token.value) &&
    token.text.length === 1 &&
    /^[012](?:ch)?$/.test(next.key);
  const isBeside =
    isTechnical(name.tokens[index - 1]) || isKnownWord(name, index - 1) || next.key.endsWith('ch');
  if (isChannels && (isBeside || isAudioWord(third))) {
    setMark(name, index, 'audio');
    setMark(name, index + 1, 'audio');
    return 1;
  }
  return 0;
}

/** `1280*720`. */
function markPicture(name: Name, index: number, gap: string): boolean {
  const [width, height] = [name.tokens[index], name.tokens[index + 1]];
  if (width === undefined || height === undefined || gap.trim() !== '*') return false;
  if (width.value < 200 || height.value < 100) return false;
  const key = `${width.text}x${height.text}`;
  setMark(name, index, 'resolution', heightName(width.value, height.value, key));
  setMark(name, index + 1, 'resolution', heightName(width.value, height.value, key));
  return true;
}

/** `[5.1]` and `[7-1]`. */
function isChannelBracket(name: Name, index: number): boolean {
  const bracket = name.brackets[name.tokens[index]?.bracket ?? -1];
  if (bracket?.first !== index || bracket.last !== index + 2) return false;
  return (
    /^[2567]$/.test(name.tokens[index]?.text ?? '') &&
    /^[01]$/.test(name.tokens[index + 1]?.text ?? '')
  );
}

function isKnownWord(name: Name, index: number): boolean {
  const key = name.tokens[index]?.key;
  return knownWords.find((at) => (at === 0 ? key : undefined), 0) !== undefined;
}

function isAudioWord(token: Token | undefined): boolean {
  if (token === undefined) return false;
  const found = knownWords.find((at) => (at === 0 ? token.key : undefined), 0);
  return found !== undefined && found.word.strength === 'certain' && technical.has(found.word.mark);
}

const domains: ReadonlySet<string> = new Set(
  'com net org info biz tv me to cc ru de fr it es nl eu co in am ag mx lat re is io li nu ws se pw xyz site club pro cx ch pl lol win vip love space online link st gs'.split(
    ' ',
  ),
);

/** `www.example.org` anywhere, and brackets with nothing but the name of a site. */
function markSites(name: Name): void {
  for (let index = 0; index < name.tokens.length; index += 1) {
    if (name.tokens[index]?.key !== 'www') continue;
    let last = index;
    while (last - index < 5 && /^[.\- ]$/.test(gapBefore(name, last + 1))) {
      last += 1;
      if (domains.has(name.tokens[last]?.key ?? '')) break;
      if (last > index + 1 && /^ - |[\])]/.test(gapBefore(name, last + 1))) break;
    }
    if (last === index) continue;
    for (let at = index; at <= last; at += 1) setMark(name, at, 'site');
    index = last;
  }
  markLeadingSite(name);
  for (const bracket of name.brackets) {
    const count = bracket.last - bracket.first;
    const inside = name.text.slice(bracket.start + 1, bracket.end - 1);
    if (count < 2 || count > 4 || inside.length > 60 || /[\s_]/.test(inside.trim())) continue;
    if (!domains.has(name.tokens[bracket.last - 1]?.key ?? '') || !inside.includes('.')) continue;
    for (let at = bracket.first; at < bracket.last; at += 1) setMark(name, at, 'site');
  }
}

/** `Example.com - Title`. */
function markLeadingSite(name: Name): void {
  const isSite = domains.has(name.tokens[1]?.key ?? '') && gapBefore(name, 1) === '.';
  if (!isSite || !/^ ?[-_] /.test(gapBefore(name, 2))) return;
  setMark(name, 0, 'site');
  setMark(name, 1, 'site');
}

const checksum = /^[0-9a-f]{8}$/;

function markChecksums(name: Name): void {
  for (const bracket of name.brackets) {
    if (bracket.last - bracket.first !== 1) continue;
    const token = name.tokens[bracket.first];
    if (token === undefined || !checksum.test(token.key)) continue;
    if (token.value >= 0 && /^(?:19|20)\d\d(?:0\d|1[0-2])/.test(token.key)) continue;
    setMark(name, bracket.first, 'crc', token.text);
  }
}

const shouted = /\p{Lu}/u;
const quiet = /\p{Ll}/u;
const sceneCase = /^\p{Lu}*i\p{Lu}+|^\p{Lu}+i(?:\p{Lu}|$)/u;

/** Settles the held back words by their neighbours. Words from `freeFrom` on cannot be a title. */
export function settlePending(name: Name, pending: PendingWords, freeFrom = Infinity): void {
  if (pending.size === 0) return;
  settleBrackets(name, pending);
  const entries = [...pending];
  const isQuietName = quiet.test(name.text.slice(0, 300));
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry === undefined) continue;
    const [index, found] = entry;
    if (index >= freeFrom) {
      markWord(name, index, found);
      continue;
    }
    if (index === 0 || !isTechnical(name.tokens[index + found.length])) continue;
    const before = name.tokens[index - 1]?.mark;
    const followsNumber = before === 'episode' || before === 'season' || before === 'date';
    const isTag = found.word.mark === 'source' || found.word.mark === 'service';
    if (
      found.word.strength === 'weak' ||
      (isQuietName && isShouted(name, index, found.length)) ||
      (followsNumber && isTag)
    ) {
      markWord(name, index, found);
    }
  }
  for (const [index, found] of entries) {
    const isBehind = index > 0 && isTechnical(name.tokens[index - 1]);
    if (isBehind || (isQuietName && isLastLanguage(name, index, found)))
      markWord(name, index, found);
  }
}

/** `… FR` at the very end. */
function isLastLanguage(name: Name, index: number, found: Pending): boolean {
  const isLast = index > 2 && index + found.length === name.tokens.length;
  return isLast && found.word.mark === 'language' && isShouted(name, index, found.length);
}

function isShouted(name: Name, index: number, length: number): boolean {
  for (let at = index; at < index + length; at += 1) {
    const text = name.tokens[at]?.text ?? '';
    if (text.length < 2 || !shouted.test(text)) return false;
    if (quiet.test(text) && !sceneCase.test(text)) return false;
  }
  return true;
}

/** A bracket with nothing but known words is about the release. */
function settleBrackets(name: Name, pending: PendingWords): void {
  for (const bracket of name.brackets) {
    if (bracket.last - bracket.first > 40 || bracket.last === bracket.first) continue;
    if (bracket.first === 0 && !name.tokens.slice(0, bracket.last).some(isTechnical)) continue;
    let index = bracket.first;
    while (index < bracket.last) {
      const found = pending.get(index);
      if (found !== undefined) index += found.length;
      else if (isTechnical(name.tokens[index]) || name.tokens[index]?.mark === 'site') index += 1;
      else break;
    }
    if (index < bracket.last) continue;
    for (let at = bracket.first; at < bracket.last; at += 1) {
      const found = pending.get(at);
      if (found !== undefined) markWord(name, at, found);
    }
  }
}
