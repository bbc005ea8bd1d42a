/** `SYLT` of ID3v2: lyrics with times, as LRC. */
import { u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { utf16, utf8 } from '../../media-headers/bytes/text.ts';
import { decodeTogether } from '../../media-headers/charsets/decode-text.ts';

const mostLines = 5000;
/** Times as milliseconds; the other form counts frames of the sound. */
const inMilliseconds = 2;
/** Lyrics; the other kinds are chords, events and trivia. */
const lyricsType = 1;

/**
 * Encoding, language, form of the times, kind, description; then texts, each with its time behind
 * it. A text that begins with a line end begins a line, else it is a syllable of the one before.
 */
export function readSyncedLyrics(content: Uint8Array): string | undefined {
  if (content.length < 7) return undefined;
  const encoding = u8(content, 0);
  if (u8(content, 4) !== inMilliseconds || u8(content, 5) > lyricsType) return undefined;
  const isWide = encoding === 1 || encoding === 2;
  const found: { readonly time: number; readonly bytes: Uint8Array }[] = [];
  let at = endOfText(content, 6, isWide).next;
  while (at < content.length && found.length < mostLines) {
    const { end, next } = endOfText(content, at, isWide);
    if (next + 4 > content.length) break;
    found.push({ time: u32(content, next), bytes: content.subarray(at, end) });
    at = next + 4;
  }
  const decode = decoderOf(encoding, found);
  const lines = found.map(({ time, bytes }) => ({ time, text: decode(bytes) }));
  const hasBreaks = lines.slice(1).some(({ text }) => /^[\r\n]/.test(text));
  return lines.length === 0 ? undefined : toLrc(hasBreaks ? joined(lines) : lines);
}

function endOfText(bytes: Uint8Array, from: number, isWide: boolean) {
  const step = isWide ? 2 : 1;
  for (let at = from; at + step <= bytes.length; at += step) {
    if (bytes[at] === 0 && (!isWide || bytes[at + 1] === 0)) return { end: at, next: at + step };
  }
  return { end: bytes.length, next: bytes.length };
}

function decoderOf(
  encoding: number,
  lines: readonly { readonly bytes: Uint8Array }[],
): (bytes: Uint8Array) => string {
  if (encoding === 1) return utf16;
  if (encoding === 2) return (bytes) => utf16(bytes, 'be');
  return encoding === 3 ? utf8 : decodeTogether(lines.map(({ bytes }) => bytes));
}

type Line = { readonly time: number; readonly text: string };

function joined(parts: readonly Line[]): readonly Line[] {
  const lines: { time: number; text: string }[] = [];
  for (const { time, text } of parts) {
    const last = lines.at(-1);
    if (last === undefined || /^[\r\n]/.test(text)) lines.push({ time, text });
    else last.text += text;
  }
  return lines;
}

const toLrc = (lines: readonly Line[]): string =>
  lines.map(({ time, text }) => `${stamp(time)}${text.replace(/\s+/g, ' ').trim()}`).join('\n');

function stamp(ms: number): string {
  const minutes = String(Math.floor(ms / 60_000)).padStart(2, '0');
  return `[${minutes}:${((ms % 60_000) / 1000).toFixed(3).padStart(6, '0')}]`;
}
