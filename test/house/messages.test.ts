/** The words of the app: every language has every message, and pages have no words of their own. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  partOf,
  readWords,
  refusalPrefix,
  saidIn,
  wordLanguages,
  wordParts,
} from '../../packages/app/cli/page-words.ts';
import { iconPaths } from '../../packages/app/web/ui/icon-paths.ts';

const web = path.resolve(import.meta.dirname, '../../packages/app/web');
const languages = wordLanguages(web);
const english = readWords(web, 'en');
const parts = wordParts(web);
/** What a language says in the place of the server, which speaks English. */
const isRefusal = (key: string): boolean => key.startsWith(refusalPrefix);
const keysOf = (language: string): readonly string[] =>
  Object.keys(readWords(web, language)).filter((key) => !isRefusal(key));
const pages = globSync('**/*.{ts,tsx}', { cwd: web }).map((name) => ({
  name,
  text: readFileSync(path.join(web, name), 'utf8'),
}));

/** The arguments that a message takes. */
const argumentsOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name ?? ''))].sort();

test('each language is one file, in order, with every message', () => {
  expect(languages).toEqual(expect.arrayContaining(['en', 'de']));
  for (const language of languages) {
    const words = readWords(web, language);
    expect(keysOf(language)).toEqual(keysOf('en'));
    expect(Object.keys(words)).toEqual(Object.keys(words).sort());
    const taken = (all: Readonly<Record<string, string>>): unknown =>
      Object.fromEntries(keysOf('en').map((key) => [key, argumentsOf(all[key] ?? '')]));
    expect(taken(words)).toEqual(taken(english));
  }
});

test('every message is used, and comes with a part', () => {
  const said = new Set(Object.values(parts).flat());
  expect(Object.keys(english).filter((key) => !said.has(key))).toEqual([]);
});

test('a message comes with the file that says it', () => {
  expect(parts.start).toEqual(expect.arrayContaining(['nav.home', 'state.saved']));
  expect(parts.documents).toContain('nav.skip');
  expect(parts.admin).toContain('doctor.checked');
  // What several say comes with the first of them.
  const later = [parts.account, parts.reading, parts.catalogue, parts.admin];
  expect(new Set(later.flat()).size).toBe(later.flat().length);
  expect(later.flat().filter((key) => parts.start.includes(key))).toEqual([]);
  expect(
    [...saidIn("t('a.b') t(`c.${name}`)", ['a.b', 'a.c', 'c.one', 'c.two', 'cd.three'])].sort(),
  ).toEqual(['a.b', 'c.one', 'c.two']);
});

test('what says words of another part is a page, or somebody waits for them', () => {
  const textOf = new Map(pages.map(({ name, text }) => [name, text]));
  const isOfAnotherPart = (name: string): boolean =>
    partOf(name) !== 'start' && /\bt\(/.test(textOf.get(name) ?? '');
  const waits = (name: string): boolean =>
    textOf.get(name)?.includes('await loadFurther()') === true;
  const shown = pages
    .filter(({ name }) => partOf(name) === 'start' && name !== 'routes.ts')
    .flatMap(({ name, text }) =>
      [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target = '']) => ({
        name,
        target: path.posix.join(path.posix.dirname(name), target),
      })),
    );
  expect(shown.length).toBeGreaterThan(500);
  expect(
    shown.filter(({ name, target }) => isOfAnotherPart(target) && !waits(name) && !waits(target)),
  ).toEqual([]);
});

test('every task of the server has words, so that no code is shown for it', () => {
  const tasks = readFileSync(path.join(web, '../../../src/compose/maintenance.ts'), 'utf8');
  const names = [...tasks.matchAll(/^ {4}name: '([^']+)',$/gm)].map(([, name]) => `tasks.${name}`);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((key) => !(key in english))).toEqual([]);
});

test('every refusal has words in each language but English, in which the server speaks', () => {
  const docs = readFileSync(path.resolve(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  const [, http = ''] = docs.split('## Over HTTP');
  const codes = [...(http.split('\n## ', 1)[0] ?? '').matchAll(/^\| `(\w+)` +\| \d+ +\|/gm)];
  // Apps alone sign in with a pass.
  const isOfApps =
    /^(token_|cert_|identity_(?!taken|unavailable)|challenge_|bad_signature|scope_denied|wrong_server|clock_skew|rate_limited)/;
  const met = codes.map(([, code = '']) => code).filter((code) => !isOfApps.test(code));
  expect(met.length).toBeGreaterThan(60);
  for (const language of languages.slice(1)) {
    const words = readWords(web, language);
    const hasWords = (code: string): boolean =>
      `${refusalPrefix}${code}` in words || `error.${code}` in english;
    expect(met.filter((code) => !hasWords(code))).toEqual([]);
    const refusals = Object.entries(words).filter(([key]) => isRefusal(key));
    const taken = refusals.flatMap(([, text]) => argumentsOf(text));
    expect(taken.filter((one) => one !== 'said')).toEqual([]);
  }
});

test('no page has words of its own', () => {
  const found = pages
    .filter(({ name }) => name.endsWith('.tsx'))
    .flatMap(({ name, text }) => {
      const inText = [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*)\s*<\//g)];
      const inAttributes = [
        ...text.matchAll(/(?:aria-label|title|placeholder|alt)="([A-Za-z][^"]*)"/g),
      ];
      return [...inText, ...inAttributes].map(([, words]) => `${name}: ${words ?? ''}`);
    })
    // The reference of the API is in English.
    .filter((found_) => !/^(shell\.tsx: Vitrine$|documents\/api-docs\.tsx)/.test(found_));
  expect(found).toEqual([]);
});

test('the document has no words of a language, and the icons of the bar', () => {
  const html = readFileSync(path.join(web, 'index.html'), 'utf8');
  const body = html.slice(html.indexOf('<body>'), html.indexOf('<noscript>'));
  expect(body.replaceAll(/<[^>]*>/g, ' ').trim()).toBe('Vitrine');
  expect([...body.matchAll(/ d="([^"]+)"/g)].map(([, icon]) => icon)).toEqual([
    iconPaths.home,
    iconPaths.search,
    iconPaths.library,
    iconPaths.list,
  ]);
});

test('messages for people name no route, no code and no id', () => {
  const pattern = /(GET|POST|PUT|PATCH|DELETE) \/api|[a-z]+_[a-z]+|[0-9a-f]{8}-/;
  for (const language of languages)
    expect(Object.values(readWords(web, language)).filter((text) => pattern.test(text))).toEqual(
      [],
    );
});
