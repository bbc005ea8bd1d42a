/**
 * The figures of the house: how much there is to read, and where it is larger than it should be. A file
 * is parsed once: what was counted is kept by its content.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { count, type Counts } from './count.ts';
import { arrowsBack } from './arrows.ts';

/** What is counted, in the order in which it is shown. */
export const figureNames = [
  'lines',
  'files',
  'statements',
  'lines per route',
  'functions above 40 lines',
  'functions above 50 lines (%)',
  'functions above 100 lines',
  'arrows from packages back to the server',
  'words of docs',
] as const;

export type Figures = Readonly<Record<(typeof figureNames)[number], number>>;

/** Of code that is neither a test nor generated, and of the Markdown in `docs`. */
export function readFigures(root: string): Figures {
  const all = listFiles(root);
  const code = new Map(
    all.filter(isCounted).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  );
  const counts = countAll(root, code);
  const sum = (key: keyof Counts): number => counts.reduce((total, one) => total + one[key], 0);
  return {
    lines: linesOf([...code.values()]),
    files: code.size,
    statements: sum('statements'),
    'lines per route': linesPerRoute(code),
    'functions above 40 lines': sum('above40'),
    'functions above 50 lines (%)': Math.round((1000 * sum('above50')) / sum('functions')) / 10,
    'functions above 100 lines': sum('above100'),
    'arrows from packages back to the server': arrowsBack(code).length,
    'words of docs': wordsOf(root, all),
  };
}

/** Folders that hold what was installed, built or measured. */
const notRead = new Set(['node_modules', 'dist', 'coverage', '.git', '.bench']);

function listFiles(root: string, folder = ''): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return notRead.has(entry.name) ? [] : listFiles(root, name);
    return entry.isFile() ? [name] : [];
  });
}

/** The types of the client are generated; they once stood in the repository. */
const isCounted = (file: string): boolean =>
  /\.(?:ts|tsx|mjs)$/.test(file) &&
  !/\.(?:test|generated)\.tsx?$|^test\/|^data\//.test(file) &&
  file !== 'packages/app/client/api.ts';

const linesOf = (texts: readonly string[]): number =>
  texts.reduce((total, text) => total + text.split('\n').length - 1, 0);

/** Lines of everything in `routes`, for each operation of the API. */
function linesPerRoute(code: ReadonlyMap<string, string>): number {
  const routes = [...code]
    .filter(([file]) => file.startsWith('src/http/routes/'))
    .map(([, text]) => text);
  const operations = routes.join('\n').match(/\boperation: '/g)?.length ?? 0;
  if (operations === 0) throw new Error('No route was found.');
  return Math.round((10 * linesOf(routes)) / operations) / 10;
}

function wordsOf(root: string, all: readonly string[]): number {
  const pages = all.filter((file) => /^docs\/.+\.md$/.test(file));
  return pages.reduce((total, file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return total + (text.match(/\S+/g)?.length ?? 0);
  }, 0);
}

/** Counts with the parser, which a file that did not change does not need. */
function countAll(root: string, code: ReadonlyMap<string, string>): readonly Counts[] {
  const file = path.join(root, 'dist/figures.json');
  const before = readKept(file);
  const hashed = [...code].map(([name, text]) => ({
    name,
    text,
    hash: createHash('sha1').update(`${name} ${text}`).digest('base64'),
  }));
  const after = Object.fromEntries(
    hashed.map(({ name, text, hash }) => [hash, before[hash] ?? count(name, text)]),
  );
  if (hashed.some(({ hash }) => before[hash] === undefined)) keep(file, JSON.stringify(after));
  return Object.values(after);
}

function readKept(file: string): Readonly<Record<string, Counts>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Counts>;
  } catch {
    return {};
  }
}

/** Another run may read the file meanwhile. */
function keep(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
