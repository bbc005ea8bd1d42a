/** The licenses of the packages in a bundle. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** The folders of the packages that a bundle contains; a package may lie within another one. */
export function packagesIn({ inputs }: Metafile): readonly string[] {
  const folders = Object.keys(inputs).flatMap((input) => {
    const [, folder] = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    return folder === undefined ? [] : [folder];
  });
  return [...new Set(folders)].sort();
}

/** The text of `THIRD-PARTY.txt`: name, version and license of each package. */
export async function licensesOf(root: string, folders: readonly string[]): Promise<string> {
  const parts = folders.map(async (inRoot) => {
    const folder = path.join(root, inRoot);
    const name = inRoot.slice(inRoot.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { version, license } = JSON.parse(
      await readFile(path.join(folder, 'package.json'), 'utf8'),
    ) as { readonly version: string; readonly license: string };
    const file = (await readdir(folder)).find((one) => /^licen[cs]e(\.|-|$)/i.test(one));
    const text = file === undefined ? '' : await readFile(path.join(folder, file), 'utf8');
    return `${name} ${version} (${license})\n\n${text}`;
  });
  return (await Promise.all(parts)).join(`\n${'-'.repeat(80)}\n\n`);
}
