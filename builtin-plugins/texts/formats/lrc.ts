/** LRC: lines of lyrics, each with one or several times in front. */
import { createDeadline } from '../limits.ts';
import { linesOf, type Cue, type ReadFormat } from './cue.ts';
import { CueText } from './markup.ts';

export interface LyricLine {
  readonly startMs: number;
  readonly text: string;
}

/** Minutes and seconds; hours only before a point, since `[01:02:03]` has hundredths behind a colon. */
const stamp = /^\s*\[(?:(\d{1,2}):(?=\d{1,2}:\d{1,2}\.))?(\d{1,4}):(\d{1,2})(?:[.:](\d{1,3}))?\]/;
const wordStamp = /<\d{1,4}:\d{1,2}(?:[.:]\d{1,3})?>\s?/g;
const header = /^\s*\[(ti|ar|al|au|by|re|ve|la|tool|length|offset|id|lr)\s*:([^\]]{0,500})\]\s*$/i;
const mostStamps = 200;
const mostLines = 5000;
const longestLine = 1000;

/** The lines with times, in the order of time; an empty line ends the one before it. */
export function readSynced(text: string): readonly LyricLine[] {
  const check = createDeadline();
  const lines: LyricLine[] = [];
  let offsetMs = 0;
  for (const line of linesOf(text)) {
    check();
    const [, key = '', value = ''] = header.exec(line) ?? [];
    if (key.toLowerCase() === 'offset') offsetMs = Number.parseInt(value, 10) || 0;
    const { times, rest } = stampsOf(line);
    for (const time of times) {
      if (lines.length < mostLines) lines.push({ startMs: time, text: shownLine(rest) });
    }
  }
  // A positive offset shows the lines earlier.
  return lines
    .map(({ startMs, text: shown }) => ({ startMs: Math.max(0, startMs - offsetMs), text: shown }))
    .sort((one, other) => one.startMs - other.startMs);
}

/** The lines without times, headers and empty lines at the ends. */
export function readPlain(text: string): readonly LyricLine[] {
  const lines = linesOf(text)
    .filter((line) => !header.test(line))
    .slice(0, mostLines)
    .map((line) => shownLine(stampsOf(line).rest));
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, last + 1).map((line) => ({ startMs: 0, text: line }));
}

/** How long the last line is shown. */
const lastMs = 5000;

/** Lyrics as cues, each until the next one. */
export const readLrc: ReadFormat = (text) => {
  const lines = readSynced(text);
  return lines.flatMap(({ startMs, text: shown }, at): readonly Cue[] => {
    const next = lines.slice(at + 1, at + 1 + mostStamps).find((line) => line.startMs > startMs);
    const made = new CueText();
    made.add(shown);
    const cueText = made.finish();
    const endMs = next?.startMs ?? startMs + lastMs;
    return cueText === '' ? [] : [{ startMs, endMs, text: cueText }];
  });
};

function stampsOf(line: string): { readonly times: readonly number[]; readonly rest: string } {
  const times: number[] = [];
  let rest = line.slice(0, longestLine * 4);
  for (let found = stamp.exec(rest); found && times.length < mostStamps; found = stamp.exec(rest)) {
    const [whole, hours = 0, minutes, seconds, fraction = ''] = found;
    const ms = Number(fraction.padEnd(3, '0'));
    times.push(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + ms);
    rest = rest.slice(whole.length);
  }
  return { times, rest };
}

const shownLine = (line: string): string =>
  line
    .replace(wordStamp, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '')
    .toWellFormed()
    .trim()
    .slice(0, longestLine);
