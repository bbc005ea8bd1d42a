/** SubRip, and the many texts that are nearly SubRip: only the lines with times count. */
import { linesOf, settingsOf, type Cue, type ReadFormat } from './cue.ts';
import { createDeadline } from '../limits.ts';
import { readMarkup } from './markup.ts';
import { clock, parseClock } from './times.ts';

const timing = new RegExp(String.raw`^\s*(${clock})\s*-{1,3}\s?>\s*(${clock})`);

/** Reads SubRip. Numbers, empty lines and their order do not matter. */
export const readSrt: ReadFormat = (text) => {
  const check = createDeadline();
  const cues: Cue[] = [];
  let times: readonly [start: number, end: number] | undefined;
  let lines: string[] = [];
  const finish = (): void => {
    if (times === undefined) return;
    const { text: shown, alignment } = readMarkup(lines.join('\n'));
    if (shown !== '') {
      cues.push({
        startMs: times[0],
        endMs: times[1],
        text: shown,
        settings: settingsOf(alignment),
      });
    }
  };
  for (const line of linesOf(text)) {
    check();
    const found = line.includes('>') ? timing.exec(line.slice(0, 200)) : null;
    const [start, end] = [parseClock(found?.[1] ?? ''), parseClock(found?.[2] ?? '')];
    if (start === undefined || end === undefined) {
      if (times !== undefined) lines.push(line);
      continue;
    }
    withoutNumber(lines);
    finish();
    times = [start, end];
    lines = [];
  }
  finish();
  return cues;
};

const number = /^\s*#?\d{1,9}[.:]?\s*$/;

/**
 * The number of the next cue stands directly before its times. Behind an empty line, all numbers are
 * numbers of cues; without one, the last is.
 */
function withoutNumber(lines: string[]): void {
  const blank = lines.findLastIndex((line) => line.trim() === '');
  if (blank >= 0 && lines.slice(blank).every((line) => line.trim() === '' || number.test(line))) {
    lines.length = blank;
  } else if (number.test(lines.at(-1) ?? '')) lines.pop();
}
