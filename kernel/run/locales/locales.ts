/**
 * The languages of a plugin: `locales/<language>.json` in its package. Guarantee: a language file
 * changes words alone. Each of its keys is the key of a text that `manifest.json` or
 * `locales/en.json` has, so nothing is told in one language only.
 */
import type { LocaleFile, Manifest, PluralTexts } from '../../../plugin-api/index.ts';
import type { ManifestReader, Parsed } from '../manifest/manifest.ts';
import { shown } from '../manifest/schema-faults.ts';

/** The files by language, as BCP 47 tags. */
export type Locales = ReadonlyMap<string, LocaleFile>;

/** The texts of the language files of a package, by their paths in it: `locales/de.json`. */
export type LocaleTexts = ReadonlyMap<string, string>;

export const noLocales: Locales = new Map();

/** The folder of the language files in a package. */
export const localesFolder = 'locales';

/** The language that each text of a view is in, and that others fall back to. */
export const baseLanguage = 'en';

const mostLanguages = 50;
const longestFile = 65_536;
const mostFaults = 20;

/** Reads and checks the files. Each fault is a sentence that names the file and the key. */
export function readLocales(
  texts: LocaleTexts,
  manifest: Manifest,
  reader: Pick<ManifestReader, 'parseLocale'>,
): Parsed<Locales> {
  if (texts.size > mostLanguages)
    return refused([
      `${localesFolder}/ has ${texts.size} files; a plugin has at most ${mostLanguages} languages.`,
    ]);
  const locales = new Map<string, LocaleFile>();
  const faults: string[] = [];
  for (const [file, text] of texts) {
    const language = languageOf(file);
    if (!language.ok) {
      faults.push(`${file}: ${language.faults.join(' ')}`);
      continue;
    }
    const read = parsed(text, reader);
    if (read.ok) locales.set(language.value, read.value);
    else faults.push(...read.faults.map((fault) => `${file}: ${fault}`));
  }
  if (faults.length > 0) return refused(faults);
  const base = locales.get(baseLanguage)?.texts ?? {};
  for (const [language, file] of locales)
    faults.push(
      ...[...manifestFaults(file, manifest), ...textFaults(file, base, locales)].map(
        (fault) => `${fileOf(language)}: ${fault}`,
      ),
    );
  return faults.length > 0 ? refused(faults) : { ok: true, value: locales };
}

const fileOf = (language: string): string => `${localesFolder}/${language}.json`;

function refused(faults: readonly string[]): Parsed<never> {
  if (faults.length <= mostFaults) return { ok: false, faults };
  const rest = faults.length - mostFaults;
  return { ok: false, faults: [...faults.slice(0, mostFaults), `And ${rest} more.`] };
}

function languageOf(file: string): Parsed<string> {
  const [, name] = /^locales\/([^/]+)\.json$/.exec(file) ?? [];
  if (name === undefined)
    return refused([
      'it is not a language file; right is locales/<language>.json, such as de.json.',
    ]);
  const canonical = canonicalLanguage(name);
  if (canonical === name) return { ok: true, value: name };
  const right = canonical === null ? 'a BCP 47 tag such as de or pt-BR' : `${canonical}.json`;
  return refused([`${shown(name)} is not the tag of a language; right is ${right}.`]);
}

