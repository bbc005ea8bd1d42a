/**
 * Turns a plugin's ES module into the one script that its isolate evaluates. Scripts are cached in a
 * folder by the hash of all that they depend on: source, build options and esbuild's version. Each
 * has a checksum, so a damaged one is made again. esbuild is loaded only when a script has to be
 * made, and its service ends after the last one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildFailure, BuildOptions, BuildResult } from 'esbuild';
import esbuildPackage from 'esbuild/package.json' with { type: 'json' };
import { guestWords } from '../../foreign-text.ts';
import { KernelError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { makeFolder } from '../../make-folder.ts';
import { asModule, packEntry, bundleForm, packOptions } from './bundle-options.ts';
import { readPositions, type FindPosition } from './script-positions.ts';

export type Packer = ReturnType<typeof createPacker>;

/** The message for authors, without a period at the end. */
export const topLevelAwait =
  'The plugin uses await outside of a function. A plugin is started synchronously, so nothing is awaited there; move the await into a handler, or into a function that handlers call';

/** A cached script, or what a crash left of one. Other files in the folder are never removed. */
const keptName = /^[0-9a-f]{64}\.js(\.[0-9a-f-]{36})?$/;

/** Where the scripts of a packer lie. */
export interface PackerOptions {
  /** Made when needed. */
  readonly cacheFolder: string;
  /** Scripts that came with the server, under the same names; nothing is ever written there. */
  readonly builtFolder?: string;
  readonly log: Log;
}

/** Creates the packer over its cache folder. */
export function createPacker(options: PackerOptions) {
  const { cacheFolder, builtFolder, log } = options;
  let underWay = 0;

  const used = new Set<string>();

  /**
   * The script; evaluated, it leaves the module's exports in `__plugin`. Throws `plugin_failed`
   * with what is wrong in the source and where.
   */
  async function toScript(esModule: string): Promise<string> {
    const name = `${cacheKey(esModule)}.js`;
    const file = path.join(cacheFolder, name);
    const built = builtFolder === undefined ? null : await readKept(path.join(builtFolder, name));
    if (built !== null) return built;
    used.add(name);
    const kept = await readKept(file);
    if (kept !== null) return kept;
    const script = await pack(esModule);
    await keep(file, script).catch((error: unknown) => {
      log.warn(
        { err: error },
        'A packed plugin could not be cached; it will be packed again next time.',
      );
    });
    return script;
  }

  async function pack(esModule: string): Promise<string> {
    try {
      const made = await build(packOptions(esModule));
      return made.outputFiles?.[0]?.text ?? '';
    } catch (error) {
      throw new KernelError('plugin_failed', whatIsWrong(error), { cause: error });
    }
  }

  /**
   * Maps positions in the script to the module, and through the module's own source map to its
   * sources. Their names are relative to the folder. Takes as long as packing.
   */
  async function positions(esModule: string, folder?: string): Promise<FindPosition> {
    const made = await build({
      ...packOptions(esModule, folder),
      ...(folder !== undefined && { absWorkingDir: folder }),
      sourcemap: 'external',
      sourcesContent: false,
      outfile: 'script.js',
    });
    return readPositions(made.outputFiles?.find(({ path: name }) => name.endsWith('.map'))?.text);
  }

  async function build(options: BuildOptions): Promise<BuildResult> {
    const esbuild = await import('esbuild');
    underWay += 1;
    try {
      return await esbuild.build(options);
    } finally {
      underWay -= 1;
      if (underWay === 0) await esbuild.stop();
    }
  }

  /** Removes cached scripts that this packer was not asked for. They can be made again. */
  async function sweep(): Promise<void> {
    const names = await readdir(cacheFolder).catch(() => []);
    const stale = names.filter((name) => keptName.test(name) && !used.has(name));
    await Promise.all(stale.map((name) => rm(path.join(cacheFolder, name), { force: true })));
  }

  return { toScript, positions, sweep };
}

function cacheKey(esModule: string): string {
  const parts = [esbuildPackage.version, JSON.stringify(bundleForm), packEntry, asModule, esModule];
  return sha256(parts.map((part) => `${part.length}:${part}`).join('\n'));
}

function whatIsWrong(error: unknown): string {
  const [first] = isBuildFailure(error) ? error.errors : [];
  if (!first) return 'The plugin could not be packed.';
  const { text, location } = first;
  if (text.startsWith('No matching export')) {
    return 'The plugin has no default export; right is: export default definePlugin({…}).';
  }
  const where = location ? ` (line ${location.line}, column ${location.column})` : '';
  if (text.startsWith('Top-level await')) return `${topLevelAwait}${where}.`;
  return `The plugin is not one bundled ES module: ${guestWords(text)}${where}.`;
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

async function readKept(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const script = text.slice(text.indexOf('\n') + 1);
  return text.startsWith(`//${sha256(script)}\n`) ? script : null;
}

/** Written under another name and renamed, so that no reader sees half of it. */
async function keep(file: string, script: string): Promise<void> {
  await makeFolder(path.dirname(file));
  const aside = `${file}.${randomUUID()}`;
  try {
    await writeFile(aside, `//${sha256(script)}\n${script}`);
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
