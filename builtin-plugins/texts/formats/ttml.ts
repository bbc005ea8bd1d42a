/**
 * TTML and DFXP. Only what plain cues need is read: `p` and timed `span` with their times, line ends,
 * italics, bold, underline, and regions at the top. Elements are found in one pass, without entities
 * or references to other files, so a document cannot expand.
 */
import { createDeadline } from '../limits.ts';
import type { Cue, ReadFormat } from './cue.ts';
import { CueText, withoutReferences } from './markup.ts';
import { parseTtmlTime, type TtmlRates } from './ttml-time.ts';

const piece =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<(\/?)([\w:.-]{1,80})([^<>]*)>/g;
const attribute = /([\w:.-]{1,80})\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')/g;
const deepest = 100;

interface Open {
  readonly name: string;
  readonly isCue: boolean;
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly tags: readonly string[];
  readonly settings: string | undefined;
}

type Attributes = ReadonlyMap<string, string>;

export const readTtml: ReadFormat = (text) => {
  const reader = new TtmlReader(ratesOf(text));
  const check = createDeadline();
  let at = 0;
  for (const found of text.matchAll(piece)) {
    check();
    reader.text(withoutReferences(text.slice(at, found.index)));
    at = found.index + found[0].length;
    const [, raw, slash, name, rest = ''] = found;
    if (raw !== undefined) reader.text(raw);
    if (name === undefined) continue;
    if (slash === '/') reader.end(plainName(name));
    else reader.start(plainName(name), attributesOf(rest), rest.trimEnd().endsWith('/'));
  }
  return reader.cues;
};

const plainName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

function attributesOf(rest: string): Attributes {
  const pairs = rest.slice(0, 4000).matchAll(attribute);
  return new Map(
    [...pairs].map(([, name = '', one, other]) => [plainName(name), one ?? other ?? '']),
  );
}

function ratesOf(text: string): TtmlRates {
  const root = attributesOf(/<(?:\w+:)?tt\b([^<>]*)>/i.exec(text)?.[1] ?? '');
  const [up = 1, down = 1] = (root.get('frameratemultiplier') ?? '1 1').split(/[\s:]+/).map(Number);
  const frames = Number(root.get('framerate') ?? 30) * (up > 0 && down > 0 ? up / down : 1);
  const ticks = Number(root.get('tickrate') ?? 0);
  return { frames: frames > 0 ? frames : 30, ticks: ticks > 0 ? ticks : frames > 0 ? frames : 1 };
}

class TtmlReader {
  readonly cues: Cue[] = [];
  readonly #rates: TtmlRates;
  readonly #open: Open[] = [];
  readonly #styles = new Map<string, readonly string[]>();
  readonly #topRegions = new Set<string>();
  #made: CueText | undefined;
  #region = '';

  constructor(rates: TtmlRates) {
    this.#rates = rates;
  }

  text(content: string): void {
    this.#made?.add(content.replace(/\s+/g, ' '));
  }

  start(name: string, attributes: Attributes, isEmpty: boolean): void {
    const id = attributes.get('id');
    if (name === 'br') this.#made?.break();
    if (name === 'region') this.#region = id ?? '';
    if (attributes.get('displayalign') === 'before' && this.#region !== '') {
      this.#topRegions.add(this.#region);
    }
    const tags = this.#tagsOf(attributes);
    if (name === 'style' && id !== undefined) this.#styles.set(id, tags);
    if (isEmpty || this.#open.length >= deepest) return;
    this.#push(name, attributes, tags);
  }

  end(name: string): void {
    const at = this.#open.findLastIndex((one) => one.name === name);
    if (at < 0) return;
    for (const one of this.#open.splice(at).reverse()) {
      for (const tag of one.tags) this.#made?.close(tag);
      if (one.name === 'region') this.#region = '';
      if (one.isCue) this.#finish(one);
    }
  }

  #push(name: string, attributes: Attributes, tags: readonly string[]): void {
    const parent = this.#open.at(-1);
    const from = parent?.startMs ?? 0;
    const given = (key: string) => parseTtmlTime(attributes.get(key) ?? '', this.#rates);
    const startMs = from + (given('begin') ?? 0);
    const [end, duration] = [given('end'), given('dur')];
    const endMs =
      end !== undefined ? from + end : duration !== undefined ? startMs + duration : parent?.endMs;
    const region = attributes.get('region');
    const isTop = region !== undefined && this.#topRegions.has(region);
    const settings = region === undefined ? parent?.settings : isTop ? 'line:0' : undefined;
    // A timed span in an untimed paragraph is a cue of its own.
    const isOwnCue = name === 'span' && parent?.name === 'p' && parent.endMs === undefined;
    const isCue = name === 'p' || (isOwnCue && endMs !== undefined);
    if (isCue) this.#made = new CueText();
    this.#open.push({ name, isCue, startMs, endMs, tags, settings });
    for (const tag of tags) this.#made?.open(tag);
  }

  #finish({ startMs, endMs, settings }: Open): void {
    const text = this.#made?.finish() ?? '';
    this.#made = undefined;
    if (text !== '' && endMs !== undefined) this.cues.push({ startMs, endMs, text, settings });
  }

  #tagsOf(attributes: Attributes): readonly string[] {
    const named = (attributes.get('style') ?? '').split(/\s+/, 20);
    const tags = new Set(named.flatMap((id) => this.#styles.get(id) ?? []));
    const { fontStyle, fontWeight, decoration } = {
      fontStyle: attributes.get('fontstyle'),
      fontWeight: attributes.get('fontweight'),
      decoration: attributes.get('textdecoration'),
    };
    if (fontStyle === 'italic' || fontStyle === 'oblique') tags.add('i');
    if (fontStyle === 'normal') tags.delete('i');
    if (fontWeight === 'bold') tags.add('b');
    if (fontWeight === 'normal') tags.delete('b');
    if (decoration === 'underline') tags.add('u');
    return [...tags];
  }
}