function canonicalLanguage(name: string): string | null {
  try {
    return Intl.getCanonicalLocales(name.slice(0, 35).replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

function parsed(text: string, reader: Pick<ManifestReader, 'parseLocale'>): Parsed<LocaleFile> {
  const bytes = Buffer.byteLength(text);
  return bytes > longestFile
    ? refused([`it has ${bytes} bytes; a language has at most ${longestFile}.`])
    : reader.parseLocale(text);
}

/** The parts of a language file that have keys of their own. */
type Part = 'configuration' | 'profileConfiguration' | 'reasons' | 'exports' | 'texts';

const keysIn = (file: LocaleFile, part: Part): readonly string[] => Object.keys(file[part] ?? {});

/** The texts of a manifest that a language file may translate, by their places in it. */
function originals(manifest: Manifest): ReadonlyMap<Part, readonly string[]> {
  const { configuration = [], profileConfiguration = [], permissions } = manifest;
  const { reasons = {} } = permissions;
  return new Map<Part, readonly string[]>([
    ['configuration', configuration.map(({ key }) => key)],
    ['profileConfiguration', profileConfiguration.map(({ key }) => key)],
    ['reasons', Object.keys(reasons)],
    ['exports', (manifest.exports ?? []).map(({ name }) => name)],
  ]);
}

function manifestFaults(file: LocaleFile, manifest: Manifest): readonly string[] {
  const unknown = [...originals(manifest)].flatMap(([part, known]) =>
    keysIn(file, part)
      .filter((key) => !known.includes(key))
      .map((key) => `${part}.${key}: manifest.json has no such text; ${rightKeys(known)}.`),
  );
  return [
    ...unknown,
    ...helpFaults('configuration', file.configuration, manifest.configuration),
    ...helpFaults('profileConfiguration', file.profileConfiguration, manifest.profileConfiguration),
  ];
}

const rightKeys = (known: readonly string[]): string =>
  known.length === 0 ? 'leave it out' : `known are ${known.join(', ')}`;

/** A help that only one language has would tell its readers something else than the others. */
const helpFaults = (
  part: string,
  given: LocaleFile['configuration'] = {},
  form: Manifest['profileConfiguration'] = [],
): readonly string[] =>
  form
    .filter(({ key, description }) => {
      const own = Object.hasOwn(given, key) ? given[key]?.description : undefined;
      return own !== undefined && description === undefined;
    })
    .map(
      ({ key }) =>
        `${part}.${key}.description: the field has no description in manifest.json; add it there.`,
    );

type Texts = NonNullable<LocaleFile['texts']>;

function textFaults({ texts = {} }: LocaleFile, base: Texts, locales: Locales): readonly string[] {
  const keys = Object.keys(texts);
  if (keys.length > 0 && !locales.has(baseLanguage))
    return [
      `texts: ${fileOf(baseLanguage)} is missing; it has the text of each key for languages without one.`,
    ];
  return keys.flatMap((key) => {
    const original = Object.hasOwn(base, key) ? base[key] : undefined;
    if (original === undefined)
      return [`texts.${key} is not in ${fileOf(baseLanguage)}; add it there, or leave it out.`];
    return placeholderFaults(key, texts[key] ?? '', new Set(placeholdersOf(original)));
  });
}

/** A form may leave out the number that it means; `other`, and a text without forms, may not. */
function placeholderFaults(
  key: string,
  text: string | PluralTexts,
  expected: ReadonlySet<string>,
): readonly string[] {
  const forms = typeof text === 'string' ? { other: text } : text;
  return Object.entries(forms).flatMap(([form, words]: readonly [string, string]) => {
    const at = typeof text === 'string' ? `texts.${key}` : `texts.${key}.${form}`;
    const used = new Set(placeholders(words));
    const missing = form === 'other' ? [...expected].filter((name) => !used.has(name)) : [];
    const unknown = [...used].filter((name) => !expected.has(name));
    return [
      ...missing.map((name) => `${at} lacks {${name}}, which ${fileOf(baseLanguage)} has.`),
      ...unknown.map((name) => `${at}: {${name}} is not in the text of ${fileOf(baseLanguage)}.`),
    ];
  });
}

/** `{name}` in a text. */
export const placeholder = /\{([A-Za-z][A-Za-z0-9]{0,31})\}/g;

const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name);

/** The names of the values that a text needs. A text with forms needs the number that chooses one. */
export const placeholdersOf = (text: string | PluralTexts): readonly string[] =>
  typeof text === 'string'
    ? placeholders(text)
    : ['count', ...Object.values(text).flatMap(placeholders)];

/** What each language leaves out, by language: the places of the texts. */
export function untranslated(
  locales: Locales,
  manifest: Manifest,
): ReadonlyMap<string, readonly string[]> {
  const base = keysIn(locales.get(baseLanguage) ?? {}, 'texts');
  const parts = [...originals(manifest), ['texts', base] as const];
  // `en-GB` may differ from `en` in a few words, and is whole with that.
  const others = [...locales].filter(([language]) => language.split('-')[0] !== baseLanguage);
  return new Map(
    others.map(([language, file]) => [
      language,
      parts.flatMap(([part, keys]) => {
        const given = keysIn(file, part);
        return keys.filter((key) => !given.includes(key)).map((key) => `${part}.${key}`);
      }),
    ]),
  );
}
