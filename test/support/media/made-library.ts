/** A library that the generator of the benches makes, and the list of what it put there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const generator =
  process.env['BENCH_GENERATOR'] ?? path.resolve(root, '../shared/bench/make-library.mjs');

/** One media file as it was made. */
export interface MadeFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly kind: 'movie' | 'extra' | 'sample' | 'episode' | 'track' | 'audiobook' | 'hostile';
  readonly title?: string;
  /** Of an extra or a sample: the title of its film. */
  readonly of?: string;
  readonly year?: number;
  readonly season?: number;
  readonly episode?: number;
  readonly episodeEnd?: number;
  readonly episodeTitle?: string;
  readonly absolute?: number;
  readonly artist?: string;
  readonly album?: string;
  readonly track?: number;
  readonly disc?: number;
  readonly author?: string;
  readonly narrator?: string;
  readonly series?: string;
  readonly sequence?: number | null;
  readonly untagged?: true;
  readonly broken?: string;
  readonly duplicateOf?: string;
}

/** Why no library can be made here; null = one can. */
export const whyNoLibrary: string | null = !existsSync(generator)
  ? `the generator is not at ${generator}`
  : spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status !== 0
    ? 'ffmpeg is not installed'
    : null;

/** Makes a library of so many files, some of them broken, with names that break scanners. */
export function makeLibrary(folder: string, count: number): void {
  const cache = path.join(root, '.bench/templates');
  run(['--out', folder, '--count', String(count), '--hostile', '--cache', cache, '--force']);
}

/** Changes, renames, removes and copies so many percent of its files. */
export function mutateLibrary(folder: string, percent: number): void {
  const cache = path.join(root, '.bench/templates');
  run(['--out', folder, '--mutate', String(percent), '--cache', cache]);
}

/** What is in it now. */
export function readManifest(folder: string): readonly MadeFile[] {
  const lines = readFileSync(`${folder}.manifest.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as MadeFile);
}

function run(args: readonly string[]): void {
  execFileSync(process.execPath, [generator, ...args], { stdio: 'ignore' });
}
