/** Bundles a plugin's source into the single ES module that a server loads. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BuildFailure, BuildOptions, Message, Plugin } from 'esbuild';
import { nodeModuleHint, topLevelAwait } from '../../../../kernel/run/scripts/index.ts';
import { PluginFault } from './plugin-fault.ts';
import {
  guestKey,
  guestMethods,
  prepareGuest,
  wrapHandlers,
  stackMark,
} from './guest-test-harness.ts';

/** A bundle and its inputs. */
export interface Bundled {
  readonly code: string;
  /** Absolute paths of the author's own source files. */
  readonly inputs: readonly string[];
}

const form = {
  bundle: true,
  write: false,
  platform: 'browser',
  format: 'esm',
  target: 'es2023',
  charset: 'utf8',
  logLevel: 'silent',
  loader: { '.wasm': 'binary' },
  // The server starts a plugin in one go; the place is told where the source is still known.
  supported: { 'top-level-await': false },
  metafile: true,
} as const satisfies BuildOptions;

/** The name of the module that imports the author's. */
const harnessFile = 'vitrine-test-harness.js';

/** The bundle for publication. */
export const bundlePlugin = (entry: string): Promise<Bundled> =>
  bundle(entry, { entryPoints: [entry], outfile: 'index.js', plugins: [ownApi(entry)] });

/**
 * The bundle for tests: `Date` follows the clock of the test harness, and errors report their stacks. Its
 * source map names sources relative to the folder.
 */
export function bundleForTestHarness(entry: string, folder: string): Promise<Bundled> {
  const contents = [
    `import 'vitrine-test-harness:prepare';`,
    `import plugin from ${JSON.stringify(entry)};`,
    `import { wrap } from 'vitrine-test-harness:wrap';`,
    `export default wrap(plugin);`,
  ].join('\n');
  return bundle(entry, {
    stdin: { contents, resolveDir: path.dirname(entry), sourcefile: harnessFile },
    outfile: 'index.js',
    sourcemap: 'inline',
    sourcesContent: false,
    absWorkingDir: folder,
    plugins: [testHarnessModules, ownApi(entry)],
  });
}

async function bundle(entry: string, options: BuildOptions): Promise<Bundled> {
  const { build } = await import('esbuild');
  const { absWorkingDir = path.dirname(entry) } = options;
  try {
    const made = await build({ ...options, ...form, absWorkingDir });
    const inputs = Object.keys(made.metafile.inputs)
      .filter((name) => !/^(<|vitrine-test-harness)|node_modules/.test(name))
      .map((name) => path.resolve(absWorkingDir, name));
    return { code: made.outputFiles[0]?.text ?? '', inputs };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    throw new PluginFault('does_not_build', error.errors.map(toLine(absWorkingDir)).join('\n'));
  }
}

const toLine =
  (folder: string) =>
  ({ text, location }: Message): string => {
    const [, bare] = /^No matching export in "([^"]+)" for import "default"$/.exec(text) ?? [];
    if (bare !== undefined && location?.file === harnessFile)
      return `${path.resolve(folder, bare)}: There is no default export; right is export default definePlugin({ … }).`;
    const said = text.startsWith('Top-level await') ? topLevelAwait : `${text}${hintFor(text)}`;
    return location
      ? `${path.resolve(folder, location.file)}:${location.line}:${location.column + 1}: ${said}`
      : said;
  };

/** Hints for plugin authors that esbuild does not give. */
function hintFor(text: string): string {
  const name = /^Could not resolve "([^"]+)"/.exec(text)?.[1];
  if (name === undefined || name.startsWith('.')) return '';
  const hint = nodeModuleHint(name);
  return hint !== null
    ? `: ${hint}`
    : `. Run npm install ${name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name.split('/')[0]} in the folder of the plugin`;
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

const given = { key: guestKey, mark: stackMark, ...guestMethods };

/** The modules that wrap the author's module. */
const modules: Readonly<Record<string, string>> = {
  'vitrine-test-harness-prepare': `(${prepareGuest.toString()})(${JSON.stringify(guestKey)});`,
  'vitrine-test-harness-wrap': `const wrapHandlers = ${wrapHandlers.toString()};
export const wrap = (plugin) => wrapHandlers(plugin, ${JSON.stringify(given)});`,
};

const testHarnessModules: Plugin = {
  name: 'test-harness-modules',
  setup(build) {
    build.onResolve({ filter: /^vitrine-test-harness:/ }, ({ path: name }) => ({
      // Maps name a module by its path alone, and by this word it is told from the author's.
      path: name.replace(':', '-'),
      namespace: 'vitrine-test-harness',
    }));
    build.onLoad({ filter: /.*/, namespace: 'vitrine-test-harness' }, ({ path: name }) => ({
      contents: modules[name] ?? '',
      loader: 'js',
    }));
  },
};

/** The author's own `@vitrine/plugin-api` where it is installed, else the one of this Vitrine. */
const ownApi = (entry: string): Plugin => ({
  name: 'own-plugin-api',
  setup(build) {
    build.onResolve({ filter: /^@vitrine\/plugin-api$/ }, () => {
      const file = apiFile();
      return isInstalled(entry) || file === null ? undefined : { path: file };
    });
  },
});

function isInstalled(entry: string): boolean {
  let folder = path.dirname(entry);
  for (;;) {
    // The folder alone is not enough: in the sources of Vitrine it exists but is not compiled.
    if (existsSync(path.join(folder, 'node_modules/@vitrine/plugin-api/dist/index.js')))
      return true;
    const above = path.dirname(folder);
    if (above === folder) return false;
    folder = above;
  }
}

/** Beside the sources, or above the build output. */
export function apiFile(): string | null {
  const places = ['../../../../plugin-api/index.ts', '../plugin-api/index.ts'];
  const files = places.map((place) => path.resolve(import.meta.dirname, place));
  return files.find((file) => existsSync(file)) ?? null;
}
