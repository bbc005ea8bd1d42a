import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { firstScripts } from '../../support/pages/first-scripts.ts';
import type { Figure } from '../figure.ts';

const folder = path.resolve(import.meta.dirname, '../../../dist/web');

const kilobytes = (names: Iterable<string>): number =>
  [...names]
    .map((name) => gzipSync(readFileSync(path.join(folder, name))).length / 1000)
    .reduce((one, other) => one + other, 0);

/** What the app sends before a page can run, after gzip. */
export function fileFigures(): readonly Figure[] {
  const names = readdirSync(folder);
  const scripts = names.filter((name) => name.endsWith('.js'));
  const begin = (start: string): readonly string[] =>
    scripts.filter((name) => name.startsWith(start));
  const shell = firstScripts(folder, [...begin('early-'), ...begin('main-'), ...begin('home-')]);
  const beyond = (entries: readonly string[]): readonly string[] =>
    [...firstScripts(folder, entries)].filter((name) => !shell.has(name));
  const main = readFileSync(path.join(folder, begin('main-')[0] ?? ''), 'utf8');
  const ofAdmins = /pattern:"\/admin[^"]*",load:\(\)=>import\("\.\/([^"]+)"\)/g;
  const admin = [...main.matchAll(ofAdmins)].map(([, name = '']) => name);
  // Words and what something needs now and then (hls.js, libpgs, assjs, PDF.js) are not pages.
  const pages = scripts.filter(
    (name) => !/^(chunk|early|main|hls|ass|libpgs|pdf|de|en)-/.test(name),
  );
  const largest = Math.max(...pages.map((name) => kilobytes([name])));
  const of = (name: string, ours: number, goal: number): Figure => ({
    ...{ name: `web: ${name}`, ours, bare: null, unit: 'kB', goal },
  });
  return [
    of('scripts of the shell and home', kilobytes(shell), 35),
    of('styles of the shell', kilobytes(names.filter((name) => /^style-.*\.css$/.test(name))), 8),
    of('the largest chunk of a page', largest, 12),
    of('scripts of the player', kilobytes(beyond(begin('watch-'))), 25),
    of('scripts of all pages for admins', kilobytes(beyond(admin)), 60),
  ];
}
