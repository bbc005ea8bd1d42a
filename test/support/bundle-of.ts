import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { asOneFile } from '../../src/cli/build.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * One file of a program of ours and all that it uses, for processes that start by the hundred. It lies
 * in a folder of its own, two below the root, where native packages are found.
 */
export async function bundleOf(file: string): Promise<string> {
  const folder = await mkdtemp(path.join(root, 'node_modules/.vitrine-test-'));
  const outfile = path.join(folder, 'program.mjs');
  await build({ ...asOneFile, sourcemap: false, entryPoints: [file], outfile, logLevel: 'error' });
  return outfile;
}
