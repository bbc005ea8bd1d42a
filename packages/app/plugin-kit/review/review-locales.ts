/** The languages of a plugin: what they leave out, and the texts that its code names. */
import {
  placeholdersOf,
  untranslated,
  type Locales,
} from '../../../../kernel/run/locales/index.ts';
import type { Manifest } from '../../../../plugin-api/index.ts';
import { warning, type Finding } from './finding.ts';

const mostNamed = 5;

/** `code` is the text that `readCode` gives. */
export const reviewLocales = (
  manifest: Manifest,
  locales: Locales,
  code: string,
): readonly Finding[] => [
  ...[...untranslated(locales, manifest)].flatMap(([language, keys]) =>
    keys.length === 0 ? [] : [missing(language, keys)],
  ),
  ...[...new Set(unknownIn(locales, code))].map((message) => warning('text-unknown', message)),
];

function missing(language: string, keys: readonly string[]): Finding {
  const rest = keys.length - mostNamed;
  const named = keys.slice(0, mostNamed).join(', ');
  const more = rest > 0 ? ` and ${rest} more` : '';
  return warning(
    'translation-missing',
    `locales/${language}.json does not have ${named}${more}: they are shown in the language of manifest.json, or in English. Add them, or delete the file if nobody translates it.`,
  );
}

/** `{ text: "key" }`, and `{ text: "key", with: … }`, as esbuild writes them. */
const asked = /\{\s*text:\s*"([^"\\]{1,200})"\s*(\}|,\s*with:)/g;

/** Any other object of a plugin may have a `text`, so a plugin without languages is not asked. */
function unknownIn(locales: Locales, code: string): readonly string[] {
  if (locales.size === 0) return [];
  const texts = new Map(Object.entries(locales.get('en')?.texts ?? {}));
  return [...code.matchAll(asked)].flatMap(([, key = '', end]) => {
    const text = texts.get(key);
    if (text === undefined)
      return [`The text ${key} is not in locales/en.json: a piece that shows it is dropped.`];
    return end === '}' && placeholdersOf(text).length > 0
      ? [`The text ${key} needs values, such as with: { ${placeholdersOf(text).join(', ')} }.`]
      : [];
  });
}
