/**
 * The tags in the text of an ASS event: only known ones, each number within its bounds, written again.
 * assjs writes names of fonts into styles and believes each number, so no tag reaches it as it was.
 */

import { createKaraoke, isOfEvent, lettersOf, type TextColours } from './karaoke.ts';

/** What stands behind the names in a script. */
export interface ScriptNames {
  /** The family to write for the name of a font. It must not contain quotes, commas or backslashes. */
  readonly fontOf: (name: string) => string;
  /** The name to write for a style; `undefined` = the script has no such style. */
  readonly styleOf: (name: string) => string | undefined;
  /** The colours of a style by the name that was written. */
  readonly coloursOf: (written: string) => TextColours;
}

export interface TextEvent {
  /** The name of its style as it was written. */
  readonly style: string;
  /** How long it is shown. */
  readonly lastMs: number;
}

/** A text that was written again. */
export interface SafeText {
  readonly text: string;
  /** How much it is to draw: 1 for a line of text. */
  readonly cost: number;
}

type Bounds = readonly [least: number, most: number];

/** Tags of one number. */
const numbers: Readonly<Record<string, Bounds>> = {
  b: [0, 900],
  i: [0, 1],
  u: [0, 1],
  s: [0, 1],
  q: [0, 3],
  p: [0, 6],
  pbo: [-2000, 2000],
  a: [1, 11],
  an: [1, 9],
  fsp: [-200, 200],
  fscx: [0, 1000],
  fscy: [0, 1000],
  fax: [-5, 5],
  fay: [-5, 5],
  fr: [-3600, 3600],
  frx: [-3600, 3600],
  fry: [-3600, 3600],
  frz: [-3600, 3600],
  be: [0, 20],
  blur: [0, 50],
  bord: [0, 60],
  xbord: [0, 60],
  ybord: [0, 60],
  shad: [0, 200],
  xshad: [-200, 200],
  yshad: [-200, 200],
};
const changing = /^(fsp|fsc[xy]|fa[xy]|fr[xyz]?|be|blur|[xy]?bord|[xy]?shad)$/;
const place: Bounds = [-20_000, 20_000];
const milliseconds: Bounds = [0, 3_600_000];
const size: Bounds = [1, 1000];

const named = new RegExp(
  `^(${Object.keys(numbers)
    .sort((one, other) => other.length - one.length)
    .join('|')})(-?\\d{1,9}(?:\\.\\d{0,9})?)`,
);
const listed = /^(pos|org|move|fade|fad|clip|iclip)\s*\(([^()]{0,20000})\)?/;
const lengths: Readonly<Record<string, readonly number[]>> = {
  pos: [2],
  org: [2],
  move: [4, 6],
  fad: [2],
  fade: [7],
  clip: [4],
  iclip: [4],
};

const mostText = 5000;
const mostParts = 200;
const mostChanges = 60;
/** Each makes the text up to twice as large as the one before. */
const mostGrowth = 3;
/** Above this a change of its own speed would be a list of thousands of points. */
const longestCurveMs = 10_000;

/** A number within bounds, with three decimals; `undefined` = it is none. */
export function within(text: string, [least, most]: Bounds): number | undefined {
  const found = /^[+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})$/.exec(text.trim());
  if (found === null) return undefined;
  return Math.round(Math.min(most, Math.max(least, Number(found[0]))) * 1000) / 1000;
}

