/**
 * Leads from a position in the script that an isolate runs to the line that the author wrote. The
 * packer of the kernel makes that script without a map; the same module packed once more in the same
 * form, with one, has every position in the same place.
 */
import { SourceMap } from 'node:module';
import path from 'node:path';

/** Finds the author's lines. */
export interface SourcePositions {
  /** One frame of a stack, as `sends (<folder>/index.ts:12:5)`; `null` = it is not the author's. */
  readonly place: (frame: string) => string | null;
}

/** Positions of a module with an inline source map; the folder is what its sources are relative to. */
export async function createSourcePositions(
  module: string,
  folder: string,
): Promise<SourcePositions> {
  const { build } = await import('esbuild');
  const made = await build({
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: '__plugin',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'silent',
    sourcemap: 'external',
    outfile: 'script.js',
    absWorkingDir: folder,
    stdin: { contents: "export { default } from 'plugin';", sourcefile: 'entry.js' },
    plugins: [
      {
        name: 'one-module',
        setup(setup) {
          setup.onResolve({ filter: /^plugin$/ }, () => ({ path: 'plugin', namespace: 'plugin' }));
          setup.onLoad({ filter: /.*/, namespace: 'plugin' }, () => ({
            contents: module,
            loader: 'js',
            resolveDir: folder,
          }));
        },
      },
    ],
  });
  const text = made.outputFiles.find(({ path: name }) => name.endsWith('.map'))?.text;
  if (text === undefined) return { place: () => null };
  const map = new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
  return {
    place: (frame) => {
      const found = /^\s*at (?:async )?(?:([^(]*?) \()?.*?:(\d+):(\d+)\)?$/.exec(frame);
      if (!found) return null;
      const [, name = '', line, column] = found;
      const origin = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in origin) || /vitrine-rehearsal/.test(origin.originalSource))
        return null;
      const file = path.resolve(folder, origin.originalSource.replace(/^[a-z-]+:(?!\/)/, ''));
      const at = `${file}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
      return name === '' || name === 'eval' || name.includes('wrapper') ? at : `${name} (${at})`;
    },
  };
}
