/**
 * Builds the package for app authors: one bundled ES module, and the types that its index exports.
 * `THIRD-PARTY.txt` lists the bundled packages.
 */
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const here = import.meta.dirname;
const root = path.resolve(here, '../../..');

/** The entry points of the package. */
const doors: readonly string[] = ['index.ts', 'react-native.ts'];

/** Builds into a folder, which is emptied first. */
export async function buildClient(to = path.join(here, 'dist')): Promise<void> {
  if (!existsSync(path.join(here, 'api.generated.ts')))
    throw new Error('api.generated.ts is not there: "npm run build" writes it, in the repository.');
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const [bundled] = await Promise.all([bundle(to), declare(path.join(to, 'types'))]);
  await writeFile(path.join(to, 'THIRD-PARTY.txt'), await licensesOf(bundled));
  await copyFile(path.join(root, 'LICENSE'), path.join(to, 'LICENSE'));
}

/** Returns the packages that were bundled. */
async function bundle(to: string): Promise<readonly string[]> {
  const { metafile } = await build({
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    entryPoints: doors.map((door) => path.join(here, door)),
    outdir: to,
  });
  const names = Object.keys(metafile.inputs).flatMap((input) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}

async function licensesOf(packages: readonly string[]): Promise<string> {
  const parts = packages.map(async (name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return `${name} ${version}\n\n${await readFile(path.join(folder, 'LICENSE'), 'utf8')}`;
  });
  return (await Promise.all(parts)).join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Types of exactly the files that the entry points reach, with specifiers that every resolver
 * supports.
 */
async function declare(to: string): Promise<void> {
  const all = path.join(to, 'all');
  const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '--project', here, '--outDir', all]);
  const reached = new Set(doors);
  for (const file of reached) {
    const name = file.replace(/\.ts$/, '.d.ts');
    const text = await readFile(path.join(all, 'app/client', name), 'utf8');
    if (text.includes("'../../"))
      throw new Error(`${name} refers to types that are not published.`);
    for (const [, next = ''] of text.matchAll(specifier)) reached.add(`${next}.ts`);
    await writeFile(path.join(to, name), text.replaceAll(specifier, "'./$1.js'"));
  }
  await rm(all, { recursive: true });
}

const specifier = /'\.\/([\w.-]+)\.ts'/g;

if (import.meta.main) await buildClient();
