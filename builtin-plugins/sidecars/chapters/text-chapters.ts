/** Chapters in plain texts: OGM (`CHAPTER01=…`), lists of times and titles, and FFmpeg's metadata. */
import { linesOf } from '../texts/lines.ts';
import { toMillisecond, toSeconds, type ChapterMark } from './chapter-times.ts';

/** Reads any of the three; empty for other texts. */
export function readTextChapters(text: string): readonly ChapterMark[] {
  const lines = linesOf(text).filter((line) => line !== '');
  if (lines[0]?.startsWith(';FFMETADATA') === true) return readFfmpeg(lines);
  return lines.some((line) => /^CHAPTER\d{1,4}=/i.test(line)) ? readOgm(lines) : readList(lines);
}

/** `CHAPTER01=00:00:00.000` and `CHAPTER01NAME=Intro`. */
function readOgm(lines: readonly string[]): readonly ChapterMark[] {
  const found = new Map<string, { start?: number; title?: string }>();
  for (const line of lines) {
    const [, number = '', word, value = ''] = /^CHAPTER(\d{1,4})(NAME)?=(.*)$/i.exec(line) ?? [];
    if (number === '') continue;
    const chapter = found.get(number) ?? {};
    found.set(number, chapter);
    if (word !== undefined) chapter.title = value;
    else {
      const start = toSeconds(value);
      if (start !== undefined) chapter.start = start;
    }
  }
  return [...found.values()].flatMap(({ start, title }) =>
    start === undefined ? [] : [{ start, title }],
  );
}

/** `00:00:00.000 Intro`, one a line, as mp4chaps writes; a text with any other line does not count. */
function readList(lines: readonly string[]): readonly ChapterMark[] {
  const marks: ChapterMark[] = [];
  for (const line of lines) {
    if (line.startsWith('#')) continue;
    const [, time, title = ''] = /^([\d:.,]{4,20})(?:\s+[-–]?\s*(.*))?$/.exec(line) ?? [];
    const start = toSeconds(time);
    if (start === undefined) return [];
    marks.push({ start, title });
  }
  return marks.length > 1 ? marks : [];
}

/** `[CHAPTER]`, `TIMEBASE=1/1000`, `START=0`, `END=1000`, `title=Intro`. */
function readFfmpeg(lines: readonly string[]): readonly ChapterMark[] {
  const marks: { start?: number; end?: number; title?: string; base: number }[] = [];
  let isChapter = false;
  for (const line of lines) {
    if (line.startsWith('[')) {
      isChapter = line.toUpperCase() === '[CHAPTER]';
      if (isChapter) marks.push({ base: 1e-9 });
      continue;
    }
    const chapter = isChapter ? marks.at(-1) : undefined;
    const equals = line.indexOf('=');
    if (chapter === undefined || equals === -1) continue;
    const value = line.slice(equals + 1);
    const key = line.slice(0, equals).toLowerCase();
    if (key === 'timebase') chapter.base = toBase(value);
    else if (key === 'title') chapter.title = value.replace(/\\([=;#\\])/g, '$1');
    else if ((key === 'start' || key === 'end') && /^\d{1,15}$/.test(value))
      chapter[key] = Number(value);
  }
  return marks.flatMap(({ start, end, title, base }) =>
    start === undefined
      ? []
      : [
          {
            start: toMillisecond(start * base),
            end: end === undefined ? undefined : toMillisecond(end * base),
            title,
          },
        ],
  );
}

function toBase(value: string): number {
  const [, above, below] = /^(\d{1,9})\/(\d{1,9})$/.exec(value.trim()) ?? [];
  return Number(below) > 0 ? Number(above) / Number(below) : 1e-9;
}
