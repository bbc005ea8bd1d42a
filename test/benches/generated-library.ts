import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const generator =
  process.env['BENCH_GENERATOR'] ?? path.resolve(root, '../shared/bench/make-library.mjs');

/** A mixed library of so many media files, made once and kept in `.bench`. */
export function generatedLibrary(count: number): string {
  const folder = path.join(root, '.bench', `mixed-${count}`);
  if (existsSync(`${folder}.manifest.jsonl`)) return folder;
  if (!existsSync(generator)) {
    throw new Error(
      `The library generator is not at ${generator}: set BENCH_GENERATOR to make-library.mjs.`,
    );
  }
  mkdirSync(path.dirname(folder), { recursive: true });
  const cache = path.join(root, '.bench/templates');
  console.log(`making a library of ${count} files …`);
  execFileSync(
    process.execPath,
    [generator, '--out', folder, '--count', String(count), '--cache', cache, '--force'],
    { stdio: 'ignore' },
  );
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
