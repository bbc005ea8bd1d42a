/** The words of the app: every language has every message, and pages have no words of their own. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { iconPaths } from '../../packages/app/web/ui/icon-paths.ts';

const web = path.resolve(import.meta.dirname, '../../packages/app/web');
const read = (name: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(path.join(web, 'messages', name), 'utf8'));
const english = read('en.json');
const account = read('account/en.json');
const further = { ...account, ...read('further/en.json') };
const ofDocuments = read('documents/en.json');
const files = ['.', 'account', 'documents', 'further'].flatMap((folder) =>
  readdirSync(path.join(web, 'messages', folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(folder, name)),
);
const pages = globSync('**/*.{ts,tsx}', { cwd: web }).map((name) => ({
  name,
  text: readFileSync(path.join(web, name), 'utf8'),
}));

/** The arguments that a message takes. */
const argumentsOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name ?? ''))].sort();

test.each(files)('%s has every message, in order', (name) => {
  const messages = read(name);
  const expected = read(path.join(path.dirname(name), 'en.json'));
  expect(Object.keys(messages)).toEqual(Object.keys(expected));
  expect(Object.keys(messages)).toEqual(Object.keys(messages).sort());
  const taken = (all: typeof english): unknown =>
    Object.fromEntries(Object.entries(all).map(([key, text]) => [key, argumentsOf(text)]));
  expect(taken(messages)).toEqual(taken(expected));
});

test('only the account, downloads, the look of subtitles, playlist files, and pages for admins and readers use the words that come with them', () => {
  const roots = new Set(Object.keys(further).map((key) => key.split('.', 1)[0] ?? ''));
  const used = pages
    .filter(
      ({ name }) =>
        !/^(account\/|documents\/|pages\/admin\/|reader\/|downloads\/|(pages\/(account|pair|playlist-file|read)|player\/video\/caption-settings)\.tsx$)/.test(
          name,
        ),
    )
    .flatMap(({ name, text }) =>
      [...text.matchAll(/['`]([a-z]+)\.[a-zA-Z$][^'`]*['`]/g)]
        .filter(([, root = '']) => roots.has(root))
        .map(([words]) => `${name}: ${words}`),
    );
  expect(used).toEqual([]);
});

test('every message is used', () => {
  const code = pages.map(({ text }) => text).join('\n');
  const prefixes = [...code.matchAll(/`([a-z][\w.]*\.)\$\{/g)].map(([, prefix]) => prefix ?? '');
  const all = { ...english, ...further, ...ofDocuments };
  const unused = Object.keys(all).filter(
    (key) => !code.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
  );
  expect(unused).toEqual([]);
});

test('every task of the server has words, so that no code is shown for it', () => {
  const tasks = readFileSync(path.join(web, '../../../src/compose/maintenance.ts'), 'utf8');
  const names = [...tasks.matchAll(/^ {4}name: '([^']+)',$/gm)].map(([, name]) => `tasks.${name}`);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((key) => !(key in further))).toEqual([]);
});

test('every refusal has words in each language but English, in which the server speaks', () => {
  const docs = readFileSync(path.resolve(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  const [, http = ''] = docs.split('## Over HTTP');
  const codes = [...(http.split('\n## ', 1)[0] ?? '').matchAll(/^\| `(\w+)` +\| \d+ +\| yes/gm)];
  // Apps alone sign in with a pass.
  const isOfApps =
    /^(token_|cert_|identity_(?!taken|unavailable)|challenge_|bad_signature|scope_denied|wrong_server|clock_skew|rate_limited)/;
  const met = codes.map(([, code = '']) => code).filter((code) => !isOfApps.test(code));
  expect(met.length).toBeGreaterThan(60);
  for (const name of readdirSync(path.join(web, 'messages/refusals'))) {
    const words = read(`refusals/${name}`);
    expect(Object.keys(words)).toEqual(Object.keys(words).sort());
    expect(met.filter((code) => !(code in words) && !(`error.${code}` in english))).toEqual([]);
    expect(
      Object.values(words)
        .flatMap(argumentsOf)
        .filter((one) => one !== 'said'),
    ).toEqual([]);
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
  for (const name of files)
    expect(Object.values(read(name)).filter((text) => pattern.test(text))).toEqual([]);
});

test('the documents that need no sign-in have their own words, and say what the app says by the same name', () => {
  const texts = pages.filter(({ name }) => name.startsWith('documents/')).map(({ text }) => text);
  const used = [...texts.join('\n').matchAll(/\bt\(\s*['`]([\w.]+)/g)].map(([, key = '']) => key);
  expect(used.length).toBeGreaterThan(20);
  const isThere = (key: string): boolean =>
    Object.keys(ofDocuments).some(
      (one) => one === key || (key.endsWith('.') && one.startsWith(key)),
    );
  expect(used.filter((key) => !isThere(key))).toEqual([]);
  for (const language of ['en', 'de']) {
    const [own, app] = [read(`documents/${language}.json`), read(`${language}.json`)];
    expect(Object.keys(own).filter((key) => key in app && own[key] !== app[key])).toEqual([]);
  }
});
