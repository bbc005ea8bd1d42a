/** The format of YouTube: a line with two times, then the text. */
import { linesOf, type Cue, type ReadFormat } from './cue.ts';
import { readMarkup } from './markup.ts';
import { clock, parseClock } from './times.ts';

const timing = new RegExp(`^(${clock}),(${clock})$`);

export const readSbv: ReadFormat = (text) => {
  const cues: Cue[] = [];
  let times: readonly string[] | undefined;
  let lines: string[] = [];
  for (const line of [...linesOf(text), '']) {
    const found = timing.exec(line.trim().slice(0, 100));
    if (found !== null) times = found;
    else if (line.trim() !== '') lines.push(line);
    else {
      const [, start = '', end = ''] = times ?? [];
      const [startMs, endMs] = [parseClock(start), parseClock(end)];
      const { text: shown } = readMarkup(lines.join('\n'));
      if (startMs !== undefined && endMs !== undefined && shown !== '') {
        cues.push({ startMs, endMs, text: shown });
      }
      [times, lines] = [undefined, []];
    }
  }
  return cues;
};
