/** A library of films, series, music and audiobooks as disks have them, and the list of what is in it. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createChance } from './chance.ts';
import { hostile } from './hostile.ts';
import { album, comic, writer } from './papers.ts';
import { openShelf, type MadeFile, type Shelf } from './shelf.ts';
import { artist, author } from './sounds.ts';
import { skipped } from './templates.ts';
import { film, series } from './videos.ts';

export type { MadeFile } from './shelf.ts';

/** What share of the files each kind has; each makes some files until there are so many. */
const kinds: readonly (readonly [number, (shelf: Shelf, goal: number) => void])[] = [
  [0.25, film],
  [0.4, series],
  [0.3, artist],
  [0.05, author],
];

/** What else people have. */
const withPapers: typeof kinds = [
  ...kinds.map(([share, make]) => [share * 0.75, make] as const),
  [0.08, comic],
  [0.05, writer],
  [0.12, album],
];

/** Makes at least so many media files, some of them broken; always the same for one number. */
export function makeLibrary(folder: string, count: number): readonly MadeFile[] {
  const shelf = fill(folder, count, kinds);
  writeManifest(folder, shelf.files);
  return shelf.files;
}

/** The same with comics, books and photos, and a folder of names that break scanners. */
export function makeHostileLibrary(folder: string, count: number): void {
  const shelf = fill(folder, count, withPapers);
  const unnamed = hostile(shelf);
  writeManifest(folder, [...shelf.files, unnamed]);
}

function fill(folder: string, count: number, all: typeof kinds): Shelf {
  const shelf = openShelf(folder, createChance(1));
  let goal = 0;
  for (const [share, make] of all) {
    goal += Math.round(count * share);
    while (shelf.files.length < goal) make(shelf, goal);
  }
  for (const name of ['.DS_Store', 'Thumbs.db', 'download.part', 'readme.txt', '@eaDir/SYNO_IDX'])
    for (const top of ['Movies', 'Series', 'Music', 'Audiobooks'])
      shelf.sidecar(`${top}/${name}`, 'junk\n');
  return shelf;
}

/** Changes, renames, removes and copies so many percent of its files. */
export function mutateLibrary(folder: string, percent: number): void {
  const { below } = createChance(2);
  const files = [...readManifest(folder)];
  const at = (file: string): string => path.join(folder, file);
  const other = (file: string, word: string): string => file.replace(/(\.[^.]+)$/, ` ${word}1$1`);
  const changes: readonly ((file: MadeFile) => readonly MadeFile[])[] = [
    (file) => {
      const kind = path.extname(file.path).slice(1);
      appendFileSync(at(file.path), skipped(kind, 'changed'.padEnd(16)));
      return [file];
    },
    (file) => {
      const moved = other(file.path, 'v');
      renameSync(at(file.path), at(moved));
      return [{ ...file, path: moved }];
    },
    (file) => {
      unlinkSync(at(file.path));
      return [];
    },
    (file) => {
      const copy = other(file.path, 'new');
      copyFileSync(at(file.path), at(copy));
      return [file, { ...file, path: copy, duplicateOf: file.path }];
    },
  ];
  const changed = Math.round((files.length * percent) / 100);
  const chosen = new Set<number>();
  while (chosen.size < changed) {
    const index = below(files.length);
    if (existsSync(at(files[index]?.path ?? ''))) chosen.add(index);
  }
  const left = files.flatMap((file, index) => {
    const turn = [...chosen].indexOf(index);
    return turn < 0 ? [file] : (changes[turn % changes.length]?.(file) ?? []);
  });
  writeManifest(folder, left);
}

/** What is in it now. */
export function readManifest(folder: string): readonly MadeFile[] {
  const lines = readFileSync(manifestOf(folder), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as MadeFile);
}

function writeManifest(folder: string, files: readonly MadeFile[]): void {
  writeFileSync(manifestOf(folder), files.map((file) => `${JSON.stringify(file)}\n`).join(''));
}

/** Stands beside the folder. */
export const manifestOf = (folder: string): string => `${folder}.manifest.jsonl`;
