import { knownWords } from './known-words.ts';
import { isTechnical, setMark } from './marks.ts';
import { markPicture, markResolution } from './resolution.ts';
import { gapBefore, type Name, type Token } from './tokens.ts';

const size = /^\d+(?:mb|gb|mib|gib|kbps|kbit|kbits|mbps|mbit|mbits|fps|hz|khz|bit|bits)$/;
const glued = /^(.+?)(x26[45]|h26[45]|xvid|divx|1080p|720p|480p|bluray|webrip)$/;
const audio =
  /^(?:\d?x?(aac|e?ac3|ddpa?|dda?|dts|flac|truehd|opus|atmos|lpcm|pcm|mp3|he)(?:lc|hd|ma|d|es|x\d|v\d|\d{1,3}k?)?\d?|[1-9]\d?ch|\dx?audio)$/;

/** Words that follow a pattern and are not in a table. Returns how many more tokens belong to it. */
export function markPattern(name: Name, index: number, token: Token): number {
  const { key } = token;
  if (token.value >= 0) return markDecimal(name, index, token);
  if (!token.hasDigit || key.length > 20) return 0;
  if (markResolution(name, index, key)) return 0;
  if (size.test(key)) setMark(name, index, 'size');
  else {
    const sound = audio.exec(key);
    if (sound !== null) return markChannels(name, index, meaningOf(sound[1]));
    markGlued(name, index, key);
  }
  return 0;
}

/** `DD5.1`, `AAC2.0`: the digit after the point belongs to it. */
function markChannels(name: Name, index: number, codec: string): number {
  setMark(name, index, 'audio', codec);
  const isSplit =
    /[1-9]$/.test(name.tokens[index]?.key ?? '') && gapBefore(name, index + 1) === '.';
  if (!isSplit || !/^[0-2]$/.test(name.tokens[index + 1]?.text ?? '')) return 0;
  setMark(name, index + 1, 'audio');
  return 1;
}

function meaningOf(word: string | undefined): string {
  return knownWords.meaningOf(word ?? '')?.meaning ?? '';
}

function markGlued(name: Name, index: number, key: string): void {
  const parts = glued.exec(key);
  if (parts === null) return;
  const head = knownWords.meaningOf(parts[1] ?? '');
  if (head === undefined) return;
  const lines = /^\d+p$/.test(parts[2] ?? '') ? parts[2] : undefined;
  if (lines === undefined) setMark(name, index, head.mark, head.meaning);
  else setMark(name, index, 'resolution', lines);
}

/** `5.1` and `1.4 GB`: numbers with a point between them. */
function markDecimal(name: Name, index: number, token: Token): number {
  const next = name.tokens[index + 1];
  if (next === undefined) return 0;
  const isBeside = gapBefore(name, index + 1).length <= 1;
  if (isBeside && /^(?:mb|gb|mib|gib|kbps|mbps|fps|bit|bits|ch)$/.test(next.key)) {
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
  const isBehindSound =
    isTechnical(name.tokens[index - 1]) || isKnownWord(name, index - 1) || next.key.endsWith('ch');
  if (isChannels && (isBehindSound || isAudioWord(third))) {
    setMark(name, index, 'audio');
    setMark(name, index + 1, 'audio');
    return 1;
  }
  return 0;
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
  return knownWords.meaningOf(key ?? '') !== undefined;
}

function isAudioWord(token: Token | undefined): boolean {
  if (token === undefined) return false;
  const found = knownWords.meaningOf(token.key);
  return found !== undefined && found.strength === 'certain' && found.mark !== 'noise';
}
