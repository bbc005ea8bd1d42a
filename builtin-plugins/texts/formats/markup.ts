/**
 * Turns the markup of subtitle formats into WebVTT cue text. Guarantees for any input: each `&`, `<`
 * and `>` of the text is escaped, the only tags are `b i u ruby rt` without attributes, each is
 * closed in its order, and no line is empty. So no text of a file becomes markup of a page.
 */
import { maxCueLength } from '../limits.ts';

const kept: ReadonlySet<string> = new Set(['b', 'i', 'u', 'ruby', 'rt']);
const aliases: ReadonlyMap<string, string> = new Map([
  ['em', 'i'],
  ['strong', 'b'],
]);
const breaks: ReadonlySet<string> = new Set(['br', 'p', 'div']);
const deepest = 16;

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
  ['hellip', '…'],
  ['mdash', '—'],
  ['ndash', '–'],
]);

/** Builds cue text piece by piece. */
export class CueText {
  #made = '';
  #length = 0;
  readonly #open: string[] = [];

  /** Adds text; beyond the longest cue it is dropped. */
  add(text: string): void {
    const room = maxCueLength - this.#length;
    if (room <= 0 || text === '') return;
    const shown = text.length > room ? text.slice(0, room) : text;
    this.#length += shown.length;
    this.#made += escape(shown);
  }

  /** Ends the line. */
  break(): void {
    this.#made += '\n';
  }

  /** Opens a tag, if WebVTT has it. */
  open(name: string): void {
    if (!kept.has(name) || this.#open.length >= deepest || this.#open.includes(name)) return;
    this.#open.push(name);
    this.#made += `<${name}>`;
  }

  /** Closes a tag, and those that were opened within it. */
  close(name: string): void {
    const at = this.#open.lastIndexOf(name);
    if (at < 0) return;
    const inner = this.#open.splice(at + 1);
    for (const one of inner.toReversed()) this.#made += `</${one}>`;
    this.#open.pop();
    this.#made += `</${name}>`;
    for (const one of inner) this.open(one);
  }

  /** Opens or closes a tag. */
  set(name: string, isOn: boolean): void {
    if (isOn) this.open(name);
    else this.close(name);
  }

  /** The cue text, with all tags closed and without empty lines and empty tags. */
  finish(): string {
    this.#made = this.#made.trimEnd();
    for (const name of [...this.#open].reverse()) this.close(name);
    return this.#made
      .replace(/<(b|i|u)><\/\1>/g, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n')
      .toWellFormed();
  }
}

const escape = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Text with the character references of HTML replaced. */
export function withoutReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return named.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

const piece =
  /<!--[^<>]{0,500}-->|<(\/?)([a-z]{1,10})(?:[\s./][^<>]{0,500})?>|\{\\[^{}]{0,500}\}|<[\d:.]{1,20}>|\n/gi;

/** Reads the HTML of SubRip, WebVTT and SAMI. Unknown tags are left out, their text stays. */
export function readMarkup(markup: string): {
  readonly text: string;
  /** The place on a numeric keypad that `{\an8}` names. */
  readonly alignment: number | undefined;
} {
  const made = new CueText();
  const source = markup.slice(0, maxCueLength * 4);
  let alignment: number | undefined;
  let at = 0;
  for (const found of source.matchAll(piece)) {
    made.add(withoutReferences(source.slice(at, found.index)));
    at = found.index + found[0].length;
    const [whole, slash, word = ''] = found;
    const name = aliases.get(word.toLowerCase()) ?? word.toLowerCase();
    if (whole === '\n' || breaks.has(name)) made.break();
    else if (whole.startsWith('{')) alignment = alignmentIn(whole) ?? alignment;
    else if (name !== '') made.set(name, slash === '');
  }
  made.add(withoutReferences(source.slice(at)));
  return { text: made.finish(), alignment };
}

/** The place that tags of ASS name; the old tag `\a` counts 1 to 3 below, 5 to 7 above, 9 to 11 between. */
export function alignmentIn(tags: string): number | undefined {
  const place = /\\an([1-9])/.exec(tags)?.[1];
  if (place !== undefined) return Number(place);
  const old = /\\a(\d{1,2})/.exec(tags)?.[1];
  return old === undefined ? undefined : fromOldAlignment(Number(old));
}

/** The place on a numeric keypad of an alignment of SSA. */
export function fromOldAlignment(old: number): number {
  const across = old & 3 || 2;
  if ((old & 4) !== 0) return across + 6;
  return (old & 8) !== 0 ? across + 3 : across;
}
