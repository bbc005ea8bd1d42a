/** The language files of a package, on the disk or in an archive. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Manifest } from '../../../plugin-api/index.ts';
import { localesFolder, readLocales, type Locales } from '../locales/index.ts';
import { maxManifestLength, type ManifestReader, type Parsed } from '../manifest/manifest.ts';
import { codeOf, readPackageFile } from './package-folder.ts';
import type { PackageFiles } from './tar.ts';

/** The texts of the files in a plugin's folder, by their paths in it. Names with a dot are left out. */
export async function localeTextsIn(folder: string): Promise<Parsed<ReadonlyMap<string, string>>> {
  const at = path.join(folder, localesFolder);
  const texts = new Map<string, string>();
  for (const name of await namesIn(at)) {
    const file = await readPackageFile(path.join(at, name), maxManifestLength);
    const shown = `${localesFolder}/${name}`;
    if (file.kind === 'refused') return { ok: false, faults: [`${shown} ${file.why}.`] };
    if (file.kind === 'text') texts.set(shown, file.text);
  }
  return { ok: true, value: texts };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}

/** The languages of the plugin in a folder. */
export async function localesIn(
  folder: string,
  manifest: Manifest,
  reader: ManifestReader,
): Promise<Parsed<Locales>> {
  const texts = await localeTextsIn(folder);
  return texts.ok ? readLocales(texts.value, manifest, reader) : texts;
}

/** The languages of the plugin with these files. */
export function localesOf(
  files: PackageFiles,
  manifest: Manifest,
  reader: ManifestReader,
): Parsed<Locales> {
  const texts = new Map<string, string>();
  for (const [name, bytes] of files) {
    if (!name.startsWith(`${localesFolder}/`)) continue;
    try {
      texts.set(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch {
      return { ok: false, faults: [`${name} is not UTF-8.`] };
    }
  }
  return readLocales(texts, manifest, reader);
}
