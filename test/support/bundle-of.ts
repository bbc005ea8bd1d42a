import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * One file of a program of ours and all that it uses of ours, for processes that start by the hundred:
 * it loads a tenth of what the sources would. It lies in a folder of its own, where packages are found.
 */
export async function bundleOf(file: string): Promise<string> {
  const folder = await mkdtemp(path.join(root, 'node_modules/.vitrine-test-'));
  const outfile = path.join(folder, 'program.mjs');
  await build({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    outfile,
    logLevel: 'error',
    plugins: [
      {
        name: 'packages',
        // What is imported and not used is not loaded.
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, () => ({ external: true, sideEffects: false })),
      },
    ],
  });
  return outfile;
}
