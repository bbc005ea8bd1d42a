/**
 * The words of the app. A message has arguments in braces and may choose by number or by name, in
 * the syntax of ICU messages: `{count, plural, one {# film} other {# films}}`.
 */
import { signal } from '@preact/signals';
import english from '../messages/en.json' with { type: 'json' };

/** The name of a message. */
export type MessageKey = keyof typeof english;
type Catalogue = Readonly<Record<string, string>>;
type Arguments = Readonly<Record<string, string | number>>;

const others: Readonly<Record<string, () => Promise<{ readonly default: Catalogue }>>> = {
  de: () => import('../messages/de.json', { with: { type: 'json' } }),
};
/** The languages that have words, as BCP 47. */
export const languages: readonly string[] = ['en', ...Object.keys(others)];
/** Languages that are written from right to left. */
const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

const catalogue = signal<Catalogue>(english);
/** The language of the words, as BCP 47. */
export const locale = signal('en');

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
  formatMessage(catalogue.value[key] ?? english[key], given, locale.value);

/** The message of a key that data name, such as a type of library; `undefined` = there is none. */
export function findMessage(key: string, given: Arguments = {}): string | undefined {
  const known = Object.hasOwn(english, key);
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

/** Chooses the language: the first one of `wanted` that has words. `en-XA` is for tests. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  for (const tag of wanted) {
    const [language = ''] = tag.split('-');
    if (tag !== 'en-XA' && language !== 'en' && others[language] === undefined) continue;
    catalogue.value =
      tag === 'en-XA'
        ? Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]))
        : ((await others[language]?.())?.default ?? english);
    locale.value = tag === 'en-XA' ? 'en' : tag;
    break;
  }
  document.documentElement.lang = locale.value;
  const [language = ''] = locale.value.split('-');
  document.documentElement.dir =
    rightToLeft.has(language) || sessionStorage.getItem('dir') === 'rtl' ? 'rtl' : 'ltr';
}