function allWithin(text: string, bounds: (at: number) => Bounds): readonly number[] | undefined {
  const values = text.split(',').map((part, at) => within(part, bounds(at)));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Lines and curves: letters and numbers, nothing else. */
function safeDrawing(text: string): string {
  const parts = text.matchAll(/[mnlbspc]|-?\d{1,9}(?:\.\d{1,3})?/gi);
  return [...parts].map(([part]) => within(part, place) ?? part.toLowerCase()).join(' ');
}

/** Tags of a block, split where no bracket is open. */
function split(block: string): readonly string[] {
  const tags: string[] = [];
  let [from, depth] = [block.indexOf('\\'), 0];
  if (from === -1) return [];
  for (let at = from + 1; at <= block.length; at += 1) {
    const letter = block[at];
    if (letter === '(') depth += 1;
    if (letter === ')') depth = Math.max(0, depth - 1);
    if (letter !== undefined && !(letter === '\\' && depth === 0)) continue;
    tags.push(block.slice(from + 1, at).trim());
    from = at;
  }
  return tags;
}

/** What was written so far. */
interface Written {
  changes: number;
  growth: number;
}

/** Tags that may stand in `\t(…)` and outside of it. */
function changingTag(tag: string, written: Written): string | undefined {
  const [, name = '', value = ''] = named.exec(tag) ?? [];
  const bounds = changing.test(name) ? numbers[name] : undefined;
  if (bounds !== undefined) return `\\${name}${within(value, bounds) ?? 0}`;
  const grown = /^fs([+-]?)(\d{1,9}(?:\.\d{0,9})?)/.exec(tag);
  if (grown !== null) {
    const [, sign = '', number = ''] = grown;
    if (sign === '') return `\\fs${within(number, size) ?? 20}`;
    written.growth += 1;
    return written.growth > mostGrowth ? undefined : `\\fs${sign}${within(number, [0, 9]) ?? 0}`;
  }
  const [, which, hue] = /^([1-4]?)c(?:&H?|H)?([0-9a-f]{1,8})/i.exec(tag) ?? [];
  if (which !== undefined && hue !== undefined)
    return `\\${which || 1}c&H${hue.slice(-6).padStart(6, '0')}&`;
  const [, part, veil] = /^(alpha|[1-4]a)(?:&H?|H)?([0-9a-f]{1,8})/i.exec(tag) ?? [];
  if (part !== undefined && veil !== undefined)
    return `\\${part.toLowerCase()}&H${veil.slice(-2).padStart(2, '0')}&`;
  return undefined;
}

function listTag(tag: string): string | undefined {
  const [, name = '', list = ''] = listed.exec(tag) ?? [];
  const isClip = name.endsWith('clip');
  const isTime = (at: number): boolean =>
    name === 'fad' || (name === 'fade' && at > 2) || (name === 'move' && at > 3);
  const values = allWithin(list, (at) =>
    isTime(at) ? milliseconds : name === 'fade' ? [0, 255] : place,
  );
  if (values !== undefined && lengths[name]?.includes(values.length) === true)
    return `\\${name}(${values.join(',')})`;
  if (!isClip) return undefined;
  const [first = '', second] = list.split(',');
  const scale = second === undefined ? 1 : (within(first, [1, 6]) ?? 1);
  return `\\${name}(${Math.round(scale)},${safeDrawing(second ?? first)})`;
}

function change(tag: string, lastMs: number, written: Written): string | undefined {
  const inner = /^t\s*\(([^]*?)\)?$/.exec(tag)?.[1];
  const start = inner?.indexOf('\\') ?? -1;
  if (inner === undefined || start === -1) return undefined;
  written.changes += 1;
  if (written.changes > mostChanges) return undefined;
  const head = inner.slice(0, start).split(',');
  const given = head.map((part) => part.trim()).filter((part) => part !== '');
  const times = given.length >= 2 ? given.slice(0, 2) : [];
  const [from = 0, to = lastMs] = times.map((time) => within(time, [0, lastMs]) ?? 0);
  const last = Math.max(from + 1, to);
  const speed = given.length % 2 === 1 ? (within(given.at(-1) ?? '', [0.1, 10]) ?? 1) : 1;
  const curve = last - from > longestCurveMs ? 1 : speed;
  const tags = split(inner.slice(start)).map((one) => {
    const list = one.startsWith('clip(') ? listTag(one) : undefined;
    return list?.split(',').length === 4 ? list : changingTag(one, written);
  });
  return `\\t(${from},${last},${curve},${tags.filter((one) => one !== undefined).join('')})`;
}

function safeTag(
  tag: string,
  names: ScriptNames,
  lastMs: number,
  written: Written,
): string | undefined {
  if (/^t\s*\(/.test(tag)) return change(tag, lastMs, written);
  if (tag.startsWith('fn')) {
    const name = tag.slice(2).trim();
    return name === '' ? undefined : `\\fn${names.fontOf(name)}`;
  }
  if (/^(pos|org|move|fad|fade|i?clip)\s*\(/.test(tag)) return listTag(tag);
  const [, name = '', value = ''] = named.exec(tag) ?? [];
  const bounds = numbers[name];
  if (bounds !== undefined && !changing.test(name)) {
    const number = within(value, bounds) ?? 0;
    return `\\${name}${name === 'b' ? number : Math.round(number)}`;
  }
  const found = changingTag(tag, written);
  if (found !== undefined) return found;
  return tag.startsWith('r') ? `\\r${names.styleOf(tag.slice(1).trim()) ?? ''}` : undefined;
}

/** The mode of drawing after tags: 0 = text. */
function drawingAfter(tags: readonly string[], before: boolean): boolean {
  const last = tags.findLast((tag) => /^\\p\d/.test(tag));
  return last === undefined ? before : last !== '\\p0';
}

// oxlint-disable-next-line no-control-regex -- text must not contain what CSS takes for the end of a line
const unwanted = /[{}\u0000-\u001f\u007f-\u009f]/g;

/**
 * Writes the text of an event again; `null` = there is nothing to see, or more than an event may have.
 */
export function safeText(
  source: string,
  names: ScriptNames,
  { style, lastMs }: TextEvent,
): SafeText | null {
  const written: Written = { changes: 0, growth: 0 };
  const coloursOf = (named: string): TextColours => names.coloursOf(named || style);
  const karaoke = createKaraoke({ coloursOf, lastMs });
  const parts = source.split(/\{([^}]*)\}/);
  if (parts.length > 2 * mostParts) return null;
  let [text, cost, letters, isDrawing, isSeen] = ['', 1, 0, false, false];
  /** What the next text begins its later letters with, each. */
  let filling: readonly string[] = [];
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 1) {
      const tags = split(part).flatMap((tag) => {
        const safe = karaoke.take(tag) ? undefined : safeTag(tag, names, lastMs, written);
        if (safe !== undefined) karaoke.follow(safe);
        return safe ?? [];
      });
      isDrawing = drawingAfter(tags, isDrawing);
      const syllable = written.changes < mostChanges ? karaoke.begin() : undefined;
      const blocksAfter = (parts.length - at) / 2 - 1;
      const room = mostChanges - written.changes - blocksAfter;
      const sung = (parts[at + 1] ?? '').replace(unwanted, '');
      const count = syllable?.isFilled === true && !isDrawing ? lettersOf(sung, room).length : 1;
      const [first, ...rest] = Array.from({ length: count }, (_, letter) =>
        syllable?.tags(letter / count, (letter + 1) / count),
      );
      filling = rest.filter((one) => one !== undefined);
      if (syllable !== undefined) written.changes += count;
      const kept = first === undefined ? tags : [...tags.filter(isOfEvent), first];
      text += kept.length === 0 ? '' : `{${kept.join('')}}`;
      continue;
    }
    const shown = isDrawing ? safeDrawing(part) : part.replace(unwanted, '');
    if (shown === '') continue;
    if (filling.length === 0) text += shown;
    else
      for (const [letter, piece] of lettersOf(shown, filling.length + 1).entries())
        text += letter === 0 ? piece : `{${filling[letter - 1] ?? ''}}${piece}`;
    filling = [];
    isSeen ||= shown.trim() !== '';
    letters += isDrawing ? shown.length / 8 : shown.length;
    cost += 0.5;
    if (letters > mostText) return null;
  }
  return isSeen ? { text, cost: cost + letters / 400 + written.changes } : null;
}
