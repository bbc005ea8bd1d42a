/** The languages in which a catalogue is asked for titles, summaries and names. */
import { textOf, textsOf, type Part } from './values.ts';

const form = /^[A-Za-z]{2,3}(-[A-Za-z\d]{2,8})*$/;

/** A library names at most ten, and so may a form. */
const most = 10;

export interface LanguageParts {
  /** Those of the library, best first. */
  readonly library?: readonly string[] | undefined;
  /** The configuration of the plugin, whose field `languages` counts. */
  readonly config: Part;
  /** Comes last; `null` = nothing comes after the others. */
  readonly last: string | null;
}

/**
 * BCP 47 tags, best first: those of the library, then those of the plugin's form, then the last one.
 * A tag with a region or a script is followed by its language: `pt-BR`, `pt`.
 */
export function wantedLanguages({ library, config, last }: LanguageParts): readonly string[] {
  const chosen = [library, config['languages']].flatMap(tagsOf);
  const tags = [...chosen, ...(last === null ? [] : [spelled(last)])];
  return [...new Set(tags.flatMap((tag) => [tag, languageIn(tag)]))];
}

/** The tags of a list, each once: others are left out. */
export const tagsOf = (list: unknown): readonly string[] => [
  ...new Set(
    textsOf(list)
      .filter((one) => form.test(one))
      .slice(0, most)
      .map(spelled),
  ),
];

/** As BCP 47 writes it: `pt-BR`, `zh-Hant`. */
function spelled(tag: string): string {
  const [language = '', ...rest] = tag.split('-');
  const more = rest.map((one) =>
    one.length === 4
      ? `${one.charAt(0).toUpperCase()}${one.slice(1).toLowerCase()}`
      : one.length === 2
        ? one.toUpperCase()
        : one.toLowerCase(),
  );
  return [language.toLowerCase(), ...more].join('-');
}

/** The language without region and script: `pt` of `pt-BR`. */
export const languageIn = (tag: string): string => tag.split('-')[0] ?? tag;

/** The region in a tag: `BR` of `pt-BR`. */
export const regionIn = (tag: string): string | undefined =>
  tag.split('-').find((part, at) => at > 0 && /^[A-Z]{2}$/.test(part));

export function firstText(
  languages: readonly string[],
  inLanguage: (tag: string) => unknown,
): string | undefined {
  for (const tag of languages) {
    const text = textOf(inLanguage(tag));
    if (text !== undefined) return text;
  }
  return undefined;
}
