/**
 * The words of the web app, as modules of its build. A language is one file, `messages/<tag>.json`; a browser
 * loads the parts of it that it needs. A message is in a part because a file of that part says it.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';

type Words = Readonly<Record<string, string>>;

/** Files that are loaded apart from the start, by the part of their words. The rest is `start`. */
const filesOf = {
  documents: /^documents\//,
  account: /^(account\/|pages\/(account|pair)\.tsx)/,
  reading:
    /^(reader\/|downloads\/(?!keep-)|pages\/(playlist-file|read)\.tsx|player\/video\/caption-settings)/,
  catalogue: /^pages\/admin\/(edit-|entity|field-|item|librar|match|picture)/,
  admin: /^pages\/admin\//,
};
/** The parts that come with the first page of any of them. */
const later = ['account', 'reading', 'catalogue', 'admin'] as const;
type Part = keyof typeof filesOf | 'start';

/** The part of the words of a file, by its path below the web app. */
export const partOf = (name: string): Part =>
  (Object.keys(filesOf) as (keyof typeof filesOf)[]).find((one) => filesOf[one].test(name)) ??
  'start';

/** What a refusal means has one name for each code: `refusal.not_found`. */
export const refusalPrefix = 'refusal.';

/** The messages that a text of code says: by their whole name, or all that begin as a template does. */
export function saidIn(code: string, keys: readonly string[]): ReadonlySet<string> {
  const names = new Set([...code.matchAll(/'([\w.-]+)'/g)].map(([, name = '']) => name));
  const beginnings = [...code.matchAll(/`([a-z][\w.]*\.)\$\{/g)].map(([, start = '']) => start);
  return new Set(
    keys.filter((key) => names.has(key) || beginnings.some((start) => key.startsWith(start))),
  );
}

/** The names of the messages of each part. `folder` is that of the web app. */
export function wordParts(folder: string): Readonly<Record<Part, readonly string[]>> {
  const keys = Object.keys(readWords(folder, 'en'));
  const code: Record<Part, string[]> = {
    start: [],
    documents: [],
    account: [],
    reading: [],
    catalogue: [],
    admin: [],
  };
  for (const name of globSync('**/*.{ts,tsx}', { cwd: folder }).sort()) {
    if (name.endsWith('.test.ts')) continue;
    code[partOf(name)].push(readFileSync(path.join(folder, name), 'utf8'));
  }
  const said = (part: Part): ReadonlySet<string> => saidIn(code[part].join('\n'), keys);
  const start = said('start');
  const taken = new Set(start);
  const apart = (part: (typeof later)[number]): readonly string[] => {
    const own = [...said(part)].filter((key) => !taken.has(key));
    for (const key of own) taken.add(key);
    return own;
  };
  return {
    start: [...start],
    documents: [...said('documents')],
    account: apart('account'),
    reading: apart('reading'),
    catalogue: apart('catalogue'),
    admin: apart('admin'),
  };
}

/** The languages that have words, as BCP 47; English comes first. */
export function wordLanguages(folder: string): readonly string[] {
  const tags = globSync('*.json', { cwd: path.join(folder, 'messages') }).map((name) =>
    path.basename(name, '.json'),
  );
  return ['en', ...tags.filter((tag) => tag !== 'en').sort()];
}

/** The words of a language. */
export const readWords = (folder: string, language: string): Words =>
  JSON.parse(readFileSync(path.join(folder, 'messages', `${language}.json`), 'utf8')) as Words;

/**
 * Gives `words:app` and `words:documents` (`packages/app/web/core/words-modules.d.ts`), and `words:<part>/<language>`
 * for the words themselves. What a language does not say is left out: English stands for it.
 */
export function pageWords(folder: string): Plugin {
  let parts: ReturnType<typeof wordParts> | null = null;
  const loadsOf = (part: string, languages: readonly string[]): string =>
    `{ ${languages.map((tag) => `'${tag}': () => import('words:${part}/${tag}')`).join(', ')} }`;
  const frame = (first: Part, further: readonly Part[]): string => {
    const all = wordLanguages(folder);
    const others = all.slice(1);
    return [
      `import english from 'words:${first}/en';`,
      `export { english };`,
      `export const others = ${loadsOf(first, others)};`,
      `export const further = [${further.map((part) => loadsOf(part, all)).join(', ')}];`,
      `export const refusals = ${loadsOf('refusals', others)};`,
    ].join('\n');
  };
  const wordsOf = (part: string, language: string): Words => {
    parts ??= wordParts(folder);
    const isOfPart = new Set<string>(parts[part as Part] ?? []);
    return Object.fromEntries(
      Object.entries(readWords(folder, language)).filter(([key]) =>
        part === 'refusals' ? key.startsWith(refusalPrefix) : isOfPart.has(key),
      ),
    );
  };
  return {
    name: 'page-words',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^words:/ }, ({ path: name }) => ({
        path: name.slice('words:'.length),
        namespace: 'words',
      }));
      onLoad({ filter: /.*/, namespace: 'words' }, ({ path: name }) => {
        if (name === 'app') return { contents: frame('start', later), loader: 'js' };
        if (name === 'documents') return { contents: frame('documents', []), loader: 'js' };
        const [part = '', language = ''] = name.split('/');
        return {
          contents: `export default ${JSON.stringify(wordsOf(part, language))};`,
          loader: 'js',
        };
      });
    },
  };
}
