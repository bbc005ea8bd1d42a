/**
 * The words of the app. A message has arguments in braces and may choose by number or by name, in
 * the syntax of ICU messages: `{count, plural, one {# film} other {# films}}`.
 */
import { signal } from '@preact/signals';
import type english from '../messages/en.json';

/**
 * The name of a message. Those that the start does not say are there once `loadFurtherMessages` has resolved.
 */
export type MessageKey = keyof typeof english;
type Catalogue = Readonly<Record<string, string>>;
type Arguments = Readonly<Record<string, string | number>>;

type Loads = Readonly<Record<string, () => Promise<{ readonly default: Catalogue }>>>;

/** Languages that are written from right to left. */
const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

/** The words of a document: those that it begins with, in English and the other languages. */
interface DocumentWords {
  readonly english: Catalogue;
  readonly others: Loads;
  /** What only some of its pages say. */
  readonly further: readonly Loads[];
  /** What a refusal means, by its code or else its status. English readers read the server's own words. */
  readonly refusals: Loads;
}

let own: DocumentWords = { english: {}, others: {}, further: [], refusals: {} };
/** The languages that have words, as BCP 47. */
export const languages = (): readonly string[] => ['en', ...Object.keys(own.others)];
/** Says what the language does not say. */
let fallback: Catalogue = {};
const catalogue = signal<Catalogue>({});
/** The language that was chosen; `en-XA` is the one for tests. */
let chosen = 'en';
let hasFurther = false;
/** The language of the words, as BCP 47. */
export const locale = signal('en');

/** Sets the words of this document, before anything is said. */
export function setWords(words: DocumentWords): void {
  own = words;
  fallback = words.english;
  catalogue.value = words.english;
}

/** The end of the brace group that begins at `open`; -1 = it has none. */
function endOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** The branches of a plural or a select, by their names. */
function branchesOf(text: string): ReadonlyMap<string, string> {
  const branches = new Map<string, string>();
  let at = 0;
  for (;;) {
    const open = text.indexOf('{', at);
    if (open === -1) return branches;
    const end = endOf(text, open);
    if (end === -1) return branches;
    branches.set(text.slice(at, open).trim(), text.slice(open + 1, end));
    at = end + 1;
  }
}

function choose(
  kind: string,
  value: string | number,
  branches: ReadonlyMap<string, string>,
  language: string,
): string {
  const name =
    kind === 'plural' ? new Intl.PluralRules(language).select(Number(value)) : String(value);
  return branches.get(`=${value}`) ?? branches.get(name) ?? branches.get('other') ?? '';
}

/** Fills a message with its arguments. */
export function formatMessage(text: string, given: Arguments, language: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('{', at);
    const end = open === -1 ? -1 : endOf(text, open);
    if (end === -1) return out + text.slice(at);
    out += text.slice(at, open);
    const inner = text.slice(open + 1, end);
    const [name = '', kind, ...rest] = inner.split(',');
    const value = given[name.trim()] ?? '';
    const number = (count: number): string => count.toLocaleString(language);
    if (kind === undefined) out += typeof value === 'number' ? number(value) : value;
    else {
      const branch = choose(kind.trim(), value, branchesOf(rest.join(',')), language);
      const filled = formatMessage(branch, given, language);
      out += typeof value === 'number' ? filled.replaceAll('#', number(value)) : filled;
    }
    at = end + 1;
  }
}

/** A message in the language of the page. */
export const t = (key: MessageKey, given: Arguments = {}): string =>
  formatMessage(catalogue.value[key] ?? fallback[key] ?? '', given, locale.value);

/** The message of a key that data name, such as a type of library; `undefined` = there is none. */
export function findMessage(key: string, given: Arguments = {}): string | undefined {
  const known = Object.hasOwn(fallback, key);
  return known ? t(key as MessageKey, given) : undefined;
}

/** `Hello` becomes `[!! Ĥéļļö !!]`: shows words that no catalogue has, and fields too narrow. */
function pseudo(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    a: 'å',
    e: 'é',
    i: 'ï',
    o: 'ö',
    u: 'ü',
    c: 'ç',
    n: 'ñ',
    s: 'š',
  };
  let depth = 0;
  const changed = Array.from(text, (letter) => {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    return depth === 0 ? (letters[letter] ?? letter) : letter;
  });
  return `[!! ${changed.join('')} !!]`;
}

/** The words of a language that the start does not need. */
async function furtherWords(language: string): Promise<Catalogue> {
  const loads = own.further.flatMap((part) => part[language] ?? []);
  const parts = await Promise.all(loads.map((load) => load()));
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part.default)));
}

/** All words of a language that are needed by now. */
async function wordsOf(tag: string): Promise<Catalogue> {
  const [language = ''] = tag.split('-');
  const [first, more] = await Promise.all([
    own.others[language]?.(),
    hasFurther ? furtherWords(language) : undefined,
  ]);
  const words = { ...(first?.default ?? own.english), ...more };
  return tag === 'en-XA'
    ? Object.fromEntries(Object.entries(words).map(([key, text]) => [key, pseudo(text)]))
    : words;
}

let refusalWords: { readonly language: string; readonly words: Catalogue } = {
  language: 'en',
  words: {},
};

/** Loads what refusals mean in the language of the page; later `findRefusal` finds them. */
export async function loadRefusals(): Promise<void> {
  const [language = ''] = locale.value.split('-');
  if (refusalWords.language === language) return;
  try {
    refusalWords = { language, words: (await own.refusals[language]?.())?.default ?? {} };
  } catch {
    // The server's own words are shown until they can be loaded.
  }
}

/** What a refusal means; `said` = the server's own words. `undefined` = those are the best. */
export function findRefusal(codeOrStatus: string, said: string): string | undefined {
  const { language, words } = refusalWords;
  const text = words[`refusal.${codeOrStatus}`];
  return text === undefined ? undefined : formatMessage(text, { said }, language);
}

let loadingFurther: Promise<void> | null = null;

/** Loads the words that the start does not need. */
export function loadFurtherMessages(): Promise<void> {
  loadingFurther ??= (async () => {
    hasFurther = true;
    fallback = { ...own.english, ...(await furtherWords('en')) };
    catalogue.value = await wordsOf(chosen);
  })();
  return loadingFurther;
}

/** Chooses the language: the first one of `wanted` that has words. `en-XA` is for tests. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  for (const tag of wanted) {
    const [language = ''] = tag.split('-');
    if (tag !== 'en-XA' && language !== 'en' && own.others[language] === undefined) continue;
    chosen = tag;
    catalogue.value = await wordsOf(tag);
    locale.value = tag === 'en-XA' ? 'en' : tag;
    break;
  }
  document.documentElement.lang = locale.value;
  const [language = ''] = locale.value.split('-');
  document.documentElement.dir =
    rightToLeft.has(language) || sessionStorage.getItem('dir') === 'rtl' ? 'rtl' : 'ltr';
}
