/** The packages for plugin authors, as the build of this run made them. */
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** The folder of the packages. */
export const kitFolder = path.resolve(import.meta.dirname, '../../../dist/kit');

interface Listed {
  readonly name: string;
  readonly file: string;
  readonly files: readonly { readonly path: string }[];
}

/** Unpacks a package as npm does, and gives the paths of its files. */
export async function unpackKit(name: string, to: string): Promise<readonly string[]> {
  const text = await readFile(path.join(kitFolder, 'index.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: readonly Listed[] };
  const found = packages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`The kit has no package ${name}.`);
  await mkdir(to, { recursive: true });
  const archive = path.join(kitFolder, found.file);
  await promisify(execFile)('tar', ['-xzf', archive, '--strip-components=1', '-C', to]);
  return found.files.map((file) => file.path);
}
