/** ASS as it is, without what is not text: embedded fonts, pictures and data of editors. */
import { createDeadline } from '../limits.ts';
import { malformed, unsupported } from '../text-error.ts';
import { linesOf } from './cue.ts';
import { formatOf } from './read-cues.ts';
import { parseClock } from './times.ts';

const kept: ReadonlySet<string> = new Set([
  '[script info]',
  '[v4 styles]',
  '[v4+ styles]',
  '[v4++ styles]',
  '[events]',
]);

/**
 * Only the sections of a script, styles and events, without control characters. `shiftMs` is added to
 * the times of its events; what ends before 0 is left out.
 */
export function passAss(text: string, shiftMs = 0): string {
  if (formatOf(text) !== 'ass') throw unsupported('The text is not ASS; ask for .vtt.');
  const check = createDeadline();
  const lines: string[] = [];
  let isKept = false;
  let columns: readonly string[] = ['layer', 'start', 'end'];
  for (const line of linesOf(text)) {
    check();
    if (/^\[[^\]]{1,60}\]\s*$/.test(line)) isKept = kept.has(line.trim().toLowerCase());
    if (!isKept) continue;
    const clean = line.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '');
    const [, format] = /^format\s*:(.*)$/i.exec(clean) ?? [];
    if (format !== undefined) columns = format.split(',').map((name) => name.trim().toLowerCase());
    const moved = shiftMs === 0 ? clean : shifted(clean, columns, shiftMs);
    if (moved !== undefined) lines.push(moved);
  }
  if (lines.length === 0) throw malformed('The text has no section of ASS.');
  return `${lines.join('\n').toWellFormed()}\n`;
}

/** The line with its times shifted; `undefined` = it is over before it begins. */
function shifted(line: string, columns: readonly string[], shiftMs: number): string | undefined {
  const [, head, rest] = /^((?:dialogue|comment)\s*:\s*)(.*)$/i.exec(line) ?? [];
  if (head === undefined || rest === undefined) return line;
  const fields = rest.split(',');
  for (const name of ['start', 'end']) {
    const at = columns.indexOf(name);
    const ms = at === -1 ? undefined : parseClock(fields[at] ?? '');
    if (ms === undefined) return line;
    if (name === 'end' && ms + shiftMs <= 0) return undefined;
    fields[at] = clockOf(Math.max(0, ms + shiftMs));
  }
  return head + fields.join(',');
}

/** `0:01:02.03`. */
function clockOf(ms: number): string {
  const hundredths = Math.round(ms / 10);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [minutes, seconds] = [Math.floor(hundredths / 6000), Math.floor(hundredths / 100) % 60];
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds)}.${two(hundredths % 100)}`;
}
