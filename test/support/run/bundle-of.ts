import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { asOneFile } from '../../../packages/app/cli/build.ts';

/** Beside each program, since it looks for the thread of its database there. */
const databaseThread = 'kernel/store/sqlite/sqlite-thread.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * One file of a program of ours and all that it uses, for processes that start by the hundred. It lies
 * in a folder of its own, two below the root, where native packages are found.
 */
export async function bundleOf(file: string): Promise<string> {
  const folder = await mkdtemp(path.join(root, 'node_modules/.vitrine-test-'));
  await build({
    ...asOneFile,
    ...{ sourcemap: false, logLevel: 'error', outExtension: { '.js': '.mjs' } },
    entryPoints: { program: file, 'sqlite-thread': path.join(root, databaseThread) },
    outdir: folder,
  });
  return path.join(folder, 'program.mjs');
}
