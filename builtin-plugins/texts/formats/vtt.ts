/** WebVTT, written again: styles, regions and notes are left out, and settings are checked. */
import { createDeadline } from '../limits.ts';
import { linesOf, type Cue, type ReadFormat } from './cue.ts';
import { readMarkup } from './markup.ts';
import { clock, parseClock } from './times.ts';

const timing = new RegExp(String.raw`^\s*(${clock})\s*-->\s*(${clock})(.*)$`);
const number = String.raw`-?\d{1,4}(?:\.\d{1,6})?`;
const setting = new RegExp(
  [
    'vertical:(?:rl|lr)',
    `line:${number}%?(?:,(?:start|center|end))?`,
    `position:${number}%(?:,(?:line-left|center|line-right))?`,
    `size:${number}%`,
    'align:(?:start|center|end|left|right)',
  ]
    .map((one) => `^${one}$`)
    .join('|'),
);

export const readVtt: ReadFormat = (text) => {
  const check = createDeadline();
  const cues: Cue[] = [];
  const lines = linesOf(text);
  for (let at = 0; at < lines.length; at++) {
    check();
    const line = lines[at] ?? '';
    const found = line.includes('-->') ? timing.exec(line.slice(0, 500)) : null;
    if (found === null) continue;
    const [, start = '', end = '', rest = ''] = found;
    const payload: string[] = [];
    while (at + 1 < lines.length && isPayload(lines[at + 1] ?? '')) payload.push(lines[++at] ?? '');
    const [startMs, endMs] = [parseClock(start), parseClock(end)];
    const { text: shown } = readMarkup(withSpeakers(payload.join('\n')));
    if (startMs === undefined || endMs === undefined || shown === '') continue;
    const settings = rest.split(/\s+/).filter((one) => setting.test(one));
    cues.push({
      startMs,
      endMs,
      text: shown,
      settings: settings.length === 0 ? undefined : settings.join(' '),
    });
  }
  return cues;
};

const isPayload = (line: string): boolean => line.trim() !== '' && !line.includes('-->');

/** Some browsers do not show who speaks, so the name becomes text where several speak. */
const withSpeakers = (text: string): string => {
  const speakers = text.match(/<v[\s.]/g)?.length ?? 0;
  return speakers > 1 ? text.replace(/<v[^\s<>]{0,100}\s+([^<>]{1,100})>/g, '$1: ') : text;
};
