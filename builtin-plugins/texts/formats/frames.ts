/** Old formats with one cue a line: MicroDVD counts frames, MPL2 tenths of a second. */
import { createDeadline } from '../limits.ts';
import { linesOf, type Cue, type ReadFormat } from './cue.ts';
import { readMarkup } from './markup.ts';

const filmRate = 24_000 / 1001;

/** MicroDVD. The first line may give the frames per second as its text. */
export const readMicroDvd: ReadFormat = (text, { frameRate }) => {
  let rate = frameRate ?? filmRate;
  return readLines(text, /^\{(-?\d{1,9})\}\{(\d{0,9})\}(.*)$/, {
    toMs: (frame) => (frame / rate) * 1000,
    isRate: (start, shown) => {
      const given = start <= 1 && /^\s*\d{1,3}(?:\.\d{1,6})?\s*$/.test(shown) ? Number(shown) : 0;
      if (given >= 5 && given <= 300) rate = given;
      return given >= 5 && given <= 300;
    },
  });
};

export const readMpl2: ReadFormat = (text) =>
  readLines(text, /^\[(-?\d{1,9})\]\[(\d{0,9})\](.*)$/, {
    toMs: (tenths) => tenths * 100,
    isRate: () => false,
  });

function readLines(
  text: string,
  form: RegExp,
  {
    toMs,
    isRate,
  }: {
    readonly toMs: (count: number) => number;
    readonly isRate: (start: number, shown: string) => boolean;
  },
): readonly Cue[] {
  const check = createDeadline();
  const cues: Cue[] = [];
  for (const line of linesOf(text)) {
    check();
    const [, start = '', end = '', shown = ''] = form.exec(line.trim().slice(0, 10_000)) ?? [];
    if (start === '' || isRate(Number(start), shown)) continue;
    const { text: made } = readMarkup(shown.split('|').map(withStyle).join('\n'));
    const startMs = toMs(Number(start));
    if (made !== '') {
      cues.push({ startMs, endMs: end === '' ? startMs : toMs(Number(end)), text: made });
    }
  }
  return cues;
}

/** `{y:i}` and a slash in front make a line italic; other codes are left out. */
function withStyle(line: string): string {
  const codes = /^(?:\{[a-z]:[^{}]{0,100}\})+/i.exec(line)?.[0] ?? '';
  const rest = line.slice(codes.length);
  const isItalic = /\{y:[^}]*i/i.test(codes) || rest.startsWith('/');
  const shown = rest.replace(/^\//, '');
  const isBold = /\{y:[^}]*b/i.test(codes);
  const bold = isBold ? `<b>${shown}</b>` : shown;
  return isItalic ? `<i>${bold}</i>` : bold;
}
