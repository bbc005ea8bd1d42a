/** ASS as it is, without what is not text: embedded fonts, pictures and data of editors. */
import { createDeadline } from '../limits.ts';
import { malformed, unsupported } from '../text-error.ts';
import { linesOf } from './cue.ts';
import { formatOf } from './read-cues.ts';

const kept: ReadonlySet<string> = new Set([
  '[script info]',
  '[v4 styles]',
  '[v4+ styles]',
  '[v4++ styles]',
  '[events]',
]);

/** Only the sections of a script, styles and events, without control characters. */
export function passAss(text: string): string {
  if (formatOf(text) !== 'ass') throw unsupported('The text is not ASS; ask for .vtt.');
  const check = createDeadline();
  const lines: string[] = [];
  let isKept = false;
  for (const line of linesOf(text)) {
    check();
    if (/^\[[^\]]{1,60}\]\s*$/.test(line)) isKept = kept.has(line.trim().toLowerCase());
    if (isKept) lines.push(line.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, ''));
  }
  if (lines.length === 0) throw malformed('The text has no section of ASS.');
  return `${lines.join('\n').toWellFormed()}\n`;
}
