/** ASS and SSA as plain cues: text, line ends, bold, italics, underline and place. */
import { createDeadline } from '../limits.ts';
import { linesOf, settingsOf, type Cue, type ReadFormat } from './cue.ts';
import { alignmentIn, CueText, fromOldAlignment } from './markup.ts';
import { parseClock } from './times.ts';

interface Style {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly alignment: number;
}

const plain: Style = { isBold: false, isItalic: false, isUnderlined: false, alignment: 2 };
const usualEvent = ['layer', 'start', 'end', 'style', 'name'];
const mostStyles = 5000;

export const readAss: ReadFormat = (text) => {
  const check = createDeadline();
  const styles = new Map<string, Style>();
  const cues: Cue[] = [];
  let section = '[events]';
  let columns: readonly string[] = [...usualEvent, '', '', '', '', 'text'];
  for (const line of linesOf(text)) {
    check();
    if (line.startsWith('[')) {
      section = line.trim().toLowerCase();
      continue;
    }
    const [key = '', rest] = splitOnce(line);
    if (rest === undefined) continue;
    if (key === 'format') columns = rest.split(',').map((name) => name.trim().toLowerCase());
    else if (key === 'style' && styles.size < mostStyles) {
      addStyle(styles, valuesOf(rest, columns), !section.includes('+'));
    } else if (key === 'dialogue') cues.push(...eventOf(valuesOf(rest, columns), styles));
  }
  return joined(cues);
};

function splitOnce(line: string): readonly [key?: string, rest?: string] {
  const colon = line.indexOf(':');
  if (colon < 0 || colon > 20) return [];
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trimStart()];
}

/** The last column takes the rest of the line, with its commas. */
function valuesOf(rest: string, columns: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let at = 0;
  for (const [index, column] of columns.entries()) {
    const comma = index === columns.length - 1 ? -1 : rest.indexOf(',', at);
    values.set(column, rest.slice(at, comma < 0 ? rest.length : comma));
    if (comma < 0) break;
    at = comma + 1;
  }
  return values;
}

function addStyle(
  styles: Map<string, Style>,
  values: ReadonlyMap<string, string>,
  isOld: boolean,
): void {
  const isSet = (name: string): boolean => Number(values.get(name) ?? 0) !== 0;
  const alignment = Number(values.get('alignment') ?? 2);
  styles.set(styleName(values.get('name')), {
    isBold: isSet('bold'),
    isItalic: isSet('italic'),
    isUnderlined: isSet('underline'),
    alignment: isOld ? fromOldAlignment(alignment) : within(alignment),
  });
}

const within = (place: number): number => (place >= 1 && place <= 9 ? Math.trunc(place) : 2);

const styleName = (name = ''): string => name.trim().replace(/^\*+/, '').toLowerCase();

function eventOf(
  values: ReadonlyMap<string, string>,
  styles: ReadonlyMap<string, Style>,
): readonly Cue[] {
  const startMs = parseClock(values.get('start') ?? '');
  const endMs = parseClock(values.get('end') ?? '');
  if (startMs === undefined || endMs === undefined) return [];
  const style = styles.get(styleName(values.get('style'))) ?? plain;
  const { text, alignment } = readEventText(values.get('text') ?? '', style);
  if (text === '') return [];
  return [{ startMs, endMs, text, settings: settingsOf(alignment ?? style.alignment) }];
}

const piece = /\{([^{}]{0,5000})\}|\\([Nnh])/g;

function readEventText(source: string, style: Style) {
  const made = new CueText();
  applyStyle(made, style);
  let alignment: number | undefined;
  let isDrawing = false;
  let at = 0;
  const add = (text: string): void => (isDrawing ? undefined : made.add(text));
  for (const found of source.matchAll(piece)) {
    add(source.slice(at, found.index));
    at = found.index + found[0].length;
    const [, tags, escaped] = found;
    if (escaped === 'N') made.break();
    else if (escaped !== undefined) add(escaped === 'h' ? '\u00a0' : ' ');
    else if (tags !== undefined) {
      alignment ??= alignmentIn(tags);
      isDrawing = drawingAfter(tags, isDrawing);
      applyTags(made, tags, style);
    }
  }
  add(source.slice(at));
  return { text: made.finish(), alignment };
}

/** In drawing mode the text is a list of points. */
function drawingAfter(tags: string, isDrawing: boolean): boolean {
  const mode = [...tags.matchAll(/\\p(\d{1,2})/g)].at(-1)?.[1];
  return mode === undefined ? isDrawing : Number(mode) > 0;
}

function applyTags(made: CueText, tags: string, style: Style): void {
  for (const [, name = '', value = ''] of tags.matchAll(/\\(r|[biu])([^\\]{0,100})/g)) {
    if (name === 'r') applyStyle(made, style);
    else if (/^\d*\s*$/.test(value)) {
      const usual = { b: style.isBold, i: style.isItalic, u: style.isUnderlined }[name] ?? false;
      // A number above 1 is the weight of the font; 400 is not bold.
      made.set(name, value.trim() === '' ? usual : Number(value) === 1 || Number(value) > 500);
    }
  }
}

function applyStyle(made: CueText, { isBold, isItalic, isUnderlined }: Style): void {
  made.set('b', isBold);
  made.set('i', isItalic);
  made.set('u', isUnderlined);
}

/** Frames: a text that moves is one event per frame, and layers repeat it at the same time. */
const gapMs = 60;

/** Joins events of the same text that follow each other or have the same time. */
function joined(cues: readonly Cue[]): readonly Cue[] {
  const lastOf = new Map<string, number>();
  const made: Cue[] = [];
  for (const cue of cues.toSorted((one, other) => one.startMs - other.startMs)) {
    const key = `${cue.settings ?? ''} ${cue.text}`;
    const at = lastOf.get(key);
    const last = at === undefined ? undefined : made[at];
    if (at !== undefined && last !== undefined && cue.startMs <= last.endMs + gapMs) {
      made[at] = { ...last, endMs: Math.max(last.endMs, cue.endMs) };
      continue;
    }
    lastOf.set(key, made.length);
    made.push(cue);
  }
  return made;
}
