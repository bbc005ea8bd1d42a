/** SAMI: each `SYNC` shows its text until the next one; a text of spaces ends it. */
import { createDeadline } from '../limits.ts';
import type { Cue, ReadFormat } from './cue.ts';
import { readMarkup } from './markup.ts';

const sync = /<sync\b[^<>]{0,200}?\bstart\s*=\s*["']?\s*(-?\d{1,9})[^<>]{0,200}>/gi;
const paragraph = /<p\b([^<>]{0,500})>/gi;
/** How long the last text is shown. */
const lastMs = 5000;

interface Moment {
  readonly ms: number;
  /** By class, which is the language. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Reads one language: the wanted one, or the first. */
export const readSami: ReadFormat = (text, { language }) => {
  const check = createDeadline();
  const moments: Moment[] = [];
  const found = [...text.matchAll(sync)];
  for (const [at, one] of found.entries()) {
    check();
    const from = one.index + one[0].length;
    const content = text.slice(from, found[at + 1]?.index ?? text.length);
    moments.push({ ms: Number(one[1]), texts: textsIn(content) });
  }
  const chosen = classFor(text, moments, language);
  const own = moments
    .flatMap(({ ms, texts }) => {
      const shown = texts.get(chosen);
      return shown === undefined ? [] : [{ ms, shown }];
    })
    .sort((one, other) => one.ms - other.ms);
  return own.flatMap(({ ms, shown }, at): readonly Cue[] =>
    shown === '' ? [] : [{ startMs: ms, endMs: own[at + 1]?.ms ?? ms + lastMs, text: shown }],
  );
};

function textsIn(content: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const starts = [...content.matchAll(paragraph)];
  if (starts.length === 0) return texts.set('', shownText(content));
  for (const [at, start] of starts.entries()) {
    const name = /\bclass\s*=\s*["']?([\w-]{1,60})/i.exec(start[1] ?? '')?.[1] ?? '';
    const end = starts[at + 1]?.index ?? content.length;
    texts.set(name.toLowerCase(), shownText(content.slice(start.index + start[0].length, end)));
  }
  return texts;
}

const shownText = (content: string): string => {
  const { text } = readMarkup(content.replace(/\s+/g, ' '));
  return text.replaceAll('\u00a0', ' ').trim();
};

function classFor(text: string, moments: readonly Moment[], language: string | null): string {
  const names = new Set(moments.flatMap(({ texts }) => [...texts.keys()]));
  const wanted = language?.split('-')[0]?.toLowerCase();
  const styles = text.slice(0, 20_000).matchAll(/\.([\w-]{1,60})\s*\{([^{}]{0,1000})\}/g);
  for (const [, name = '', rules = ''] of styles) {
    const spoken = /\blang\s*:\s*([a-z]{2,3})/i.exec(rules)?.[1]?.toLowerCase();
    if (spoken === wanted && names.has(name.toLowerCase())) return name.toLowerCase();
  }
  return [...names][0] ?? '';
}
