import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeLibrary, manifestOf } from '../support/made-library/made-library.ts';

/** A mixed library of so many media files, made once and kept in `.bench`. */
export function generatedLibrary(count: number): string {
  const folder = path.resolve(import.meta.dirname, '../../.bench', `mixed-${count}`);
  if (existsSync(manifestOf(folder))) return folder;
  console.log(`making a library of ${count} files …`);
  makeLibrary(folder, count);
  return folder;
}

/** The arguments that make the server hold a generated library. */
export const libraryArguments = (folder: string): readonly string[] => [
  '--library',
  `movies:Films:${folder}/Movies`,
  '--library',
  `tv:Series:${folder}/Series`,
  '--library',
  `music:Music:${folder}/Music`,
  '--library',
  `audiobooks:Audiobooks:${folder}/Audiobooks`,
];
