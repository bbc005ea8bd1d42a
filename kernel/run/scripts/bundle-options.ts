/** How a plugin's ES module becomes the one script that its isolate evaluates. */
import type { BuildOptions, Plugin as EsbuildPlugin } from 'esbuild';
import { nodeModuleHint } from './node-modules.ts';

export const bundleForm = {
  bundle: true,
  write: false,
  platform: 'browser',
  format: 'iife',
  globalName: '__plugin',
  target: 'es2023',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** The entry exports the default export only, so a module without one is refused. */
export const packEntry = "export { default } from 'plugin';";
const entryFile = 'entry.js';

/** Without an export, esbuild treats the source as CommonJS, which always has a default export. */
export const asModule = '\nexport {};';

/** The complete build options. The module's own source map names files relative to the folder. */
export function packOptions(
  esModule: string,
  folder?: string,
): typeof bundleForm & Pick<BuildOptions, 'stdin' | 'plugins'> {
  const stdin = { contents: packEntry, sourcefile: entryFile };
  return { ...bundleForm, stdin, plugins: [onlyThis(esModule, folder)] };
}

const importFault = (name: string): string =>
  `imports ${JSON.stringify(name)}; ${nodeModuleHint(name) ?? 'bundle it into main'}`;

/** Resolves the entry's import to the module, and refuses every other. */
function onlyThis(esModule: string, folder: string | undefined): EsbuildPlugin {
  return {
    name: 'one-module',
    setup(build) {
      build.onResolve({ filter: /.*/ }, (args) =>
        args.importer === entryFile && args.path === 'plugin'
          ? { path: 'plugin', namespace: 'plugin' }
          : { errors: [{ text: importFault(args.path) }] },
      );
      build.onLoad({ filter: /.*/, namespace: 'plugin' }, () => ({
        contents: esModule + asModule,
        loader: 'js',
        ...(folder !== undefined && { resolveDir: folder }),
      }));
    },
  };
}
