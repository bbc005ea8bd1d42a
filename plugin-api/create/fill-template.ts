/**
 * Replaces the placeholders of a template by a plugin's values. A template is a complete plugin with
 * a placeholder id, name and author, so it is checked and tested unchanged.
 */
import type { NewPlugin } from './new-plugin.ts';

/** Fills in the text of a template's file. */
export interface TemplateFiller {
  readonly fill: (file: string, text: string) => string;
}

const date = /("compatibilityDate": ")\d{4}-\d{2}-\d{2}"/;

/**
 * Creates the filler. A name or an author is replaced in JSON, Markdown and the license, an id
 * everywhere.
 */
export function createTemplateFiller(
  { template, id, name, author }: NewPlugin,
  today: string,
): TemplateFiller {
  const safe: readonly Word[] = [
    [`template-${template}-scheme`, schemeOf(id)],
    [`template-${template}`, id],
  ];
  const free: readonly Word[] = [
    ['Template name', name],
    ['Template author', author],
    ['Template year', today.slice(0, 4)],
  ];
  return {
    fill: (file, text) => {
      const known = replaceAll(text, safe);
      if (/\.tsx?$/.test(file)) return known;
      if (!file.endsWith('.json')) return replaceAll(known, free);
      const quoted = free.map(([from, to]): Word => [from, JSON.stringify(to).slice(1, -1)]);
      return replaceAll(known, quoted).replace(date, `$1${today}"`);
    },
  };
}

type Word = readonly [from: string, to: string];

/** In one pass, so that inserted text is never replaced again. */
function replaceAll(text: string, words: readonly Word[]): string {
  const known = new Map(words);
  const pattern = new RegExp([...known.keys()].join('|'), 'g');
  return text.replace(pattern, (word) => known.get(word) ?? word);
}

const longestScheme = 30;

/** A URI scheme begins with a letter and has no scope. */
function schemeOf(id: string): string {
  const plain = id.slice(id.indexOf('/') + 1).replace(/-+$/, '');
  return (/^[a-z]/.test(plain) ? plain : `x-${plain}`).slice(0, longestScheme);
}
