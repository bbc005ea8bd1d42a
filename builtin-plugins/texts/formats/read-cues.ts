/** Finds the format of a text by its content, and reads its cues. */
import { checkCues } from '../limits.ts';
import { malformed, unsupported } from '../text-error.ts';
import { readAss } from './ass.ts';
import type { Cue, ReadFormat, ReadingHints } from './cue.ts';
import { readMicroDvd, readMpl2 } from './frames.ts';
import { readLrc } from './lrc.ts';
import { readSami } from './sami.ts';
import { readSbv } from './sbv.ts';
import { readSrt } from './srt.ts';
import { readTtml } from './ttml.ts';
import { readVtt } from './vtt.ts';

type Format = 'vtt' | 'ass' | 'sami' | 'ttml' | 'microdvd' | 'mpl2' | 'srt' | 'sbv' | 'lrc';

const readers: Readonly<Record<Format, ReadFormat>> = {
  vtt: readVtt,
  ass: readAss,
  sami: readSami,
  ttml: readTtml,
  microdvd: readMicroDvd,
  mpl2: readMpl2,
  srt: readSrt,
  sbv: readSbv,
  lrc: readLrc,
};

const signs: readonly (readonly [Format, RegExp])[] = [
  ['vtt', /^\s*WEBVTT/],
  ['sami', /<sami\b|<sync\b/i],
  ['ttml', /<(?:\w{1,20}:)?tt[\s>]/],
  ['ass', /^[ \t]*\[(?:script info|v4\+? styles|events)\]|^dialogue:/im],
  ['microdvd', /^[ \t]*\{-?\d{1,9}\}\{\d{0,9}\}/m],
  ['mpl2', /^[ \t]*\[\d{1,9}\]\[\d{0,9}\]/m],
  ['srt', /^[ \t]*[-\d:.,;]{3,20}[ \t]*-{1,3} ?>/m],
  ['sbv', /^[\d:.]{6,15},[\d:.]{6,15}[ \t]*$/m],
  ['lrc', /^[ \t]*\[\d{1,4}:\d{1,2}/m],
];

/** A text that begins with so much of another kind is not a subtitle. */
const headLength = 65_536;

/** The format of a text, by its content; `undefined` when it has no times. */
export function formatOf(text: string): Format | undefined {
  const head = text.slice(0, headLength).replaceAll('\r', '\n');
  return signs.find(([, sign]) => sign.test(head))?.[0];
}

/** How long a cue is shown that ends before it begins. */
const usualMs = 2000;
const latestMs = 1000 * 3600 * 1000;

/** The cues in the order of time, with whole milliseconds from 0, each ending after it begins. */
export function readCues(
  text: string,
  { format: name, ...hints }: ReadingHints & { readonly format: string },
): readonly Cue[] {
  const format = formatOf(text);
  if (format === undefined) {
    throw unsupported(`The text is named .${name} and has no times of a format that is converted.`);
  }
  const cues = readers[format](text, hints);
  checkCues(cues.length);
  const shown = cues.flatMap(inTime).sort((one, other) => one.startMs - other.startMs);
  if (shown.length === 0) throw malformed('The text has times and nothing to show.');
  return shown;
}

function inTime(cue: Cue): readonly Cue[] {
  const [start, end] = [Math.round(cue.startMs), Math.round(cue.endMs)];
  if (!Number.isFinite(start) || !Number.isFinite(end) || start > latestMs) return [];
  if (end <= start) return start < 0 ? [] : [{ ...cue, startMs: start, endMs: start + usualMs }];
  if (end <= 0) return [];
  return [{ ...cue, startMs: Math.max(0, start), endMs: Math.min(end, latestMs + usualMs) }];
}
